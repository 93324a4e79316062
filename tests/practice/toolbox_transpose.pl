# Toolbox, transpose: what each exercise says as it is given, and of typical wrong answers, which
# are edits of its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. wavefronts of one load of a column: no answer yet/,
        wrong => [
            'as if there were no padding' => sub {s/\{8/{32/}, qr/1\..* not 32: so many without padding/,
            'any padding will do'         => sub {s/\{8/{1/}, qr/1\..* not 1: not any padding will do/,
            'one column'                  => sub {s/256/8/}, qr/2\..* not 8: those are one column's/,
            'stores as loads'             => sub {s/32\}/256}/}, qr/3\..* not 256: a row's floats lie side by side/,
        ],
    },
    '2_four_by_four' => {
        hole  => qr/shuffles and votes: 512, and it should be at most 128/,
        wrong => [
            'gives what it should keep' => sub {s/given = upper \? r\[k\] : r\[k \| m\]/given = upper ? r[k | m] : r[k]/}, qr/answer: .*element/,
            'a swap for each register' => sub {
                s/            if \(k & m\)\n.*?\n//;
                s/float given = .*?r\[k \| m\];\n *float taken = .*?\n.*?\n.*?\n/float taken = __shfl_xor_sync(0xffffffff, r[k ^ m], m);\n            t[k] = bool(k \& m) == upper ? r[k] : taken;\n/s;
                s/float r\[4\];/float r[4], t[4];/;
                s/(t\[k\] = .*?\n        \}\n)/$1        for (unsigned k = 0; k < 4; k++)\n            r[k] = t[k];\n/s;
            }, qr/shuffles and votes: 256, and it should be at most 128 .*a swap is for two/,
            'by shared memory' => sub {
                s/    for \(unsigned m.*?\n    \}\n/    __shared__ float tile[32][128];\n    float *mine = tile[threadIdx.x \/ 32];\n    for (unsigned k = 0; k < 4; k++)\n        mine[32 * k + lane] = r[k];\n    __syncwarp();\n    for (unsigned k = 0; k < 4; k++)\n        r[k] = mine[32 * (lane % 4) + lane - lane % 4 + k];\n/s;
            }, qr/floats of shared memory touched: 8192, and there should be none/,
            'only one round' => sub {s/unsigned m = 2/unsigned m = 1/}, qr/answer: .*element/,
        ],
    },
);
