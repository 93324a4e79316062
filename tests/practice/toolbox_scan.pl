# Toolbox, scan: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. thread 0 gets: no answer yet/,
        wrong => [
            'lane 0 is left alone'    => sub {s/\{16/{1/}, qr/1\..* not 1: that is what it should have/,
            'one round for lane 1'    => sub {s/ 24,/ 3,/}, qr/2\..* not 3: that is right after the first round/,
            'the sum of a whole warp' => sub {s/392/528/}, qr/3\..* not 528: that is the sum of 32 lanes/,
            'all are wrong'           => sub {s/392/784/}, qr/3\..* not 784: that is too much/,
        ],
    },
    '2_one_barrier_a_round' => {
        hole  => qr/faults: n = 31, blocks of 64: .*read-write race in shared memory/,
        wrong => [
            'two barriers in each round' => sub {
                s/        smem\[!now\].*?\n.*?\n/        float x = tid >= d ? smem[0][tid - d] : 0.0f;\n        __syncthreads();\n        smem[0][tid] += x;\n/;
            }, qr/barriers: 272, and it should be at most 144 .*right, but/,
            'only those who add are copied' => sub {s/smem\[!now\]\[tid\] = (smem\[now\]\[tid\]) \+ \(tid >= d \? (.*?) : 0.0f\);/if (tid >= d)\n            smem[!now][tid] = $1 + $2;/}, qr/(?:faults|answer): .*(?:no thread|element|read)/,
            'no barrier before the first round' => sub {s/\n    __syncthreads\(\);//}, qr/faults: .*shared memory/,
            'the half that was written last, forgotten' => sub {s/out\[i\] = smem\[now\]/out[i] = smem[0]/}, qr/answer: .*blocks of (?:256|32).*element/,
        ],
    },
    '3_tile_by_tile' => {
        hole  => qr/answer: .*n = 33, blocks of 64: .*elements 0 to 31 are missing/,
        wrong => [
            'a fast warp in the next tile' => sub {s/\n *__syncthreads\(\); \/\*[^\n]*//}, qr/faults: .*race in shared memory/,
            'each tile for itself' => sub {s/float before = carry;/float before = 0.0f;/}, qr/answer: .*elements 0 to 63 are missing/,
            'its own warp, too'    => sub {s/w < warp \?/w <= warp ?/}, qr/answer: .*counted twice/,
            'what was before, from memory' => sub {s/float before = carry;/float before = first > 0 ? out[first - 1] : 0.0f;/}, qr/floats loaded: \d+, and it should be at most 4096/,
        ],
    },
);
