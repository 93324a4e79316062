# Lesson 01: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. load requests of one block: no answer yet/,
        wrong => [
            'lanes for requests'     => sub {s/47/255/}, qr/1\..* not 255: so many lanes load/,
            'the barriers of a block' => sub {s/224/7/}, qr/2\..* not 7: those are the barriers of one block/,
            'stores for additions'   => sub {s/4064/4096/}, qr/3\..* not 4096: each block has one store that adds nothing/,
        ],
    },
    '2_half_a_barrier' => {
        hole  => qr/faults: n = 31, blocks of 64: .*waits at __syncthreads\(\), but thread \d+ has returned/,
        wrong => [
            'wrong for blocks of 128' => sub {s/tid == 0\)/tid == 0 && blockDim.x != 128)/}, qr/answer: .*blocks of 128: .*never written/,
            'atomics, but for blocks of 256' => sub {s/^extern.*?\{\n.*?\n/__global__ void one_each(const float *in, float *out, size_t n, unsigned share)\n{\n    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        atomicAdd(&out[i \/ share], in[i]);\n}\n$&    if (block != 256) {\n        cudaMemset(partial, 0, grid * 4);\n        one_each<<<grid, block>>>(in, partial, n, block);\n        return;\n    }\n/ms}, qr/atomics: 31, and there should be none \(n = 31, blocks of 64\)|barriers: 0, and it should be at least 64/,
            'no barrier at all' => sub {s/\n *__syncthreads[^\n]*//}, qr/faults.*race in global memory/,
            'one after the loop' => sub {s/(\n *__syncthreads[^\n]*)(\n    \})/$2$1/}, qr/faults.*race in global memory/,
            'two in each round' => sub {s/(\n *__syncthreads\(\);)/$1$1/}, qr/barriers: 256, and it should be at most 128/,
        ],
    },
    '3_the_last_block' => {
        hole  => qr/faults: n = 31, blocks of 64: .*reads 4 bytes at byte 124 of an allocation of 124/,
        wrong => [
            'the left one guarded' => sub {s/index \+ stride < count/index < count/}, qr/faults: n = 31.*reads 4 bytes/,
            'n = 0 forgotten'      => sub {s/count > 0 \? idata\[0\] : 0.0f/idata[0]/}, qr/faults: n = 0, .*reads 4 bytes/,
            'the array guarded, not the share' =>
                sub {s/index \+ stride < count/begin + index + stride < n/}, qr/(?:faults.*race|answer: .*there and should not be)/,
        ],
    },
    '4_alternate' => {
        hole  => qr/answer: .* n = 31, .*elements 1 to 30 are missing/,
        wrong => [
            'minus in each round' => sub {s/stride == 1 \? -right : right/-right/}, qr/answer: .*element.* (?:are|is) (?:added, not subtracted|subtracted, not added)/,
            'no minus'            => sub {s/stride == 1 \? -right : right/right/}, qr/answer: .*elements 1, 3, 5 and 12 more are added, not subtracted/,
            'no barrier'          => sub {s/\n *__syncthreads[^\n]*//}, qr/faults.*race in global memory/,
        ],
    },
);
