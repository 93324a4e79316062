# Lesson 04: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. store wavefronts: no answer yet/,
        wrong => [
            'floats for wavefronts'  => sub {s/144/4608/}, qr/1\..* not 4608: so many floats/,
            'all meet'               => sub {s/144, 4/144, 32/}, qr/2\..* not 32: 32 lanes meet if/,
            'the stride'             => sub {s/144, 4/144, 12/}, qr/2\..* not 12: which lanes/,
            'no lanes meet'          => sub {s/144, 4/144, 1/}, qr/2\..* not 1: so it would be with an odd stride/,
            'one request'            => sub {s/48\}/4}/}, qr/3\..* not 4: those are one request's/,
        ],
    },
    '2_used_twice' => {
        hole  => qr/faults: n = 257, blocks of 64: .*race in shared memory/,
        wrong => [
            'no barrier before the tree' => sub {s/(smem\[tid\] = value;)\n *__syncthreads\(\);/$1/}, qr/faults: .*reads shared memory that no thread/,
            'a barrier for those with an element' => sub {s/(        if \(i < n\)) *\n *(out\[i\].*?)\n *__syncthreads\(\);[^\n]*/$1 {\n            $2\n            __syncthreads();\n        }/}, qr/faults: .*(?:waits at __syncthreads|race in shared memory)/,
            'loaded again' => sub {s/out\[i\] = value - /out[i] = in[i] - /}, qr/floats loaded: 8192, and it should be at most 4096/,
            'two more barriers' => sub {s/(        if \(i < n\)\n)/        __syncthreads();\n$1/}, qr/barriers: 176, and it should be at most 160/,
        ],
    },
    '3_moving_sum' => {
        hole  => qr/answer: .*n = 31, .*out\[0\].*elements 1 to 3 are missing/,
        wrong => [
            'from device memory' => sub {s/        sum \+= smem\[tid \+ k\];/        if (i + k >= REACH && i + k - REACH < n)\n            sum += in[i + k - REACH];/}, qr/floats loaded: \d+, and it should be at most 4186/,
            'no barrier'         => sub {s/\n *__syncthreads\(\);//}, qr/faults: .*shared memory/,
            'no room at the ends' => sub {s/\(block \+ 2 \* REACH\) \* sizeof/block * sizeof/}, qr/faults: .*dynamic shared memory; the launch gave it 256/,
            'the neighbours left out' => sub {s/= i >= REACH \? in\[i - REACH\] : 0.0f/= 0.0f/}, qr/answer: .*element.* missing/,
            'the end not guarded' => sub {s/= right < n \? in\[right\] : 0.0f/= in[right]/}, qr/faults: .*reads 4 bytes/,
        ],
    },
    '4_own_row' => {
        hole  => qr/shared load wavefronts: \d+, and it should be at most 256/,
        wrong => [
            'each word read twice'   => sub {s/(        sum \+= (smem\[.*?\]);)/        if (*(volatile float *)&$2 != 1e30f)\n    $1/}, qr/shared load wavefronts: 512, and it should be at most 256/,
            'each word stored twice' => sub {s/(        smem\[PAD\(k\)\]) = in\[begin \+ k\];/        *(volatile float *)&smem[PAD(k)] = *(volatile float *)&smem[PAD(k)] = in[begin + k];/}, qr/shared store wavefronts: 512, and it should be at most 256/,
            'the bytes forgotten' => sub {s/PAD\(share\) \* sizeof/share * sizeof/}, qr/faults: .*dynamic shared memory; the launch gave it 8192/,
            'one side only'       => sub {s/sum \+= smem\[PAD\(k\)\]/sum += smem[k]/}, qr/(?:faults: .*reads shared memory that no thread|answer: .*element)/,
            'two unused words'    => sub {s/\(word\) \/ ROW\)/(word) \/ ROW * 2)/}, qr/shared load wavefronts: 512, and it should be at most 256/,
            'from device memory'  => sub {s/sum \+= smem\[PAD\(k\)\]/sum += in[begin + k]/}, qr/load sectors: \d+, and it should be at most 1024/,
        ],
    },
);
