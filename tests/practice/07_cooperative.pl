# Lesson 07: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. blocks that an SM holds, without shared memory: no answer yet/,
        wrong => [
            'the whole GPU for an SM'       => sub {s/\{21/{84/}, qr/1\..* not 84: those are all 4 SMs'/,
            'places for warps for blocks'   => sub {s/\{21/{64/}, qr/1\..* not 64: so many warps/,
            'shared memory does not matter' => sub {s/ 5,/ 21,/}, qr/2\..* not 21: so many need more than 228 KB/,
            'all that fit'                  => sub {s/53/84/}, qr/3\..* not 84: so many fit; do the elements need/,
        ],
    },
    '2_chevrons' => {
        hole  => qr/faults: n = 31, .*grid\.sync\(\) in an ordinary launch: use cudaLaunchCooperativeKernel\(\)/,
        wrong => [
            '4 SMs' => sub {s/per_sm \* sms/per_sm * 4/}, qr/blocks: 32, and it should be at least 64 \(n = 40000, blocks of 256, a GPU of 8 SMs\)/,
            '16 blocks of 256'      => sub {s/wanted < most \? wanted : most;/(block == 256 && sms == 4 ? 16 : most) < wanted ? block == 256 && sms == 4 ? 16 : most : wanted;/}, qr/blocks: 16, and it should be at least 32 .*blocks of 256/,
            '32 blocks of any size' => sub {s/wanted < most \? wanted : most;/(block < 256 ? 32 : most) < wanted ? block < 256 ? 32 : most : wanted;/}, qr/blocks: 32, and it should be at least 128 .*blocks of 64/,
            '4 blocks of 1024'      => sub {s/wanted < most \? wanted : most;/(block > 256 ? 4 : most) < wanted ? block > 256 ? 4 : most : wanted;/}, qr/blocks: 4, and it should be at least 8 .*blocks of 1024/,
            'a block for each, whatever fits' => sub {s/grid = wanted < most.*/grid = wanted;/}, qr/answer: .*n = 40\d\d, .*CUDA refuses the launch: too many blocks in cooperative launch/,
            'as many as fit, always' => sub {s/grid = wanted < most.*/grid = most;/}, qr/blocks: 32, and it should be at most 4 /,
            'those of one SM'        => sub {s/\(unsigned\)\(per_sm \* sms\)/(unsigned)per_sm/}, qr/blocks: 8, and it should be at least 32 /,
            'two launches'           => sub {s/(    cudaLaunch.*\n)/$1$1/}, qr/launches: 2, and it should be at most 1 /,
            'no barrier, but atomics' => sub {s/    if \(threadIdx.x == 0\)\n        partial.*?(?=^\})/    if (threadIdx.x == 0)\n        atomicAdd(out, sum);\n/ms; s/cudaLaunchCooperativeKernel\(.*?;/(void)args;\n    cudaMemset(out, 0, sizeof *out);\n    sum_of_grid<<<grid, block>>>(in, partial, out, n);/}, qr/atomics: 4, and there should be none/,
        ],
        stays => [
            'another kernel' => sub {s/for \(unsigned i = threadIdx.x; i < gridDim.x; i \+= blockDim.x\)/for (unsigned i = threadIdx.x; i < gridDim.x; i += 1 * blockDim.x)/}, qr/^sum_of_grid\(\) stays as it is/,
        ],
    },
    '3_less_the_mean' => {
        hole  => qr/answer: each element, less the mean: n = 31/,
        wrong => [
            'a barrier of the block'  => sub {s/cooperative_groups::this_grid\(\)\.sync\(\)/__syncthreads()/}, qr/(?:faults|answer): .*n = /,
            'without the second one'  => sub {s/    __syncthreads\(\);\n//}, qr/faults: .*(?:race in shared memory|reads shared memory that no thread)/,
            'each thread adds all up' => sub {
                s/k = threadIdx\.x; k < gridDim\.x; k \+= blockDim\.x/k = 0; k < gridDim.x; k++/; s/    sum = block_sum\(sum\);\n    if \(threadIdx\.x == 0\)\n        mean/    if (threadIdx.x == 0)\n        mean/;
            }, qr/floats loaded: 69632, and it should be at most 4352 /,
            'read again' => sub {s/out\[i\] = mine - mean/out[i] = in[i] - mean/}, qr/floats loaded: 8448, and it should be at most 4352 /,
            'those after the end leave' => sub {s/    __shared__ float mean;/$&\n    if (i >= n)\n        return;/}, qr/faults: n = 31, /,
        ],
    },
    '4_eight_rounds' => {
        hole  => qr/launches: 8, and it should be at most 1 /,
        wrong => [
            'a barrier of the block'   => sub {s/cooperative_groups::this_grid\(\)\.sync\(\)/__syncthreads()/}, qr/faults: .*(?:race in|reads) global memory/,
            'in place'                 => sub {s/to = round % 2 == 0 \? other : out/to = out/}, qr/faults: .*race in global memory/,
            'those after the end leave' => sub {s/        if \(i < n\)\n/        if (i >= n)\n            return;\n        else\n/}, qr/faults: n = 31, .*(?:grid\.sync\(\)|deadlock)/,
            'with chevrons'            => sub {s/void \*args\[\] = .*\n.*/eight_rounds<<<grid, block>>>(in, other, out, n);/}, qr/faults: .*grid\.sync\(\) in an ordinary launch/,
            'seven rounds'             => sub {s/round < 8/round < 7/}, qr/answer: .*NaN, as before|answer: .*expected/,
        ],
    },
);
