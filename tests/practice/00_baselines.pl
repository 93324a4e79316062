# Lesson 00: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. element 5 in the end: no answer yet/,
        wrong => [
            'three times is times 6'  => sub {s/48/36/}, qr/1\..* not 36: doubled three times is not times 6/,
            'one launch'              => sub {s/48/12/}, qr/1\..* not 12: that is once/,
            'each launch reaches all' => sub {s/2512/3000/}, qr/4\..* not 3000: not every launch has a thread for each/,
            'threads for elements'    => sub {s/2512/3072/}, qr/4\..* not 3072: threads, yes/,
        ],
    },
    '2_refused' => {
        hole  => qr/1\. calls that return an error: no answer yet/,
        wrong => [
            'the error stays'              => sub {s/\{1, 3/{2, 3/}, qr/1\..* not 2: cudaGetLastError\(\) forgets/,
            'who waits, hears of it'       => sub {s/1, 3/1, 1/}, qr/2\..* not 1: it waits for what runs/,
            'the refused one did its work' => sub {s/4\}/8}/}, qr/3\..* not 8: a launch that is refused/,
            'all ends with an error'       => sub {s/4\}/2}/}, qr/3\..* not 2: the third launch was not refused/,
        ],
    },
    '3_first_program' => {
        hole  => qr/faults: n = 31, .*reads global memory that no thread or copy has written; the kernel's line is right: what does launch\(\) give it/,
        wrong => [
            'a launch of no blocks' => sub {s/    if \(grid > 0\).*?\n//}, qr/answer: .*n = 0, .*CUDA refuses the launch/,
            'blocks for threads'    => sub {s/<<<grid, block>>>/<<<block, grid>>>/}, qr/answer: .*n = 40000, .*CUDA refuses the launch: invalid configuration argument/,
            'rounded down'          => sub {s/\(n \+ block - 1\) \/ block/n \/ block/}, qr/answer: .*n = 31, .*not 0 even|answer: .*n = 31, .*counted 0\.5 times/,
        ],
    },
    '4_roof' => {
        hole  => qr/answer: .*the kernel read 0 floats of 31: all have to go through it/,
        wrong => [
            'each block the first ones' => sub {s/value = in\[i\]/value = in[threadIdx.x]/}, qr/all read: element \d+ of \d+ is not read/,
            'always the first' => sub {s/value = in\[i\]/value = in[0]/}, qr/all read: element \d+ of \d+ is not read/,
            'every second twice' => sub {s/value = in\[i\]/value = in[i \/ 2]/}, qr/all read: element \d+ of \d+ is not read/,
            'a copy'               => sub {s/    if \(value == 0.5f\).*?\n        out\[0\]/    if (i == 0)\n        out[0]/s}, qr/floats (?:loaded|stored): 1, and there should be none|read 1 floats of|floats stored: 1,/,
            'one that is ordinary' => sub {s/value == 0.5f/value == 5.0f/}, qr/faults: .*race|floats stored: \d+, and there should be none/,
            'read twice'           => sub {s/        value = in\[i\];/        value = in[i] + in[n - 1 - i];/}, qr/floats loaded: 8192, and it should be at most 4096/,
        ],
    },
);
