# Lesson 10: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. floats stored into another block: no answer yet/,
        wrong => [
            'all warps'                 => sub {s/\{28/{32/}, qr/1\..* not 32: the warps of block 0 store into their own block/,
            'a float for each block'    => sub {s/\{28/{7/}, qr/1\..* not 7: every warp stores, not every block/,
            'the loads alone'           => sub {s/36/32/}, qr/2\..* not 32: those are the loads; some stores stay/,
            'the last sum forgotten'    => sub {s/165/160/}, qr/3\..* not 160: and what has been stored is added up, too/,
        ],
    },
    '2_neighbour_who_left' => {
        hole  => qr/faults: n = 31, .*reads shared memory of block \(1,0,0\), which may not have begun: a cluster\.sync\(\) must come first/,
        wrong => [
            'the first one only'  => sub {s/\n *cluster\.sync\(\); \/\* no block[^\n]*//}, qr/faults: .*which may have ended: it must wait for this at a cluster\.sync\(\)/,
            'the second one only' => sub {s/cluster\.sync\(\); \/\* all have/__syncthreads(); \/* all have/}, qr/faults: .*which may not have begun/,
            'all threads but one leave' => sub {s/    if \(threadIdx\.x == 0\) \{/    if (threadIdx.x > 0)\n        return;\n    {/}, qr/faults: .*(?:deadlock|waits|has returned|never)/,
            'through global memory' => sub {s/mine = sum;/mine = out[blockIdx.x] = sum;/; s/\*cluster\.map_shared_rank\(&mine, rank\)/out[blockIdx.x \/ 8 * 8 + rank]/; s/( *)(out\[blockIdx\.x\] = sum;)\n    \}/    }\n    cluster.sync();\n    if (threadIdx.x == 0)\n$1$2/}, qr/floats loaded: 4224, and it should be at most 4096 |faults: .*race/,
            'a grid of no whole clusters' => sub {s/<<<8 \* clusters/<<<8 * clusters + 1/}, qr/answer: .*CUDA refuses the launch: /,
            'an atomic for the answer' => sub {s/        out\[blockIdx.x\] = sum;/        atomicAdd(&out[blockIdx.x], sum);/; s/    cluster_sums<<</    cudaMemset(out, 0, 8 * clusters * sizeof *out);\n$&/}, qr/atomics: \d+, and there should be none/,
        ],
    },
    '3_neighbours' => {
        hole  => qr/answer: each element and its two neighbours: n = 31, .*element 1 is missing/,
        wrong => [
            'next door by global memory' => sub {s/left = cluster\..*/left = i - 1 < n ? in[i - 1] : 0.0f;/}, qr/floats loaded: \d+, and it should be at most 4096 /,
            'each block for itself'      => sub {s/    else if \(.*\n.*\n//g}, qr/answer: .*element \d+ is missing/,
            'barriers of the block'      => sub {s/cluster\.sync\(\)/__syncthreads()/g}, qr/faults: .*which may not have begun/,
            'no block waits at the end'  => sub {s/\n *cluster\.sync\(\); \/\* no block[^\n]*//}, qr/faults: .*which may have ended/,
            'round and round'            => sub {s/rank > 0\)/rank + 1 > 0)/; s/rank - 1\)/(rank + 7) % 8)/}, qr/answer: .*element \d+ is there and should not be/,
            'everything from another'    => sub {s/left = mine\[tid - 1\]/left = cluster.map_shared_rank(mine, (rank + 1) % 8)[tid] * 0 + mine[tid - 1]/}, qr/floats of other blocks' shared memory touched: \d+, and it should be at most 28 /,
        ],
    },
    '4_once_for_all' => {
        hole  => qr/floats of other blocks' shared memory touched: 28672, and it should be at most 112 /,
        wrong => [
            'a third barrier'        => sub {s/(    cluster\.sync\(\); \/\*)/    cluster.sync();\n$1/}, qr/cluster barriers: 48, and it should be at most 32 /,
            'no block waits for all' => sub {s/    cluster\.sync\(\); \/\*.*\n//}, qr/faults: /,
            'once for each warp'     => sub {s/if \(threadIdx\.x < 32\) \{.*/{/; s/threadIdx\.x < 8 \? \*cluster\.map_shared_rank\(&mine, threadIdx\.x\)/threadIdx.x % 32 < 8 ? *cluster.map_shared_rank(&mine, threadIdx.x % 32)/}, qr/floats of other blocks' shared memory touched: 896, and it should be at most 112 /,
            'lane 0 keeps it'        => sub {s/value - all/value - sum/}, qr/answer: .*element/,
        ],
    },
);
