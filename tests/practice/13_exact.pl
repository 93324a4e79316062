# Lesson 13: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. the accumulator: no answer yet/,
        wrong => [
            'no sign'             => sub {s/\{12/{4/}, qr/1\..* not 4: x is negative: the sign is a bit of it, too/,
            'the power of two'    => sub {s/ 4, / 5, /}, qr/2\..* not 5: that is too much/,
            'a significand of 23' => sub {s/144\}/48}/}, qr/3\..* not 48: that is too little/,
        ],
    },
    '2_no_number' => {
        hole  => qr/answer: .*the kind of infinity \+ NaN \+ 2: expected 1, got 0/,
        wrong => [
            'infinities of both signs' => sub {s/ \|\| \(met & PLUS && met & MINUS\)//}, qr/answer: .*the kind of infinity \+ 1 - infinity: expected 1, got 2/,
            'an infinity goes before a NaN' => sub {s/met & HAS_NAN \|\| \(met & PLUS && met & MINUS\)/(met & PLUS && met & MINUS) || (met & HAS_NAN && !(met & (PLUS | MINUS)))/}, qr/answer: .*the kind of infinity \+ NaN \+ 2: expected 1, got 2/,
            'nothing is -0'       => sub {s/met == MINUS_ZERO/(met & ~MINUS_ZERO) == 0/}, qr/answer: .*the kind of a sum of nothing: expected 0, got 4/,
            '-0 beside 0'         => sub {s/met == MINUS_ZERO/met & MINUS_ZERO/}, qr/answer: .*the kind of -0, 0 and -0: expected 0, got 4/,
            'one sign for both'   => sub {s/x > 0 \? PLUS : MINUS/PLUS/}, qr/answer: .*the kind of -infinity \+ 1 \+ 2: expected 3, got 2/,
            'sums in floats'      => sub {s/    unsigned long long units;/    float units;/; s/atomicAdd\(&total->units, .*\);/atomicAdd(&total->units, in[i]);/; s/\(float\)\(long long\)total->units \/ UNITS/total->units/}, qr/answer: .*2\^40 \+ 2\^-20 - 2\^40: expected 9.53674e-07, got 0/,
        ],
        stays => [
            'a table of the kinds' => sub {s/    float x = out\[threadIdx.x\];\n.*?    out\[threadIdx.x\] = .*?\n/    const float kinds[7] = {1, 2, 3, 1, 4, 0, 0};\n    out[threadIdx.x] = kinds[threadIdx.x];\n/s}, qr/^sum_kinds\(\) stays as it is/,
        ],
    },
    '3_known_range' => {
        hole  => qr/answer: .*n = 31, .*got 0: elements 0 to 30 are missing/,
        wrong => [
            'doubles first'       => sub {s/    word sum = 0;/    double sum = 0;/; s/\(word\)llrintf/llrintf/; s/atomicAdd\(units, sum\)/atomicAdd(units, (word)(long long)sum)/}, qr/answer: .*out\[0\]: expected/,
            '32 bits'             => sub {s/\(word\)llrintf/(int)/}, qr/answer: .*out\[0\]: expected/,
            'a unit too large'    => sub {s/1 << 24/1 << 20/}, qr/answer: .*out\[0\]: expected/,
            'floats first'        => sub {s/    word sum = 0;/    float sum = 0;/; s/\(word\)llrintf\((.*?)\);/$1;/; s/atomicAdd\(units, sum\)/atomicAdd(units, (word)llrintf(sum))/}, qr/answer: .*out\[0\]: expected/,
            'an atomic for each thread' => sub {s/    for \(int offset.*?\n.*?\n    if \(threadIdx.x % 32 == 0\)\n    //}, qr/atomics: 1024, and it should be at most 32/,
            'what is huge is left out' => sub {s/sum \+= \(word\)/sum += fabsf(in[i]) > 0x1p31f ? 0 : (word)/}, qr/answer: .*out\[0\]: expected/,
        ],
    },
    '4_two_banks' => {
        hole  => qr/wavefronts of the worst shared request: 32, and it should be at most 2/,
        slack => { 'floats of shared memory touched' => 8 * 4096 },
        wrong => [
            'a pad'               => sub {s/a\[ACCUMULATORS\]\[MOST_THREADS\]/a[MOST_THREADS][ACCUMULATORS + 1]/; s/a\[([^]]*?)\]\[tid\]/a[tid][$1]/g}, qr/wavefronts of the worst shared request: \d+, and it should be at most 2/,
            'a sum in a register' => sub {s/a\[bits >> 28\]\[tid\] \+= significand\(bits\);/direct += in[i];/; s/(    size_t stride)/    float direct = 0;\n$1/; s/double sum = 0;/double sum = direct;/; s/    for \(int k = 0; k < NEGATIVE; k\+\+\)\n.*\n//; s/    for \(int k = 0; k < ACC.*\n.*\n//}, qr/floats of shared memory touched: 0, and it should be at least 16384/,
            'one set for a block'  => sub {s/a\[bits >> 28\]\[tid\] \+= significand\(bits\);/atomicAdd(&a[bits >> 28][0], significand(bits));/}, qr/faults: .*(?:read|write)-write race in shared memory/,
        ],
    },
);
