# Lesson 11: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. the depth in a thread: no answer yet/,
        wrong => [
            'the loop alone'         => sub {s/\{10/{8/}, qr/1\..* not 8: that is too little/,
            'one addition after another' => sub {s/\{10/{32/}, qr/1\..* not 32: that is too much/,
            'the first five shuffles' => sub {s/ 20,/ 15,/}, qr/2\..* not 15: that is too little/,
            'a block for the sum'    => sub {s/ 25\}/ 20}/}, qr/3\..* not 20: that is one block's/,
        ],
    },
    '2_refuse_first' => {
        hole  => qr/faults: n = 31, .*reads 4 bytes at \(nil\): neither device memory/,
        wrong => [
            'no floats refused'    => sub {s/\(in == NULL && n > 0\)/in == NULL/}, qr/answer: .*the sum of no floats, in = NULL: expected 0, got NaN, as before/,
            'floats for bytes'     => sub {s/grid \* sizeof\(float\)\)\n/grid)\n/}, qr/answer: .*(?:what refused calls wrote to \*out, where -1 was|the status for a workspace one byte too small): expected -?\d+, got /,
            'a crooked workspace'  => sub {s/ \|\| \(uintptr_t\)workspace % 4//}, qr/faults: .*misaligned/,
            'begun, then refused'  => sub {s/(    if \(bytes.*\n.*\n)(    sum_blocks.*\n)/$2$1/}, qr/launches: 5, and it should be at most 4 /,
            'out is taken as it is' => sub {s/ \|\| out == NULL//}, qr/(?:answer|faults): /,
            'a crooked out' => sub {s/ \|\| \(uintptr_t\)out % 4//}, qr/(?:answer|faults): /,
        ],
        stays => [
            'another user' => sub {s/said\[8\] = sum\(.*/said[8] = MISALIGNED;/; s/ \|\| \(uintptr_t\)out % 4//}, qr/^launch\(\) stays as it is/,
            'another kernel' => sub {s/out\[blockIdx.x\] = sum;/out[blockIdx.x] = sum + 0.0f;/}, qr/^sum_blocks\(\) stays as it is/,
        ],
    },
    '3_plan' => {
        hole  => qr/launches: 2, and it should be at most 1 /,
        wrong => [
            'one too many at multiples' => sub {s/\(n \+ 1023\) \/ 1024/n \/ 1024 + 1/}, qr/blocks: 9, and it should be at most 8 \(n = 8192, blocks of 256\)/,
            '4 SMs' => sub {s/8 \* sms/32/}, qr/answer: .*the blocks for 2\^43 floats and more: expected 40, got 32/,
            'none for no floats'   => sub {s/    if \(n <= 4096\)/    if (n > 0 && n <= 4096)/}, qr/answer: .*n = 0, .*CUDA refuses the launch/,
            '32 bits first'        => sub {s/size_t blocks = \(n \+ 1023\) \/ 1024/unsigned blocks = (unsigned)((n + 1023) \/ 1024)/}, qr/answer: .*the blocks for 2\^43 floats and more: expected \d+, got 0/,
            'rounded down'         => sub {s/\(n \+ 1023\) \/ 1024/n \/ 1024/}, qr/blocks: 4, and it should be at least 5 /,
            'no upper limit'       => sub {s/blocks < most \? blocks : most/blocks/}, qr/(?:faults|answer): /,
            'a table of the large one' => sub {s/    size_t blocks = /    if (n == (size_t)1 << 43)\n        return 8 * sms;\n    unsigned blocks = /; s/= \(n \+ 1023\) \/ 1024/= (unsigned)((n + 1023) \/ 1024)/}, qr/answer: .*the blocks for 2\^43 floats and more: expected/,
            'as if there were at most 6 SMs' => sub {s/8 \* sms/8 * (sms < 6 ? sms : 6)/}, qr/answer: .*the blocks for 2\^43 floats and more: expected/,
        ],
        stays => [
            'the plan of 2^43 in launch()' => sub {s/float many = .*/float many = 8.0f * (4 + n % 5);/; s/size_t blocks = /unsigned blocks = (unsigned)/}, qr/^launch\(\) stays as it is/,
        ],
    },
    '4_segments' => {
        hole  => qr/answer: the sum of each segment: n = 31, .*out\[1\]: expected .* got 0: element 0 is missing/,
        slack => { 'load sectors' => 200 },
        wrong => [
            'lanes shuffle in the loop' => sub {s/        sum \+= in\[i\];\n    sum = warp_sum\(sum\);.*/        sum += warp_sum(in[i]);/}, qr/faults: n = 31, .*mask 0xffffffff/,
            'a thread for each'         => sub {s/\/ 32, lane = threadIdx\.x % 32/, lane = 0/; s/i \+= 32/i++/; s/    sum = warp_sum\(sum\);.*\n//}, qr/only \d+ of the threads load/,
            'one lane works'            => sub {s/\+ lane; i < end; i \+= 32/; i < end && lane == 0; i++/}, qr/load sectors: \d+, and it should be at most 1183 /,
            'an atomic for each lane'   => sub {s/    sum = warp_sum\(sum\);.*\n    if \(lane == 0\)\n        out\[warp\] = sum/    if (lane == 0)\n        out[warp] = 0.0f;\n    __syncwarp();\n    atomicAdd(&out[warp], sum)/}, qr/atomics: \d+, and there should be none /,
            'the last one forgotten'    => sub {s/warp >= segments/warp + 1 >= segments/}, qr/answer: .*it was never written/,
            'neighbours for each lane' => sub {s/    size_t end = begin\[warp \+ 1\];/    size_t first = begin[warp], end = begin[warp + 1], each = (end - first + 31) \/ 32;/; s/size_t i = begin\[warp\] \+ lane; i < end; i \+= 32/size_t i = first + lane * each; i < end && i < first + (lane + 1) * each; i++/}, qr/load sectors: \d+, and it should be at most 1183/,
            'half of the lanes' => sub {s/\+ lane; i < end; i \+= 32/+ lane; lane < 16 && i < end; i += 16/}, qr/load sectors beyond the first of each request: \d+, and it should be at least 494/,
            'segments of a length that is a guess' => sub {s/size_t end = begin\[warp \+ 1\];/size_t end = warp + 1 == segments ? begin[warp + 1] : begin[warp] + warp;/}, qr/answer: |faults: /,
        ],
    },
);
