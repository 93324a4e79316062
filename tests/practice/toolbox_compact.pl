# Toolbox, compact: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. elements that are kept: no answer yet/,
        wrong => [
            'an atomic for each warp' => sub {s/48, 108/60, 108/}, qr/2\..* not 60: a warp that keeps nothing adds nothing/,
            'one for each block'      => sub {s/48, 108/12, 108/}, qr/2\..* not 12: those would be one for each block/,
            'only they vote'          => sub {s/108/96/}, qr/3\..* not 96: all warps vote/,
        ],
    },
    '2_in_order' => {
        hole  => qr/barriers: 272, and it should be at most 16/,
        wrong => [
            'at most 30 before' => sub {s/(__popc\(keepers & .*?\));/$1 % 31;/}, qr/race in global memory|answer: /,
            'no barrier'               => sub {s/\n *__syncthreads[^\n]*//}, qr/faults: .*shared memory/,
            'its own bit, too'         => sub {s/\(1u << lane\) - 1/(2u << lane) - 1/}, qr/answer: .*n = 31/,
            'its own warp, too'        => sub {s/w < warp;/w <= warp;/}, qr/answer: /,
            'only the warp'            => sub {s/    for \(unsigned w.*?\n.*?\n//}, qr/faults: .*write-write race in global memory/,
            'an atomic for each block' => sub {
                s/    if \(lane == 0\)\n.*?\n    __syncthreads\(\);\n.*?\n.*?\n/    if (threadIdx.x == 0)\n        counts[0] = 0;\n    __syncthreads();\n    unsigned at = 0;\n    if (lane == 0)\n        at = atomicAdd(\&counts[0], __popc(keepers));\n    before += __shfl_sync(0xffffffff, at, 0);\n    (void)warp;\n/s;
            }, qr/(?:five schedules|atomics: 128, and there should be none)/,
            'half a warp at a time' => sub {s/    if \(x > 0\)\n        out/    for (unsigned half = 0; half < 2; half++, __syncwarp())\n        if (x > 0 && lane \/ 16 == half)\n            out/}, qr/store requests: 256, and it should be at most 128/,
        ],
    },
);
