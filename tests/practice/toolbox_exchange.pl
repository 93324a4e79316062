# Toolbox, exchange: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. thread 60 gets, from __shfl_sync: no answer yet/,
        wrong => [
            'keeps its own beyond the warp' => sub {s/\{43/{61/}, qr/1\..* not 61: it does not keep its own/,
            'down goes round'               => sub {s/61/43/}, qr/2\..* not 43: a shuffle down does not go round/,
            'down brings a zero'            => sub {s/61/0/}, qr/2\..* not 0: no zero/,
            'xor adds'                      => sub {s/51\}/43}/}, qr/3\..* not 43: its bits are flipped, not added/,
        ],
    },
    '2_rotate' => {
        hole  => qr/answer: .*n = 31, .*out\[30\]: .*element 0 is missing/,
        wrong => [
            'the end of the array forgotten' => sub {s/i \+ 1 < n \? lane \+ 1 : 0/lane + 1/}, qr/answer: .*n = 31, .*out\[30\]: .*element 0 is missing/,
            'a second shuffle, for the last' => sub {
                s/    float next = .*?\n/    float next = __shfl_down_sync(0xffffffff, value, 1), head = __shfl_sync(0xffffffff, value, 0);\n    next = lane == 31 || i + 1 >= n ? head : next;\n/;
            }, qr/shuffles and votes: 256, and it should be at most 128.*goes round/,
            'only who has an element shuffles' => sub {s/    unsigned lane/    if (i >= n)\n        return;\n    unsigned lane/}, qr/faults: n = 31, .*names lane 31 in its mask 0xffffffff, but it has returned/,
            'the next one loaded' => sub {s/__shfl_sync\(0xffffffff, value, i \+ 1 < n \? lane \+ 1 : 0\)/i < n ? in[i + 1 < n \&\& lane < 31 ? i + 1 : i - lane] : 0/}, qr/shuffles and votes: 0, and it should be at least 128/,
            'loaded once more' => sub {s/i \+ 1 < n \? lane \+ 1 : 0/i + 1 < n ? lane + 1 : 0) + 0 * (i + 1 < n ? in[i + 1] : 0/}, qr/floats loaded: 81\d\d, and it should be at most 4096/,
        ],
    },
);
