# Toolbox, vote: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_first' => {
        hole  => qr/answer: .*n = 31.*out\[0\]: expected \d+, got 32/,
        wrong => [
            'the first 16 lanes' => sub {s/ends == 0 \? 32 : __ffs\(ends\) - 1/(ends & 0xffff) ? __ffs(ends & 0xffff) - 1 : ends ? 16 : 32/}, qr/answer: .*expected \d+, got 16/,
            '31 lanes' => sub {s/ && !\(in\[i\] > 0\)\)/$& & 0x7fffffff/}, qr/answer: .*expected 31, got 32/,
            'absent lanes said no' => sub {s/unsigned ends = .*?;/unsigned ends = ~__ballot_sync(0xffffffff, i < n \&\& in[i] > 0);/}, qr/answer: .*expected 32, got \d/,
            'the bit counted from 1' => sub {s/__ffs\(ends\) - 1/__ffs(ends)/}, qr/answer: .*n = 31/,
            'no case for none' => sub {s/ends == 0 \? 32 : //}, qr/answer: .*expected 32, got 4\.29497e\+09/,
            'a vote of those who have one' => sub {s/i < n && !\(in\[i\] > 0\)/!(in[i] > 0)/; s/(    unsigned ends)/    if (i >= n)\n        return;\n$1/}, qr/faults: n = 31, .*names lane 31 in its mask 0xffffffff, but it has returned/,
            'less than 0' => sub {s/!\(in\[i\] > 0\)/in[i] < 0/}, qr/answer: .*expected/,
        ],
    },
    '2_largest' => {
        hole  => qr/shuffles and votes: 640, and it should be at most 128/,
        wrong => [
            'the bits as they are' => sub {s/return bits >> 31.*?;/return bits;/; s/key >> 31 \? .*?\)/key)/}, qr/answer: .*got -/,
            'only the sign flipped' => sub {s/~bits : bits/bits ^ 0x80000000 : bits/; s/: ~key/: key | 0x80000000/}, qr/answer: .*expected -\S+, got -inf/,
            'a cast'                => sub {s/float_of\(__reduce_max_sync\(0xffffffff, key_of\(largest\)\)\)/(float)__reduce_max_sync(0xffffffff, (int)largest)/}, qr/answer: .*expected/,
            'a zero for who has none' => sub {s/-INFINITY/0.0f/}, qr/answer: .*expected -\S+, got 0/,
            'halves as a whole number' => sub {s/    unsigned bits = .*\n.*/    return (unsigned)((int)(x * 2) + 5000);/; s/    return __uint_as_float.*/    return (float)((int)key - 5000) \/ 2;/; s/: -INFINITY/: -2000/}, qr/answer: .*expected/,
        ],
    },
);
