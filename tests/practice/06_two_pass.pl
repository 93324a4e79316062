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
            'a single block' => sub {s/(void launch\(.*?\n\{\n).*?\n\}\n/$1    sum_blocks<<<1, block>>>(in, out, n);\n}\n/s}, qr/blocks: 1, and it should be at least 4/,
            'whole warps, as many as it takes' => sub {s/<<<1, block>>>/<<<1, (grid + 31) \/ 32 * 32>>>/}, qr/answer: .*n = 300000, .*CUDA refuses the launch/,
            'one block, no loop' => sub {s/    float sum = 0.0f;.*?    sum = block/    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = i < n ? in[i] : 0.0f;\n\n    (void)stride;\n    sum = block/s}, qr/answer: .*n = (?:1025|4097|300000), .*out\[0\]/,
            'a third launch' => sub {s/(    sum_blocks<<<1, block>>>.*?\n)/    sum_blocks<<<grid, block>>>(in, partial, n);\n$1/}, qr/launches: 3, and it should be at most 2/,
            'eight partial sums for each thread' => sub {s/(^extern .*\n\{\n)/__global__ void add_eight(const float *sums, float *out, size_t k)\n{\n    float sum = 0.0f;\n    for (size_t i = threadIdx.x; i < k && i < 8 * 1024; i += 1024)\n        sum += sums[i];\n    sum = block_sum(sum);\n    if (threadIdx.x == 0)\n        *out = sum;\n}\n\n$1/m; s/sum_blocks<<<1, block>>>/add_eight<<<1, 1024>>>/}, qr/answer: .*n = 300000, .*expected/,
            'room for fewer' => sub {s/1 << 18/1 << 12/}, qr/faults: n = 300000, .*writes 4 bytes/,
            'two blocks' => sub {s/n == 0 \? 1 : .*;/2;/}, qr/blocks: 2, and it should be at least 4/,
        ],
        general => [
            'one thread adds the partial sums' => sub {s/(^extern .*\n\{\n)/__global__ void add_all(const float *sums, float *out, size_t k)\n{\n    *out = 0.0f;\n    for (size_t i = 0; i < k; i++)\n        *out += sums[i];\n}\n\n$1/m; s/sum_blocks<<<1, block>>>/add_all<<<1, 1>>>/}, qr/a launch in which fewer than 16 threads load \d+ floats/, 'one thread',
        ],
    },
    '3_off_the_mean' => {
        hole  => qr/answer: .*n = 255, .*elements 64 to 254 are missing/,
        wrong => [
            'thread 0 alone has it' => sub {s/    if \(threadIdx.x == 0\)\n        all = sum;\n.*?    sum = all;\n//s}, qr/answer: .*out\[1\]/,
            'no barrier'            => sub {s/\n *__syncthreads\(\);[^\n]*//}, qr/faults: .*shared memory/,
            'each thread adds all'  => sub {s/    float sum = block_sum\(threadIdx.x < GRID.*?\n/    float sum = 0.0f;\n    for (int k = 0; k < GRID; k++)\n        sum += partial[k];\n/}, qr/floats loaded: \d+, and it should be at most 33024/,
            'partial sums that are not there' => sub {s/block_sum\(threadIdx.x < GRID \? partial\[threadIdx.x\] : 0.0f\)/block_sum(partial[threadIdx.x])/}, qr/faults: .*reads 4 bytes/,
            'a single block' => sub {s/GRID = 16/GRID = 1/}, qr/blocks: 1, and it should be at least 4/,
        ],
    },
    '4_few_blocks' => {
        hole  => qr/barriers: 257, and it should be at most 17/,
        wrong => [
            'a single block' => sub {s/(void launch\(.*?\n\{\n).*?\n\}\n/$1    sum_blocks<<<1, block>>>(in, out, n);\n}\n/s}, qr/blocks: 1, and it should be at least 4/,
            'sixteen neighbours each' => sub {s/i = \(size_t\)blockIdx.x \* blockDim.x \+ threadIdx.x; i < n; i \+= stride\)\n        sum \+= in\[i\]/i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; 16 * i < n; i += stride)\n        for (size_t k = 16 * i; k < 16 * i + 16 && k < n; k++)\n            sum += in[k]/}, qr/load sectors: \d+, and it should be at most 8194/,
            'rounded down'      => sub {s/n == 0 \? 1 : \(n - 1\) \/ share \+ 1/n \/ share/}, qr/CUDA refuses the launch|answer: /,
            'half as few'       => sub {s/block \* 16/block * 8/}, qr/barriers: 33, and it should be at most 17/,
            'an atomic finish'  => sub {s/sums\[blockIdx.x\] = sum/atomicAdd(sums, sum)/; s/    static float.*\n\}/    cudaMemset(out, 0, sizeof(float));\n    sum_blocks<<<grid, block>>>(in, out, n);\n}/s}, qr/atomics: 16, and there should be none/,
        ],
    },
);
