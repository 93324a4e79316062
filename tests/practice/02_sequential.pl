# Lesson 02: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. load requests of one block: no answer yet/,
        wrong => [
            'lanes for requests'       => sub {s/\{13/{127/}, qr/1\..* not 127: so many lanes load/,
            'four sectors for each'    => sub {s/21/52/}, qr/2\..* not 52: not every request touches four/,
            'one block for the launch' => sub {s/336/21/}, qr/3\..* not 21: those are one block's/,
        ],
    },
    '2_any_block' => {
        hole  => qr/answer: .* n = 31, blocks of 96: .* missing/,
        wrong => [
            'wrong from 8192 on' => sub {s/tid == 0\)/tid == 0 && n < 8192)/}, qr/answer: .*n = 1\d{4}, .*never written/,
            'one thread, but for powers of two' => sub {s/(    for \(unsigned left)/    for (unsigned k = 1; (blockDim.x & (blockDim.x - 1)) != 0 && tid == 0 && k < count; k++)\n        idata[0] += idata[k];\n    if ((blockDim.x & (blockDim.x - 1)) == 0)\n$1/},
            qr/answer: .* (?:one thread loads \d+ floats, where \d+ were its share|only \d+ of the threads load)/,
            'rounded down'     => sub {s/unsigned half = \(left \+ 1\) \/ 2/unsigned half = left \/ 2/}, qr/faults: .*race in global memory/,
            'only one guard'   => sub {s/ && tid \+ half < count//}, qr/faults: n = 31.*reads 4 bytes/,
            'neighbours first' => sub {
                s/    for \(unsigned left.*?\n    \}/    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {\n        unsigned index = 2 * stride * tid;\n        if (index + stride < count)\n            idata[index] += idata[index + stride];\n        __syncthreads();\n    }/s;
            }, qr/load sectors: 65280, and it should be at most 17664/,
        ],
    },
    '3_packed' => {
        hole  => qr/faults: n = 31, blocks of 64: .*race in global memory/,
        wrong => [
            'one barrier, before the store' => sub {s/\n *__syncthreads\(\); \/\* \.\.\. before[^\n]*//}, qr/faults.*race in global memory/,
            'one barrier, after the store' => sub {s/\n *__syncthreads\(\); \/\* all[^\n]*//}, qr/faults.*race in global memory/,
            'the last one lost' => sub {s/if \(2 \* tid < left\)/if (2 * tid + 1 < left)/g}, qr/answer: .* n = 31, .*element/,
        ],
    },
    '4_two_each' => {
        hole  => qr/load sectors: 65408, and it should be at most 17024/,
        wrong => [
            'the pair apart, the tree as it was' => sub {
                s/    for \(unsigned stride.*?\n    \}/    if (tid + blockDim.x < count)\n        idata[tid] += idata[tid + blockDim.x];\n    __syncthreads();\n    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {\n        unsigned index = 2 * stride * tid;\n        if (index + stride < blockDim.x && index + stride < count)\n            idata[index] += idata[index + stride];\n        __syncthreads();\n    }/s;
            }, qr/load sectors: \d+, and it should be at most 17024/,
            'half of the share' => sub {s/stride = blockDim.x;/stride = blockDim.x \/ 2;/}, qr/answer: .*element.* missing/,
            'no guard' => sub {s/ && tid \+ stride < count//}, qr/faults: n = 31.*reads 4 bytes/,
        ],
    },
);
