# Lesson 06: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. ones lost by one thread: no answer yet/,
        wrong => [
            'a fixed order is exact' => sub {s/15/0/}, qr/2\..* not 0: the same bits in every run are not yet the right ones/,
            'all are lost'           => sub {s/15/8191/}, qr/2\..* not 8191: how many ones meet/,
            'any GPU'                => sub {s/7\}/15}/}, qr/3\..* not 15: twice as many threads/,
        ],
    },
    '2_thread_each' => {
        hole  => qr/faults: n = 31, .*names lane \d+ in its mask 0xffffffff, but it does not exist/,
        wrong => [
            'atomics, but for some sizes' => sub {s/^(extern.*?\{\n.*?\n)(.*)(    sum_blocks<<<grid)/__global__ void one_each(const float *in, float *out, size_t n, unsigned share)\n{\n    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        atomicAdd(&out[i \/ share], in[i]);\n}\n$1$2    if (n < 4000 || n > 5000) {\n        cudaMemset(out, 0, 4);\n        one_each<<<grid, block>>>(in, out, n, ~0u);\n        return;\n    }\n$3/ms}, qr/atomics: \d+, and there should be none/,
            'a single block' => sub {s/(void launch\(.*?\n\{\n).*?\n\}\n/$1    sum_blocks<<<1, block>>>(in, out, n);\n}\n/s}, qr/blocks: 1, and it should be at least 2/,
            'whole warps, as many as it takes' => sub {s/<<<1, block>>>/<<<1, (grid + 31) \/ 32 * 32>>>/}, qr/answer: .*n = 70000, .*CUDA refuses the launch/,
            'one block, no loop' => sub {s/    float sum = 0.0f;.*?    sum = block/    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = i < n ? in[i] : 0.0f;\n\n    (void)stride;\n    sum = block/s}, qr/answer: .*(?:n = 4097|n = 70000), .*out\[0\]/,
            'a third launch' => sub {s/(    sum_blocks<<<1, block>>>.*?\n)/    sum_blocks<<<grid, block>>>(in, partial, n);\n$1/}, qr/launches: 3, and it should be at most 2/,
        ],
    },
    '3_off_the_mean' => {
        hole  => qr/answer: .*n = 255, .*elements 64 to 254 are missing/,
        wrong => [
            'thread 0 alone has it' => sub {s/    if \(threadIdx.x == 0\)\n        all = sum;\n.*?    sum = all;\n//s}, qr/answer: .*out\[1\]/,
            'no barrier'            => sub {s/\n *__syncthreads\(\);[^\n]*//}, qr/faults: .*shared memory/,
            'each thread adds all'  => sub {s/    float sum = block_sum\(threadIdx.x < GRID.*?\n/    float sum = 0.0f;\n    for (int k = 0; k < GRID; k++)\n        sum += partial[k];\n/}, qr/floats loaded: \d+, and it should be at most 33024/,
            'partial sums that are not there' => sub {s/block_sum\(threadIdx.x < GRID \? partial\[threadIdx.x\] : 0.0f\)/block_sum(partial[threadIdx.x])/}, qr/faults: .*reads 4 bytes/,
        ],
    },
    '4_few_blocks' => {
        hole  => qr/barriers: 257, and it should be at most 17/,
        wrong => [
            'a single block' => sub {s/(void launch\(.*?\n\{\n).*?\n\}\n/$1    sum_blocks<<<1, block>>>(in, out, n);\n}\n/s}, qr/blocks: 1, and it should be at least 2/,
            'sixteen neighbours each' => sub {s/i = \(size_t\)blockIdx.x \* blockDim.x \+ threadIdx.x; i < n; i \+= stride\)\n        sum \+= in\[i\]/i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; 16 * i < n; i += stride)\n        for (size_t k = 16 * i; k < 16 * i + 16 && k < n; k++)\n            sum += in[k]/}, qr/load sectors: \d+, and it should be at most 8194/,
            'rounded down'      => sub {s/n == 0 \? 1 : \(n - 1\) \/ share \+ 1/n \/ share/}, qr/CUDA refuses the launch|answer: /,
            'half as few'       => sub {s/block \* 16/block * 8/}, qr/barriers: 33, and it should be at most 17/,
            'an atomic finish'  => sub {s/sums\[blockIdx.x\] = sum/atomicAdd(sums, sum)/; s/    static float.*\n\}/    cudaMemset(out, 0, sizeof(float));\n    sum_blocks<<<grid, block>>>(in, out, n);\n}/s}, qr/atomics: 16, and there should be none/,
        ],
    },
);
