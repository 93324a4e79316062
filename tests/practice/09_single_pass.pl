# Lesson 09: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. barriers: no answer yet/,
        wrong => [
            'the last block like the others' => sub {s/66/64/}, qr/1\..* not 64: in each launch one block sums a second time: the last/,
            'all blocks sum twice'           => sub {s/66/96/}, qr/1\..* not 96: only the last block sums a second time/,
            'the array alone'                => sub {s/4032/4000/}, qr/2\..* not 4000: that is too little/,
            'no wrap'                        => sub {s/ 0\}/ 32}/}, qr/3\..* not 32: atomicAdd\(\) would leave that; this one wraps/,
        ],
    },
    '2_who_is_last' => {
        hole  => qr/faults: n = 255, .*read-write race in global memory: .* no barrier of the grid and no flag with fences between/,
        wrong => [
            'only before the draw' => sub {s/\n *__threadfence\(\); \/\* what is[^\n]*//}, qr/faults: .*race in global memory.*, which is half in order: its writer has a fence before the flag, and this thread none after it/,
            'only after the draw' => sub {s/\n *__threadfence\(\); \/\* a block[^\n]*//}, qr/faults: .*race in global memory.*, which is half in order: this thread has a fence after the flag, and its writer none before it/,
            'fences of the block'  => sub {s/__threadfence\(\)/__threadfence_block()/g}, qr/faults: .*race in global memory/,
            'barriers for fences'  => sub {s/\n *__threadfence\(\);[^\n]*//g; s/(    if \(threadIdx\.x == 0\) \{\n.*\n)(.*\n    \}\n)/$1    }\n    __syncthreads();\n    if (threadIdx.x == 0) {\n$2/}, qr/faults: .*race in global memory/,
            'another atomic'       => sub {s/partial\[blockIdx\.x\] = sum/atomicExch(&partial[blockIdx.x], sum)/}, qr/atomics: 32, and it should be at most 16 /,
            'an atomic sum' => sub {s/    if \(threadIdx.x == 0\) \{\n        partial.*?(?=^\})/    if (threadIdx.x == 0)\n        atomicAdd(out, sum);\n/ms; s/    ticket<<</    cudaMemset(out, 0, sizeof *out);\n$&/}, qr/floats stored: 0, and it should be at least 3/,
            'two blocks' => sub {s/size_t grid = .*?;/size_t grid = 2;/; s/float sum = block_sum\(.*/float sum = 0.0f;\n    for (; i < n; i += gridDim.x * blockDim.x)\n        sum += in[i];\n    sum = block_sum(sum);/}, qr/blocks: 2, and it should be at least 4/,
        ],
        stays => [
            'volatile in place of fences' => sub {s/\n        __threadfence\(\).*//g; s/float \*partial, unsigned/volatile float *partial, unsigned/}, qr/^there is a volatile in your file: the task forbids it/,
        ],
    },
    '3_slots' => {
        hole  => qr/answer: .*n = 255, blocks of 64: .*what an earlier launch left\?/,
        wrong => [
            'any epoch will do'   => sub {s/w >> 32 != epoch/w >> 32 == 0/}, qr/answer: .*what an earlier launch left\?/,
            'read twice'          => sub {s/    word w;\n    do\n.*?;\n    while \(w >> 32 != epoch\);/    while (*slot >> 32 != epoch)\n        ;\n    word w = *(word *)slot;/s}, qr/faults: .*race in global memory/,
            'in two halves'       => sub {s/\*slot = .*/((volatile float *)slot)[0] = sum;\n    ((volatile unsigned *)slot)[1] = epoch;/}, qr/faults: .*race in global memory/,
            'by an atomic'        => sub {s/\*slot = (.*);/atomicExch((word *)slot, $1);/}, qr/atomics: 16, and there should be none /,
        ],
    },
    '4_one_atomic' => {
        hole  => qr/atomics: 32, and it should be at most 16 /,
        wrong => [
            'the count above, the sum below' => sub {
                s/\(word\)\(long long\)sum << 20 \| 1/((word)1 << 44) + (word)(long long)sum/; s/\(all & 0xfffff\)/(all >> 44)/; s/\(long long\)all >> 20/(long long)(all & 0xfffffffffff)/;
            }, qr/answer: .*NaN, as before: never written/,
            'not zeroed again' => sub {s/\n *\*total = 0;//}, qr/answer: .*(?:NaN, as before: never written|an earlier launch left)/,
            'without a sign'   => sub {s/\(long long\)all >> 20/all >> 20/}, qr/answer: .*got 1\.7592\d*e\+13/,
            'no count'         => sub {s/ << 20 \| 1/ << 20/}, qr/answer: .*NaN, as before: never written/,
            '12 bits for the count' => sub {s/<< 20 \| 1/<< 12 | 1/; s/0xfffff/0xfff/; s/>> 20/>> 12/}, qr/answer: .*n = 140000, /,
            'an atomic sum of floats' => sub {s/    if \(threadIdx.x > 0\)\n        return;.*?(?=^\})/    if (threadIdx.x == 0)\n        atomicAdd(out, sum);\n/ms; s/    whole_sum<<</    cudaMemset(out, 0, sizeof *out);\n$&/}, qr/floats stored: 0, and it should be at least 1/,
        ],
    },
);
