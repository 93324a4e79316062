# Lesson 08: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. float4 in the body: no answer yet/,
        wrong => [
            'no head'               => sub {s/\{499/{500/}, qr/1\..* not 500: that is too much/,
            'four sectors for each' => sub {s/267/68/}, qr/3\..* not 68: four would do for 4 bytes a lane/,
            '16 sectors for each'   => sub {s/267/272/}, qr/3\..* not 272: not each request has 32 lanes/,
            'floats for requests'   => sub {s/17/2001/}, qr/2\..* not 2001: so many floats; a request is a warp's/,
        ],
    },
    '2_any_start' => {
        hole  => qr/faults: n = \d+, .*in\[\] not aligned: .*reads 16 bytes at an address that is no multiple of 16: misaligned/,
        wrong => [
            'wrong two floats further' => sub {s/float sum = 0.0f;/float sum = to_boundary == 2 ? 1.0f : 0.0f;/}, qr/answer: .*in\[\] not aligned/,
            'one float at a time from an odd start' => sub {
                s/(    if \(i < vectors\) \{\n)(.*?\n.*?\n)    \}\n/    if ((uintptr_t)in % 16 != 0) {\n        for (size_t k = i; k < n; k += (size_t)gridDim.x * blockDim.x)\n            sum += in[k];\n        head = tail = 0;\n    } else if (i < vectors) {\n$2    }\n/s;
            }, qr/load requests: \d+, and it should be at most 33 \(n = 4099, blocks of 256, in\[\] not aligned\)/,
            'rounded down'   => sub {s/in \+ head\)/((uintptr_t)in \/ 16 * 16))/}, qr/(?:faults|answer): .*in\[\] not aligned/,
            'no head longer than the array' => sub {s/size_t head = .*/size_t head = to_boundary;/}, qr/faults: n = \d+, .*(?:reads|endless|stopped)/,
            'the head is not read' => sub {s/if \(i < head \+ tail\).*/if (i >= head && i < head + tail)/}, qr/answer: .*in\[\] not aligned: .*missing/,
            'the first warp loads its lanes full' => sub {
                s/    if \(i < head \+ tail\).*\n        sum \+= .*/    if (i < 32 && i < n) {\n        size_t k = i + (size_t)(i >= head) * (i < head + tail) * (n - tail - head);\n        float edge = ((const volatile float *)in)[k];\n        sum += i < head + tail ? edge : 0.0f;\n    }/;
            }, qr/floats loaded: \d+, and it should be at most 4099 /,
            'a copy that is aligned' => sub {s/    cudaMemset\(out/    static float *copy;\n    if (copy == NULL)\n        cudaMalloc((void **)&copy, 1 << 20);\n    cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);\n    in = copy;\n$&/}, qr/bytes copied within the device: \d+, and there should be none/,
        ],
    },
    '3_four_sums' => {
        hole  => qr/answer: the sums of every fourth element: n = 31, .*elements 0, 4, 8 and 5 more are missing/,
        wrong => [
            'x is always x'         => sub {s/out\[\(p\.head \+ k\) % 4\]/out[k]/}, qr/answer: .*in\[\] not aligned: .*/,
            'no tail'               => sub {s/i < p\.head \+ p\.tail/i < p.head/}, qr/answer: .*n = 31, .*missing/,
            'an atomic for each'    => sub {s/warp_sum\(v\.(.)\)/v.$1/g; s/threadIdx\.x % 32 == 0/i < p.vectors/}, qr/atomics: \d+, and it should be at most 163 /,
            'a float at a time'     => sub {s/(    if \(i < p\.vectors\)\n)        v = body\[i\];/    const float *f = (const float *)body;\n$1        v = {f[4 * i], f[4 * i + 1], f[4 * i + 2], f[4 * i + 3]};/}, qr/load requests: \d+, and it should be at most 33 /,
            'the first warp loads its lanes full' => sub {
                s/    if \(i < p\.head \+ p\.tail\) \{\n(.*)\n.*\n/    if (i < 32 && i < n) {\n        size_t k = i + (size_t)(i >= p.head) * (i < p.head + p.tail) * (n - p.tail - p.head);\n        float edge = ((const volatile float *)in)[k];\n        if (i < p.head + p.tail)\n            atomicAdd(&out[k % 4], edge);\n/;
            }, qr/floats loaded: \d+, and it should be at most 4099 /,
            'a copy that is aligned' => sub {s/    cudaMemset\(out/    static float *copy;\n    if (copy == NULL)\n        cudaMalloc((void **)&copy, 1 << 20);\n    cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);\n    in = copy;\n$&/}, qr/bytes copied within the device: \d+, and there should be none/,
        ],
    },
    '4_side_by_side' => {
        hole  => qr/load sectors: 16384, and it should be at most 8192 /,
        wrong => [
            'a float at a time' => sub {
                s/v\[k\] = body\[first \+ k \* blockDim\.x\];.*/{\n            const float *f = (const float *)(body + first + k * blockDim.x);\n            v[k] = {f[0], f[1], f[2], f[3]};\n        }/;
            }, qr/load requests: 2048, and it should be at most 512 /,
            'one load each, and more blocks' => sub {s/#define LOADS 4/#define LOADS 1/}, qr/blocks: 64, and it should be at most 16 /,
            'half a warp at a time' => sub {
                s/(    for \(int k = 0; k < LOADS; k\+\+\)\n)(        if )\((.*)\)\n(.*\n)/$1        for (unsigned half = 0; half < 2; half++) {\n            __syncwarp();\n    $2(threadIdx.x \/ 16 % 2 == half && $3)\n        $4        }\n/;
            }, qr/load requests: 1024, and it should be at most 512 /,
            'guarded by the first'  => sub {s/if \(first \+ k \* blockDim\.x < p\.vectors\)/if (first < p.vectors)/}, qr/faults: n = \d+.*reads 16 bytes/,
            'a block\'s width, from its own four' => sub {s/size_t first = .*/size_t first = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * LOADS;/}, qr/answer: .*missing|answer: .*twice/,
            'a copy that is aligned' => sub {s/    cudaMemset\(out/    static float *copy;\n    if (copy == NULL)\n        cudaMalloc((void **)&copy, 1 << 20);\n    cudaMemcpy(copy, in, n * sizeof *copy, cudaMemcpyDeviceToDevice);\n    in = copy;\n$&/}, qr/bytes copied within the device: \d+, and there should be none/,
        ],
    },
);
