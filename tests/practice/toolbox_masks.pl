# Toolbox, masks: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_the_last_round' => {
        hole  => qr/faults: n = 31, .*names lane 31 in its mask 0xffffffff, but it has returned/,
        wrong => [
            'a zero for who has none, and a tree in each round' => sub {
                s/    float sum = 0.0f;\n.*?\n.*?\n.*?\n/    for (size_t i = first; i - threadIdx.x % 32 < n; i += stride) {\n    float sum = i < n ? in[i] : 0.0f;\n/s;
                s/(atomicAdd\(out, sum\);\n)/$1    }\n/;
            }, qr/shuffles and votes: 640, and it should be at most 160 .*one for each of 32 warps is enough/,
            'the mask of who is here' => sub {
                s/    float sum = 0.0f;\n.*?\n.*?\n.*?\n/    for (size_t i = first; i < n; i += stride) {\n    float sum = in[i];\n    unsigned mask = __activemask();\n/s;
                s/0xffffffff/mask/;
                s/(atomicAdd\(out, sum\);\n)/$1    }\n/;
            }, qr/faults: n = 31, .*reads lane 31, which/,
            'all lanes add theirs' => sub {s/\n    if \(threadIdx.x % 32 == 0\)//}, qr/answer: .*element/,
            'an atomic for each lane' => sub {s/    for \(int offset.*?\n.*?\n    if \(threadIdx.x % 32 == 0\)\n//s}, qr/atomics: 1024, and it should be at most 32/,
            'one block' => sub {s/<<<4, block>>>/<<<1, block>>>/}, qr/blocks: 1, and it should be at least 4/,
            'as whole numbers' => sub {s/float sum = 0.0f/int sum = 0/}, qr/answer: .*expected -?\d*\.\d/,
        ],
    },
    '2_who_is_here' => {
        hole  => qr/faults, five schedules: n = 1000, .*: elements? \d.* missing/,
        wrong => [
            'the full mask, in the branch' => sub {s/__ballot_sync\(0xffffffff, i < n\)/0xffffffff/}, qr/faults: n = 31, .*names lane 31 in its mask 0xffffffff, but it has returned/,
            'the vote in the branch' => sub {s/(    unsigned mask = .*?\n)(    if \(i < n\) \{\n)/$2$1/}, qr/faults: n = 31, .*__ballot_sync\(\) names lane 31/,
            'activemask before the branch' => sub {s/__ballot_sync\(0xffffffff, i < n\)/__activemask()/}, qr/faults.*: .*(?:lane \d+|missing)/,
            'each lane for itself' => sub {s/if \(threadIdx.x % 32 == 0\)//; s/sum_over\(mask, in\[i\]\)/(void(mask), in[i])/}, qr/atomics: 1000, and it should be at most 32/,
            'every fourth lane loads four' => sub {s/in\[i\]\);/four);/; s/        float sum = sum_over/        float four = 0.0f;\n        for (size_t k = i; threadIdx.x % 4 == 0 && k < i + 4 && k < n; k++)\n            four += in[k];\n$&/}, qr/threads that load: 250, and it should be at least 1000/,
        ],
    },
    '3_one_for_both' => {
        hole  => qr/shuffles and votes: 1024, and it should be at most 512 .*both halves can come to the same shuffle/,
        wrong => [
            '-9 in place of -INFINITY' => sub {s/ : -INFINITY/ : n - (i - lane) <= 16 ? -INFINITY : -9.0f/}, qr/answer: .*got -9/,
            'the full mask in two branches' => sub {
                s/    for \(int m.*?\n    \}\n/    if (lower)\n        for (int m = 8; m > 0; m \/= 2)\n            value += __shfl_xor_sync(0xffffffff, value, m);\n    else\n        for (int m = 8; m > 0; m \/= 2)\n            value = fmaxf(value, __shfl_down_sync(0xffffffff, value, m, 16));\n/s;
            }, qr/faults: .*with mask 0xffffffff, while lane \d+ is at __shfl_/,
            'half the mask where all come' => sub {s/0xffffffff/0x0000ffff/}, qr/faults: .*does not name the calling lane 16/,
            'a swap of the halves'         => sub {s/int m = 8/int m = 16/}, qr/answer: .*n = 31.*out\[0\]/,
            'a zero for the largest'       => sub {s/lower \? 0.0f : -INFINITY/0.0f/}, qr/answer: .*expected -\S+, got 0/,
        ],
    },
);
