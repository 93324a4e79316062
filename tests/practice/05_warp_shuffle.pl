# Lesson 05: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. thread 5 gets: no answer yet/,
        wrong => [
            'threads count from 1'    => sub {s/30, 31/29, 31/}, qr/1\..* not 29: thread 0 has 1/,
            'a zero beyond the warp'  => sub {s/30, 31/30, 0/}, qr/2\..* not 0: no zero/,
            'lanes for threads'       => sub {s/58/26/}, qr/3\..* not 26: that is a lane of the first warp/,
        ],
    },
    '2_everybody' => {
        hole  => qr/answer: .*n = 31.*out\[1\].*element 0 is missing/,
        wrong => [
            'wrong for blocks of 512' => sub {s/if \(i < n\)\n/if (i < n && blockDim.x != 512)\n/}, qr/answer: .*blocks of 512: .*never written/,
            'wrong from 8192 on' => sub {s/if \(i < n\)\n/if (i < n && i < 8192)\n/}, qr/answer: .*n = 1\d{4}, .*out\[8192\]: .*never written/,
            'shared memory, but for blocks of 256' => sub {
                s/^extern/__global__ void by_memory(const float *in, float *out, size_t n)\n{\n    __shared__ float all[1024];\n    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    float value = 0.0f;\n    all[threadIdx.x] = i < n ? in[i] : 0.0f;\n    __syncthreads();\n    for (unsigned k = 0; k < 32; k++)\n        value += all[threadIdx.x \/ 32 * 32 + k];\n    if (i < n)\n        out[i] = value;\n}\n\n$&/m;
                s/    warp_sums<<</    if (block != 256)\n        by_memory<<<grid, block>>>(in, out, n);\n    else\n        warp_sums<<</;
            }, qr/floats of shared memory touched: \d+, and there should be none \(n = 31, blocks of 64\)/,
            'down, then lane 0 to all' => sub {s/__shfl_xor_sync(.*?)\n/__shfl_down_sync$1\n    value = __shfl_sync(0xffffffff, value, 0);\n/}, qr/shuffles and votes: 768, and it should be at most 640/,
            'handed out by shared memory' => sub {
                s/__shfl_xor_sync(.*?)\n/__shfl_down_sync$1\n    __shared__ float smem[32];\n    if (threadIdx.x % 32 == 0)\n        smem[threadIdx.x \/ 32] = value;\n    __syncwarp();\n    value = smem[threadIdx.x \/ 32];\n/;
            }, qr/floats of shared memory touched: \d+, and there should be none/,
            'one round short' => sub {s/offset = 16/offset = 8/}, qr/answer: .*elements 16 to 30 are missing/,
            'one round too many' => sub {s/offset > 0/offset >= 0/; s/offset \/= 2/offset = offset ? offset \/ 2 : -1/}, qr/answer: .*counted twice/,
            'each lane reads all' => sub {s/    for \(int offset.*?\n.*?\n/    value = 0.0f;\n    for (size_t k = i - i % 32; k < n && k < i - i % 32 + 32; k++)\n        value += in[k];\n/}, qr/floats loaded: \d+, and it should be at most 4096/,
            'as whole numbers' => sub {s/    for \(int offset.*?\n.*?\n/    value = (float)__reduce_add_sync(0xffffffff, (int)value);\n/}, qr/answer: .*out\[\d+\]: expected -?\d*\.\d/,
        ],
        general => [
            'lane 0 stores all' => sub {s/    if \(i < n\)\n        out\[i\] = value;/    for (int k = 0; k < 32 && threadIdx.x % 32 == 0; k++)\n        if (i + k < n)\n            out[i + k] = value;/}, qr/counts: .*a store of a warp brings 1\.0 floats: let its lanes store side by side/, 'stores',
        ],
    },
    '3_who_comes' => {
        hole  => qr/faults: n = 31, .*names lane 31 in its mask 0xffffffff, but it has returned/,
        wrong => [
            'one lane reads for all' => sub {s/(    float value = )i < n.*?offset\);\n/${1}0;\n    for (unsigned k = 0; threadIdx.x % 32 == 0 && k < 32; k++)\n        value += i + k < n ? in[i + k] : 0.0f;\n/s}, qr/only \d+ of the threads load|threads that load: \d+, and it should be at least/,
            'a mask of who is there' => sub {s/    float value = .*?\n/    if (i >= n)\n        return;\n    float value = in[i];\n/; s/0xffffffff/__activemask()/}, qr/faults: .*lane/,
            'an atomic for each lane' => sub {s/    for \(int.*?\n.*?\n    if \(threadIdx.x % 32 == 0\)/    if (i < n)/s}, qr/atomics: 4096, and it should be at most 128/,
            'no zero before' => sub {s/\n *cudaMemset[^\n]*//}, qr/answer: .*NaN, as before: never written, or added to/,
            'all lanes add' => sub {s/if \(threadIdx.x % 32 == 0\)/if (i < n)/}, qr/answer: .*element/,
            'as whole numbers' => sub {s/float value = /int value = /}, qr/answer: .*out\[0\]: expected -?\d*\.\d/,
            'an eighth of the threads load' => sub {s/    float value = .*/    unsigned share = (blockDim.x \/ 8 + 31) \/ 32 * 32;\n    float value = 0.0f;\n    for (size_t k = threadIdx.x, at = i; k < blockDim.x && threadIdx.x < share; k += share, at += share)\n        value += at < n ? in[at] : 0.0f;/}, qr/threads that load: 512, and it should be at least 1024/,
        ],
    },
    '4_any_block' => {
        hole  => qr/answer: .*n = 31, blocks of 75: .*elements 1 to 30 are missing/,
        wrong => [
            'an atomic each, but for blocks of 75' => sub {s/^extern.*?\{\n.*?\n/__global__ void one_each(const float *in, float *out, size_t n, unsigned share)\n{\n    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        atomicAdd(&out[i \/ share], in[i]);\n}\n$&    if (block != 75) {\n        cudaMemset(out, 0, 4);\n        one_each<<<grid, block>>>(in, out, n, ~0u);\n        return;\n    }\n/ms}, qr/atomics: 1000, and it should be at most 33 /,
            'one lane reads for all' => sub {
                s/    float value = warp_sum\([^;]*;\n/    float value = 0;\n    for (unsigned k = 0; threadIdx.x % 32 == 0 && k < left && k < 32; k++)\n        value += i + k < n ? in[i + k] : 0.0f;\n/;
            }, qr/only \d+ of the threads load|threads that load: \d+, and it should be at least/,
            'the full mask' => sub {s/mask = 0xffffffff >> \(32 - lanes\)/mask = 0xffffffff/}, qr/faults: .*mask 0xffffffff/,
            'reads who is not there' => sub {s/__shfl_sync\(mask, value, there \? lane \+ offset : lane\)/__shfl_down_sync(mask, value, offset)/}, qr/faults: .*lane/,
            'adds its own again' => sub {s/        if \(there\)\n    //}, qr/answer: .*element/,
            'an atomic for each lane' => sub {s/float value = warp_sum\(i < n.*?\n/float value = i < n ? in[i] : 0.0f;\n    (void)left;\n/; s/if \(threadIdx.x % 32 == 0\)/if (i < n)/}, qr/atomics: 1000, and it should be at most 42/,
        ],
    },
    '5_one_barrier' => {
        hole  => qr/barriers: 144, and it should be at most 16/,
        wrong => [
            'one lane reads for all' => sub {
                s/warp_sum\(i < n \? in\[i\] : 0.0f\)/0;\n    for (unsigned k = 0; tid % 32 == 0 && k < 32; k++)\n        value += i + k < n ? in[i + k] : 0.0f/;
                s/    if \(tid < 32\) \{.*?\n    \}\n/    for (unsigned k = 1; tid == 0 && k < blockDim.x \/ 32; k++)\n        value += smem[k];\n    if (tid == 0)\n        atomicAdd(out, value);\n/s;
            }, qr/only \d+ of the threads load|threads that load: \d+, and it should be at least/,
            'no barrier' => sub {s/\n *__syncthreads[^\n]*//}, qr/faults: .*shared memory/,
            'an atomic for each warp' => sub {s/    if \(tid % 32 == 0\)\n.*?\n    \}\n/    if (tid % 32 == 0)\n        atomicAdd(out, value);\n/s}, qr/atomics: 128, and it should be at most 16/,
            'what was not stored' => sub {s/tid < blockDim.x \/ 32 \? smem\[tid\] : 0.0f/smem[tid]/}, qr/faults: .*reads shared memory that no thread/,
            'an eighth of the threads load' => sub {s/    float value = warp_sum\(.*/    unsigned share = (blockDim.x \/ 8 + 31) \/ 32 * 32;\n    float value = 0.0f;\n    for (size_t k = threadIdx.x, at = i; k < blockDim.x && threadIdx.x < share; k += share, at += share)\n        value += at < n ? in[at] : 0.0f;\n    value = warp_sum(value);/}, qr/threads that load: 512, and it should be at least 1024/,
        ],
    },
);
