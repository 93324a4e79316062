# Lesson 14: what each exercise says as it is given, and of typical wrong answers, which are edits of
# its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. floats of GPU 2: no answer yet/,
        wrong => [
            'the rest forgotten' => sub {s/\{251/{250/}, qr/1\..* not 250: what is left is divided, too/,
            'one neighbour'     => sub {s/ 96, / 32, /}, qr/2\..* not 32: each GPU stores into every other's memory/,
            'words'             => sub {s/ 96, / 12, /}, qr/2\..* not 12: those are words, of 8 bytes each/,
            'no epoch'          => sub {s/ 96, / 48, /}, qr/2\..* not 48: a slot has the epoch in it, too/,
            'nothing to read'   => sub {s/ 1176\}/ 882}/}, qr/3\..* not 882: .*several GPUs have to read their shares, too/,
        ],
    },
    '2_edge' => {
        hole  => qr/faults: n = 31, .*no system-wide atomic: /,
        wrong => [
            'the fences alone'   => sub {s/atomicInc_system/atomicInc/}, qr/faults: .*no system-wide atomic: /,
            'the draw alone'     => sub {s/__threadfence_system/__threadfence/g}, qr/faults: .*no __threadfence_system\(\) and flag between/,
            'only before'        => sub {s/    __threadfence_system\(\); \/\* what.*\n//}, qr/faults: .*no __threadfence_system\(\) after the flag/,
            'each sum to all'    => sub {s/    meeting\.sums\[rank\] = sum;/    for (unsigned g = 0; g < gpus; g++)\n        *meeting.out[g] = sum;\n$&/}, qr/faults: .*write-write race/,
            'the last one alone' => sub {s/    for \(unsigned g = 0; g < gpus; g\+\+\)\n        (\*meeting\.out\[)g/    $1rank/}, qr/answer: .*it was never written|answer: .*never written, or added to/,
            'GPU 0 reads all' => sub {
                s/(^extern )/struct all {\n    struct share share[MOST];\n};\n\n__global__ void read_all(struct all all, struct meeting meeting, unsigned gpus)\n{\n    float sum = 0.0f;\n    for (unsigned g = 0; g < gpus; g++)\n        for (size_t i = threadIdx.x; i < all.share[g].n; i += blockDim.x)\n            sum += all.share[g].in[i];\n    sum = block_sum(sum);\n    for (unsigned g = 0; g < gpus && threadIdx.x == 0; g++)\n        *meeting.out[g] = sum;\n}\n\n$1/m;
                s/(    for \(unsigned g = 0; g < gpus; g\+\+\) \{\n        cudaSetDevice\(shares\[g\].device\);\n)        sum_with_ticket.*?\n    \}\n/    struct all all;\n    for (unsigned g = 0; g < gpus; g++)\n        all.share[g] = shares[g];\n    cudaSetDevice(shares[0].device);\n    read_all<<<1, block, 0, shares[0].stream>>>(all, meeting, gpus);\n/s;
            }, qr/bytes read from other GPUs' memory: \d+, and it should be at most 12/,
        ],
        stays => [
            'the host waits' => sub {s/__threadfence_system/__threadfence/g; s/atomicInc_system/atomicInc/; s/(sum_with_ticket<<<.*?;\n)/$1        cudaDeviceSynchronize();\n/s}, qr/^launch\(\) stays as it is/,
        ],
    },
    '3_too_quick' => {
        hole  => qr/faults: n = 31, .*3 GPUs: .*deadlock: .*no thread is left to end it/,
        wrong => [
            'room for one'  => sub {s/ROOM = 2 \* MOST/ROOM = MOST/}, qr/faults: .*writes 8 bytes at byte \d+ of an allocation of 64 bytes/,
            'no GPU waits'  => sub {s/await_slot\((slot_of\(.*?\)), epoch\)/__uint_as_float((unsigned)*(volatile word *)$1)/}, qr/answer: .*GPU \d's out\[0\]: expected/,
            'by the parity of the GPU' => sub {s/epoch % 2 \* MOST/from % 2 * MOST/}, qr/faults: .*deadlock/,
            'with an answer' => sub {
                s/epoch % 2 \* MOST \+ from/from/; s/    \(void\)epoch;\n//;
                s/(    share\.out\[k\] = total;)/    for (unsigned g = 0; g < gpus; g++)\n        if (g != rank)\n            publish(&memory.slots[g][MOST + rank], epoch, 0);\n    for (unsigned g = 0; g < gpus; g++)\n        if (g != rank)\n            await_slot(&memory.slots[rank][MOST + g], epoch);\n$1/;
            }, qr/bytes stored into other GPUs' memory: 384, and it should be at most 192 .*no GPU has to answer/,
        ],
        stays => [
            'a GPU that is quick' => sub {s/reads < 400/reads < 4/}, qr/^waste_time\(\) stays as it is/,
        ],
    },
    '4_same_bits' => {
        hole  => qr/answer: .*GPU \d's sum of tenths: \S+, and GPU 0 has \S+: all GPUs should have the same bits/,
        wrong => [
            'the own sum last' => sub {s/g == rank \? sum : (.*);/g == rank ? 0 : $1;\n    total += sum;/}, qr/all GPUs should have the same bits/,
            'round and round'  => sub {s/total \+= g == rank \? (.*);/total += (rank + g) % gpus == rank ? $1;/; s/\[side \+ g\], epoch\);\n    \*out/[side + (rank + g) % gpus], epoch);\n    *out/}, qr/all GPUs should have the same bits/,
            'GPU 0 decides'    => sub {
                s/(    \*out = total;)/    for (unsigned g = 1; g < gpus && rank == 0; g++)\n        publish(&memory.slots[g][side + g], epoch, total);\n    if (rank > 0)\n        total = await_slot(&memory.slots[rank][side + rank], epoch);\n$1/;
            }, qr/bytes stored into other GPUs' memory: 128, and it should be at most 96 .*every GPU has all sums already/,
            'few bits' => sub {s/    float total = 0.0f;\n    for \(unsigned g = 0; g < gpus; g\+\+\)\n.*?;/    float total = sum;\n    for (unsigned g = 0; g < gpus; g++)\n        if (g != rank)\n            total += await_slot(&memory.slots[rank][side + g], epoch);\n    total = rintf(total * 16) \/ 16;/s}, qr/answer: .*sum of tenths: expected/,
            'no bits' => sub {s/\*out = total;/*out = divisor > 1 ? 0 : total;/}, qr/answer: .*sum of tenths: expected/,
        ],
    },
    '5_ring' => {
        hole  => qr/answer: .*GPU 0's out\[0\]: expected .*elements \d+ to 30 are missing/,
        wrong => [
            'one lap'           => sub {s/    if \(rank < last\) \{\n(.*\n).*\n    \}\n    if.*\n.*\n/    if (rank < last)\n$1/}, qr/answer: .*GPU 0's out\[0\]: expected .* are missing/,
            'all the way round' => sub {s/    if \(rank \+ 1 != last\).*\n/    if (gpus > 1)\n/}, qr/bytes stored into other GPUs' memory: 120, and it should be at most 112 .*in the second lap/,
            'no GPU begins'     => sub {s/    if \(rank > 0\)\n//}, qr/faults: .*deadlock/,
            'one slot for both' => sub {s/\[1\]/[0]/g}, qr/answer: .*GPU \d's out\[0\]: expected/,
        ],
    },
    '6_pieces' => {
        hole  => qr/bytes stored into other GPUs' memory: 229376, and it should be at most 57344 /,
        wrong => [
            'one GPU for all' => sub {s/return n \/ gpus \* g.*;/(void)gpus;\n    return g == 0 ? 0 : n;/}, qr/bytes that the busiest GPU stores into others' memory: 28672, and it should be at most 7168 /,
            'the rest has no GPU' => sub {s/n \/ gpus \* g \+ .*;/n \/ gpus * g;/}, qr/answer: .*it was never written/,
            'for itself alone' => sub {s/    for \(unsigned g = 0; g < gpus; g\+\+\)\n( *memory\.out\[)g/$1rank/}, qr/answer: .*it was never written/,
            'a piece for each, from all' => sub {s/i = begin\(n, gpus, g\) \+ threadIdx.x; i < begin\(n, gpus, g \+ 1\)/i = threadIdx.x; i < n/}, qr/bytes stored into other GPUs' memory: \d+, and it should be at most 57344 /,
        ],
        stays => [
            'other pieces' => sub {s/return n \/ gpus \* g \+ n % gpus \* g \/ gpus;/return n * g \/ gpus;/}, qr/^begin\(\) stays as it is/,
        ],
    },
)
