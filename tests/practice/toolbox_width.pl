# Toolbox, width: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. thread 47 gets, from __shfl_sync: no answer yet/,
        wrong => [
            'keeps its own'            => sub {s/\{41/{48/}, qr/1\..* not 48: it does not keep its own/,
            'over the edge'            => sub {s/\{41/{49/}, qr/1\..* not 49: that is in the next part/,
            'down goes round'          => sub {s/, 48,/, 41,/}, qr/2\..* not 41: a shuffle down does not go round/,
            'no earlier part is read'  => sub {s/40\}/48}/}, qr/3\..* not 48: an earlier part may be read/,
        ],
    },
    '2_sums_of_four' => {
        hole  => qr/shuffles and votes: 256, and it should be at most 96/,
        wrong => [
            'other loads' => sub {s/(__global__ void sums_of_four.*?\n\{\n).*?\n\}\n/$1    size_t j = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    float sum = 0;\n    for (size_t i = 4 * j; i < 4 * j + 4 && i < n; i++)\n        sum += in[i];\n    if (4 * j < n)\n        out[j] = sum;\n}\n/s},
            qr/shuffles and votes: 0, and it should be at least 96/,
            'keeps what it gives away' => sub {s/given = upper \? r\[k\] : r\[k \+ m\]/given = upper ? r[k + m] : r[k]/}, qr/answer: .*element/,
            'each sum at the place of its lane' => sub {s/lane % 4 \* 8 \+ lane \/ 4;/lane;/}, qr/answer: .*out\[1\]/,
            'both give all' => sub {s/k < m; k\+\+\) \{.*?\n.*?\n        \}/k < 4; k++)\n            r[k] += __shfl_xor_sync(0xffffffff, r[k], m);\n        (void)upper;/s; s/r\[0\];/lane % 4 == 0 ? r[0] : lane % 4 == 1 ? r[1] : lane % 4 == 2 ? r[2] : r[3];/}, qr/shuffles and votes: 256, and it should be at most 96/,
            'no guard at the end' => sub {s/    if \(4 \* sum < n\)\n    //}, qr/faults: .*writes 4 bytes/,
        ],
    },
);
