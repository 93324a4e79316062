# Lesson 12: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. n ones in half: no answer yet/,
        wrong => [
            'half and bfloat16 swapped' => sub {s/\{2048/{256/}, qr/1\..* not 256: a bfloat16 is stuck there/,
            'not a step too early'      => sub {s/ 512,/ 256,/}, qr/2\..* not 256: 258 is a bfloat16/,
            'a block is stuck as a thread' => sub {s/ 8192\}/ 256}/}, qr/3\..* not 256: there a thread is stuck/,
        ],
    },
    '2_too_late' => {
        hole  => qr/answer: .*: the sum, in units of 2\^27 \(32 bits end at 16\): expected /,
        wrong => [
            'floats add' => sub {s/long long sum = 0;/float sum = 0;/; s/sum \+= in\[i\]/sum += (float)in[i]/; s/sum = warp_total\(sum\)/long long total = warp_total((long long)sum)/; s/\(word\)sum/(word)total/}, qr/answer: /,
            'only in the loop'     => sub {s/long long warp_total\(long long/int warp_total(int/}, qr/answer: .*in units of 2\^27/,
            'only after the loop' => sub {s/    long long sum = 0;/    int sum = 0;/}, qr/answer: .*in units of 2\^27/,
            'without a sign'       => sub {s/    long long sum = 0;/    unsigned sum = 0;/}, qr/answer: .*in units of 2\^27/,
            'an atomic for each'   => sub {s/        sum \+= in\[i\];/        atomicAdd(out, (word)(long long)in[i]);/}, qr/atomics: 4112, and it should be at most 16/,
        ],
        stays => [
            'doubles' => sub {s/long long sum = 0;.*/double sum = 0;/; s/warp_total\(sum\)/warp_total((long long)sum)/; s/\(word\)sum/(word)(long long)sum/}, qr/^there is a double in your file: the task forbids it/,
            'a number that is a double' => sub {s/long long sum = 0;.*/auto sum = 0.;/; s/warp_total\(sum\)/warp_total((long long)sum)/; s/\(word\)sum/(word)(long long)sum/}, qr/^there is a double in your file/,
            'smaller integers' => sub {s/\(int\)in\[i\] \* \(1 << 27\) \+ 1;/(int)in[i];/; s/\*out = .*/*out = (float)(int)*sum;/; s/long long sum = 0;/int sum = 0;/}, qr/^make_large\(\) stays as it is/,
        ],
    },
    '3_two_in_a_word' => {
        hole  => qr/answer: .*n = 31, .*got 0: elements 0 to 30 are missing/,
        wrong => [
            'not ours'              => sub {s/    if \(2 \* k \+ 1 == n\)\n.*\n//}, qr/answer: .*n = 31, .*got NaN/,
            'nothing cleared'       => sub {s/pair & 0xffff0000\)/pair)/}, qr/answer: .*no sum of these elements/,
            'the lower half twice'  => sub {s/pair & 0xffff0000/pair << 16/}, qr/answer: .*element.* counted twice/,
            'a word for each thread, n threads' => sub {s/2 \* k < n \? pairs\[k\]/k < n ? pairs[k]/}, qr/faults: .*reads 4 bytes/,
            'an atomic for each lane' => sub {s/    sum = warp_sum\(sum\);\n    if \(threadIdx.x % 32 == 0\)/    if (2 * k < n)/}, qr/atomics: 2049, and it should be at most 72/,
            'a word is loaded for each half' => sub {s/__uint_as_float\(pair & 0xffff0000\)/(2 * k + 1 < n ? __uint_as_float(((const volatile unsigned *)pairs)[k] & 0xffff0000) : 0.0f)/}, qr/load requests: \d+, and it should be at most 194/,
            'half a warp at a time' => sub {
                s/    unsigned pair = .*/    unsigned pair = 0;\n    for (unsigned half = 0; half < 2; half++) {\n        __syncwarp();\n        if (threadIdx.x \/ 16 % 2 == half && 2 * k < n)\n            pair = pairs[k];\n    }/;
            }, qr/load requests: \d+, and it should be at most 194/,
            'the last warp loads its lanes full' => sub {
                s/    unsigned pair = .*/    size_t words = (n + 1) \/ 2;\n    unsigned word = k < (words + 31) \/ 32 * 32 ? pairs[k < words ? k : words - 1] : 0;\n    unsigned pair = 2 * k < n ? word : 0;/;
            }, qr/floats loaded: \d+, and it should be at most 6146/,
        ],
    },
    '4_wide_loads' => {
        hole  => qr/load requests: \d+, and it should be at most 147/,
        wrong => [
            'any start is aligned' => sub {s/head = .*?;/head = 0;/}, qr/faults: .*(?:misaligned|multiple of 16|16 bytes)/,
            'no tail'              => sub {s/    if \(first < tail\)\n.*\n//}, qr/answer: .*element.* missing/,
            'no head'              => sub {s/    if \(first < head\)\n.*\n//}, qr/answer: .*element.* missing/,
            'the first warp loads its lanes full' => sub {
                s/    if \(first < tail\)\n.*\n/    if (first < 32 && first < n) {\n        float edge = __half2float(in[n - 1 - first]);\n        sum += first < tail ? edge : 0.0f;\n    }\n/;
            }, qr/floats loaded: \d+, and it should be at most 6147/,
            'a head beyond the end' => sub {s/to_boundary < n \? to_boundary : n;/to_boundary;/}, qr/(?:faults|answer): /,
            '8 bytes a load'       => sub {s/uint4/uint2/g; s/% 16\) % 16/% 8) % 8/; s/% 16\)/% 8)/; s/\(n - head\) \/ 8/(n - head) \/ 4/; s/\(n - head\) % 8/(n - head) % 4/; s/16 - /8 - /; s/m < 8/m < 4/}, qr/load requests: \d+, and it should be at most 147/,
            'eight halves are added in half' => sub {s/        for \(int m = 0; m < 8; m\+\+\)\n.*/        __half all = member[0];\n        for (int m = 1; m < 8; m++)\n            all = __hadd(all, member[m]);\n        sum += __half2float(all);/}, qr/answer: /,
        ],
        stays => [
            'aligned by launch()' => sub {s/size_t before = n % 8;/size_t before = 0;/; s/head = .*?;/head = 0;/; s/size_t to_boundary = .*\n//}, qr/^launch\(\) stays as it is/,
        ],
    },
);
