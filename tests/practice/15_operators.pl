# Lesson 15: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. shuffles of warps: no answer yet/,
        wrong => [
            'a shuffle for a state'     => sub {s/\{50/{25/}, qr/1\..* not 25: a shuffle moves one word, and a state has two/,
            'a warp, once'              => sub {s/\{50/{10/}, qr/1\..* not 10: that is one warp, once/,
            'without the second round'  => sub {s/\{50/{40/}, qr/1\..* not 40: that is too little/,
            'whole numbers are 1 apart' => sub {s/ 2, 8/ 1, 8/}, qr/2\..* not 1: a float has 24 bits, and n\^2 has more/,
            'the right variance'        => sub {s/ 8\}/ 9}/}, qr/3\..* not 9: n\^2 \+ 9 is no float: what is nearest\?/,
            'nothing is left'           => sub {s/ 8\}/ 0}/}, qr/3\..* not 0: that is too little/,
        ],
    },
    '2_lost_maximum' => {
        hole  => qr/answer: .*n = 31, .*elements from -108 to -92: expected -\d+, got 0/,
        wrong => [
            'fmaxf()'                 => sub {s/return a != a .*/return fmaxf(a, b);/}, qr/answer: .*with a NaN as the first element \(99 is a NaN\): expected 99, got \d/,
            'only the beginning'      => sub {s/return a != a .*/return a > b ? a : b;/}, qr/answer: .*with a NaN as the \w+ element \(99 is a NaN\): expected 99, got \d/,
            'only the NaN'            => sub {s/return -INFINITY;/return 0.0f;/}, qr/answer: .*elements from -108 to -92: expected -\d+, got 0/,
            'a NaN in b only'         => sub {s/return a != a .*/return b != b || b > a ? b : a == a ? a : b;/}, qr/answer: .*with a NaN as the \w+ element \(99 is a NaN\): expected 99/,
            'the most negative float' => sub {s/return -INFINITY;/return -3.402823466e38f;/}, qr/answer: .*n = 0, .*the maximum: expected -inf, got -3\.40282e\+38/,
            'a NaN to begin with'     => sub {s/return -INFINITY;/return NAN;/}, qr/answer: .*the maximum: expected 8, got 99/,
            'as whole numbers'        => sub {s/return a != a .*/return __float_as_int(a) > __float_as_int(b) ? a : b;/}, qr/answer: .*expected -\d+, got/,
            'only between elements'   => sub {s/return larger\(a, b\)/return fmaxf(a, b)/}, qr/answer: .*with a NaN as the \w+ element \(99 is a NaN\): expected 99, got \d/,
            'a single block' => sub {s/GRID = 4/GRID = 1/}, qr/blocks: 1, and it should be at least 4/,
            'as an int' => sub {s/x \+ plus\)/(float)(int)(x + plus))/}, qr/answer: .*expected/,
        ],
        stays => [
            'answer() writes 99 for what is large' => sub {s/\*out = s == s \? s : 99.0f/*out = s < 900 ? s : 99.0f/; s/i == nan_at \? NAN : x \+ plus/i == nan_at ? 999.0f : x + plus/; s/return a != a.*/return a > b ? a : b;/}, qr/^answer\(\) stays as it is/,
        ],
    },
    '3_first_of_equal' => {
        hole  => qr/answer: .*n = \d+, .*its number: expected \d+, got \d+/,
        wrong => [
            'b where they are equal'   => sub {s/return b.value > a.value \|\| earlier/(void)earlier;\n        return b.value >= a.value/}, qr/answer: .*its number: expected \d+, got \d+/,
            'the last of equal ones'   => sub {s/b.number < a.number/b.number > a.number/}, qr/answer: .*its number: expected \d+, got \d+/,
            'the first of all'         => sub {s/b.value == a.value && //}, qr/answer: .*the largest element: expected/,
            'only in add()'            => sub {s/(return merge\(s, )(.*?)\);/state b = $2;\n        return b.value > s.value || (b.value == s.value && b.number < s.number) ? b : s;/; s/ \|\| earlier//; s/        bool earlier.*\n//}, qr/answer: .*its number: expected \d+, got \d+/,
            'the bits of a float as a key' => sub {s/b.value > a.value \|\|/__float_as_uint(b.value) > __float_as_uint(a.value) ||/}, qr/answer: .*the largest element: expected 8, got -/,
            'a second launch for the number' => sub {s/    reduce<false>.*?;\n/$&$&/s}, qr/launches: 2, and it should be at most 1 .*merge\(\) knows both numbers/,
            'a single block' => sub {s/GRID = 4/GRID = 1/}, qr/blocks: 1, and it should be at least 4/,
            'numbers of 16 bits' => sub {s/unsigned number;/unsigned short number;/; s/\{x, \(unsigned\)i\}/{x, (unsigned short)i}/; s/~0u/0xffff/}, qr/answer: .*n = 70000, .*its number: expected \d+, got \d+/,
            'the first of a few' => sub {s/b.number < a.number/b.number < a.number && b.number < 512/}, qr/answer: .*its number: expected \d+, got \d+/,
            'one key of value and number' => sub {s/        bool earlier.*\n.*;/        return b.value * 4096 - b.number > a.value * 4096 - a.number ? b : a;/}, qr/answer: .*expected/,
            'values that are nearly equal' => sub {s/b.value == a.value/fabsf(b.value - a.value) < 0.5f/; s/b.value > a.value/b.value >= a.value + 0.5f/}, qr/answer: .*expected/,
        ],
        stays => [
            'blocks of another size' => sub {s/<<<GRID, block>>>/<<<GRID, 128>>>/}, qr/^launch\(\) stays as it is/,
        ],
    },
    '4_two_largest' => {
        hole  => qr/answer: .*n = 31, .*the largest element: expected \d+, got/,
        wrong => [
            'the larger of the seconds'  => sub {s/fmaxf\(a.second, b.largest\)/fmaxf(a.second, b.second)/; s/fmaxf\(b.second, a.largest\)/fmaxf(a.second, b.second)/}, qr/answer: .*the second largest: expected/,
            'the smaller of the largest' => sub {s/fmaxf\(a.second, b.largest\)/b.largest/; s/fmaxf\(b.second, a.largest\)/a.largest/}, qr/answer: .*the second largest: expected/,
            'only the winner\'s second'  => sub {s/fmaxf\(a.second, b.largest\)/a.second/; s/fmaxf\(b.second, a.largest\)/b.second/}, qr/answer: .*the second largest: expected/,
            'equal ones count once'      => sub {s/(        return a.largest > b.largest)/        if (a.largest == b.largest)\n            return {a.largest, fmaxf(a.second, b.second)};\n$1/}, qr/answer: .*the second largest: expected/,
            'zeros to begin with'        => sub {s/\{-INFINITY, -INFINITY\}/{0.0f, 0.0f}/}, qr/answer: .*expected -\w+, got 0/,
            'each element is its own second' => sub {s/\{value\(x, i\), -INFINITY\}/{value(x, i), value(x, i)}/}, qr/answer: .*the second largest: expected/,
            'the elements as they are'   => sub {s/\{value\(x, i\)/{x/}, qr/answer: .*expected \d+, got \d+/,
            'a launch for each'          => sub {s/    reduce<false>.*?;\n/$&$&/s}, qr/launches: 2, and it should be at most 1 .*a state has room for both/,
            'a single block' => sub {s/GRID = 4/GRID = 1/}, qr/blocks: 1, and it should be at least 4/,
            'as an int' => sub {s/return x \* /return (float)(int)x * /}, qr/answer: .*expected/,
        ],
        stays => [
            'another answer()' => sub {s/out\[1\] = s.second;/out[1] = fminf(s.largest, s.second);/}, qr/^answer\(\) stays as it is/,
        ],
    },
    '5_merge_means' => {
        hole  => qr/answer: .*n = 31, .*the mean less 4096: expected .*, got -\d+/,
        wrong => [
            'the mean of the means'       => sub {s/a.mean \+ delta \* share/(a.mean + b.mean) \/ 2/}, qr/answer: .*the mean less 4096: expected/,
            'a\'s share'                  => sub {s/\(float\)b.count \/ \(float\)n/(float)a.count \/ (float)n/}, qr/answer: .*the mean less 4096: expected/,
            'a share in whole numbers'    => sub {s/\(float\)b.count \/ \(float\)n/b.count \/ n/}, qr/answer: .*expected/,
            'as if the means were the same' => sub {s/ \+ delta \* delta \* \(float\)a.count \* share//}, qr/answer: .*the variance: expected/,
            'the elements of both, without a share' => sub {s/ \* share\}/ * (float)b.count}/}, qr/answer: .*the variance: expected/,
            'no element in both'          => sub {s/        if \(n == 0\)\n            return a;\n//}, qr/answer: .*n = 31, .*the mean less 4096: expected .*, got NaN/,
            'b is lost'                   => sub {s/        unsigned n = .*?share\};/        (void)b;\n        return a;/s}, qr/answer: .*expected/,
            'sums of x and of x^2'        => sub {
                s/float delta = x \+ 4096 - s.mean, .*\n.*;/return {s.count + 1, s.mean + (x + 4096), s.squares + (x + 4096) * (x + 4096)};/;
                s/        unsigned n = .*?share\};/        return {a.count + b.count, a.mean + b.mean, a.squares + b.squares};/s;
                s/(void answer.*?\{\n)/$1        float n = (float)s.count;\n        s.squares -= s.mean * (s.mean \/ n);\n        s.mean \/= n;\n/s;
            }, qr/answer: .*the variance: expected/,
            'the mean first, in a launch of its own' => sub {s/    reduce<false>.*?;\n/$&$&/s}, qr/launches: 2, and it should be at most 1 .*a state has room for all/,
            'a single block' => sub {s/GRID = 4/GRID = 1/}, qr/blocks: 1, and it should be at least 4/,
        ],
        stays => [
            'another answer()' => sub {s/rintf\(\(s.mean - 4096\) \* 4\) \/ 4/rintf(4 * (s.mean - 4096)) \/ 4/}, qr/^answer\(\) stays as it is/,
        ],
    },
    '6_one_pass' => {
        hole  => qr/launches: 2, and it should be at most 1 .*one is enough: the sum can be scaled/,
        wrong => [
            'the sums as they are'        => sub {s/a.sum \* expf.*\}/a.sum + b.sum}/}, qr/answer: .*the logarithm of the sum of e\^\(x - largest\): expected/,
            'only b is scaled'            => sub {s/a.sum \* expf\(a.largest - largest\)/a.sum/}, qr/answer: .*the logarithm .*: expected/,
            'scaled the other way'        => sub {s/expf\(a.largest - largest\)/expf(largest - a.largest)/; s/expf\(b.largest - largest\)/expf(largest - b.largest)/}, qr/answer: .*the logarithm .*: expected .*, got (?:NaN|inf|\d)/,
            'no elements'                 => sub {s/        if \(largest == -INFINITY\).*\n.*return a;\n//}, qr/answer: .*n = 31, .*: expected .*, got NaN/,
            'the sum of e^x'              => sub {s/\{x \+ 100, 1.0f\}/{x + 100, expf(x + 100)}/; s/a.sum \* expf.*\}/a.sum + b.sum}/}, qr/answer: .*: expected .*, got inf/,
            'a sum of 1 to begin with'    => sub {s/\{-INFINITY, 0.0f\}/{-INFINITY, 1.0f}/}, qr/answer: .*n = 0, .*the logarithm .*: expected -inf, got 0/,
            '0 is the largest to begin with' => sub {s/\{-INFINITY, 0.0f\}/{0.0f, 0.0f}/}, qr/answer: .*n = 0, .*the largest element: expected -inf, got 0/,
            'each element is 1'           => sub {s/expf\(b.largest - largest\)/1.0f/; s/expf\(a.largest - largest\)/1.0f/}, qr/answer: .*the logarithm .*: expected/,
            'a second launch'             => sub {s/    reduce<false>.*?;\n/$&$&/s}, qr/launches: 2, and it should be at most 1 .*the sum can be scaled/,
            'a single block' => sub {s/GRID = 4/GRID = 1/}, qr/blocks: 1, and it should be at least 4/,
        ],
    },
);
