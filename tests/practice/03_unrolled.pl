# Lesson 03: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. blocks of the launch: no answer yet/,
        wrong => [
            'an element for each thread' => sub {s/\{32/{128/}, qr/1\..* not 128: each thread has four elements/,
            'the barriers of a block'    => sub {s/64/2/}, qr/2\..* not 2: those are the barriers of one block/,
            'the tree loads nothing'     => sub {s/767/512/}, qr/3\..* not 512: those are the array's own/,
        ],
    },
    '2_last_warp' => {
        hole  => qr/faults: n = 31, blocks of 64: .*race in global memory/,
        wrong => [
            'wrong for blocks of 1024' => sub {s/tid == 0\)/tid == 0 && blockDim.x != 1024)/}, qr/answer: .*blocks of 1024: .*never written/,
            'only a barrier'         => sub {s/tid < stride && tid \+ stride < count\)(\n[^\n]*\n *__syncwarp)/tid + stride < count)$1/}, qr/faults: .*race in global memory/,
            'only the guard'         => sub {s/\n *__syncwarp[^\n]*//}, qr/faults: .*race in global memory/,
            'the barrier in the if'  => sub {s/if \(tid < stride && tid \+ stride < count\)\n( *)(idata[^\n]*)\n *(__syncwarp\(\);)[^\n]*/if (tid < stride && tid + stride < count) {\n$1$2\n$1$3\n            }/}, qr/faults: .*(?:waits at )?__syncwarp\(\)/,
            'the block for the warp' => sub {s/__syncwarp/__syncthreads/}, qr/faults: .*waits at __syncthreads\(\), but thread \d+ has returned/,
            'a barrier for all'      => sub {s/    if \(tid < 32\) \{/    {/; s/__syncwarp/__syncthreads/}, qr/barriers: 128, and it should be at most 32/,
        ],
    },
    '3_least' => {
        hole  => qr/answer: the smallest \|x\| .*n = 31, .*expected/,
        wrong => [
            '1, where there are many' => sub {s/count > 0 \? idata\[0\]/count > 120 ? 1.0f : $&/}, qr/answer: .*expected \d+, got 1/,
            'atomicMin() for a tree' => sub {s/    for \(unsigned stride.*?\n    \}\n/    if (tid > 0 && tid < count)\n        atomicMin((int *)&idata[0], __float_as_int(smallest));\n    __syncthreads();\n/s},
            qr/atomics: \d+, and there should be none/,
            'a zero beyond the end' => sub {s/        if \(tid \+ k \* blockDim.x < count\)\n *smallest = fminf\(smallest, fabsf\((.*?)\)\);/        smallest = fminf(smallest, tid + k * blockDim.x < count ? fabsf($1) : 0.0f);/}, qr/answer: .*n = 31, .*expected \d+, got 0/,
            'the sign forgotten'    => sub {s/fabsf\((idata\[.*?\])\)/$1/}, qr/answer: .*expected \d+, got -/,
            'no barrier before the tree' => sub {s/(idata\[tid\] = smallest;)\n *__syncthreads\(\);/$1/}, qr/faults: .*race in global memory/,
            'four neighbours each'  => sub {s/tid \+ k \* blockDim.x/tid * LOADS + k/g}, qr/faults: .*race in global memory/,
        ],
    },
    '4_one_tree' => {
        hole  => qr/barriers: 512, and it should be at most 72/,
        wrong => [
            'no barrier before the tree' => sub {s/(idata\[tid\] = sum;)\n *__syncthreads\(\);/$1/}, qr/faults: .*race in global memory/,
            'seven of eight' => sub {s/k = 0; k < TILES/k = 1; k < TILES/}, qr/answer: .*element.* missing/,
            'neighbours first' => sub {
                s/    for \(unsigned stride.*?\n    \}/    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {\n        unsigned index = 2 * stride * tid;\n        if (index + stride < blockDim.x && index + stride < count)\n            idata[index] += idata[index + stride];\n        __syncthreads();\n    }/s;
            }, qr/load sectors: \d+, and it should be at most 2600/,
            'fewer than a quarter of the threads load' => sub {
                s/#pragma unroll\n    for \(int k = 0.*?\n    if \(tid < count\)/    unsigned width = blockDim.x == 64 ? 16 : blockDim.x \/ 32 * 7;\n    for (unsigned i = tid; tid < width && i < count; i += width)\n        sum += idata[i];\n    count = count < width ? count : width;\n    if (tid < count)/s;
            }, qr/threads that load: 448, and it should be at least 512/,
        ],
    },
);
