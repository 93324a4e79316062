# Toolbox, softmax: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_used_twice' => {
        hole  => qr/faults: .*race in shared memory/,
        wrong => [
            'a third barrier'       => sub {s/, sums\[32\]//; s/sums/maxima/g; s/(    float power)/    __syncthreads();\n$1/}, qr/barriers: 48, and it should be at most 32 .*two for each of 16 blocks are enough/,
            'a barrier of the warp' => sub {s/, sums\[32\]//; s/sums/maxima/g; s/(    float power)/    __syncwarp();\n$1/}, qr/faults: .*race in shared memory/,
            'no second barrier'     => sub {s/(sums\[warp\] = sum;\n) *__syncthreads\(\);\n/$1/}, qr/faults: .*shared memory/,
        ],
    },
    '2_one_barrier' => {
        hole  => qr/barriers: 32, and it should be at most 16/,
        wrong => [
            'a number that is large enough for the maximum' => sub {s/float mine = warp_max\(x\)/float mine = 132.0f/}, qr/answer: .*got/,
            'a warp without elements' => sub {s/mine > -INFINITY \? (exp2f\(x - mine\)) : 0.0f/$1/}, qr/answer: .*n = 31, .*got NaN/,
            'the powers not mended'   => sub {s/power \* exp2f\(mine - max\) \/ sum/power \/ sum/}, qr/answer: .*expected/,
            'the sums not mended'     => sub {s/sums\[lane\] \* exp2f\(maxima\[lane\] - max\)/sums[lane]/}, qr/answer: .*expected/,
            'mended the other way'    => sub {s/exp2f\(mine - max\)/exp2f(max - mine)/}, qr/answer: .*expected/,
            'no maximum at all'       => sub {s/float mine = warp_max\(x\)/float mine = 0.0f/}, qr/answer: .*got (?:NaN|inf|0)/,
            'no barrier'              => sub {s/\n *__syncthreads\(\);//}, qr/faults: .*shared memory/,
        ],
    },
);
