# Toolbox, match: what each exercise says as it is given, and of typical wrong answers, which are
# edits of its solution (tests/practice.t).
(
    '1_predict' => {
        hole  => qr/1\. lanes that have the key of thread 60: no answer yet/,
        wrong => [
            'of the block'          => sub {s/\{2/{8/}, qr/1\..* not 8: so many threads of the block/,
            'itself'                => sub {s/ 4,/ 28,/}, qr/2\..* not 28: that is its own: is it the lowest/,
            'an atomic for each match' => sub {s/144/6/}, qr/3\..* not 6: those are the matches/,
            'all add'               => sub {s/144/192/}, qr/3\..* not 192: so many lanes/,
        ],
    },
    '2_by_key' => {
        hole  => qr/atomics: 4096, and it should be at most 512/,
        wrong => [
            'one lane for all keys'    => sub {s/__reduce_add_sync\(peers/__reduce_add_sync(here/; s/__ffs\(peers\)/__ffs(here)/}, qr/answer: .*element/,
            'lane 0 for each key'      => sub {s/threadIdx.x % 32 == __ffs\(peers\) - 1/threadIdx.x % 32 == 0/}, qr/answer: .*missing/,
            'all lanes add the sum'    => sub {s/    if \(threadIdx.x % 32.*?\n    //}, qr/answer: .*counted/,
            'the count, not the sum'   => sub {s/__reduce_add_sync\(peers, \(int\)in\[i\]\)/__popc(peers) + 0 * (int)in[i]/}, qr/answer: .*expected/,
            'a match in the branch, of all' => sub {s/__match_any_sync\(here/__match_any_sync(0xffffffff/}, qr/faults: n = 31, .*names lane 31/,
            'one lane loads for its peers' => sub {s/    int sum = .*/    int sum = 0;\n    if (threadIdx.x % 32 == __ffs(peers) - 1)\n        for (unsigned rest = peers; rest != 0; rest &= rest - 1)\n            sum += (int)in[i - threadIdx.x % 32 + __ffs(rest) - 1];/}, qr/load requests: \d+, and it should be at most 128/,
        ],
    },
);
