#!/usr/bin/env perl
# tier: more
# The experiments on the simulator: their sums are right; what they take apart is what the
# steps run; each wrong kernel of the sources is found out. (measure.t has a stand-in for ncu.)
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

cmp_ok(scalar @experiments, '>=', 7, 'there are experiments');

# ---- sums ----

my @timed = qw(unrolled finishes grid_sync little);
for my $name (@timed) {
    for my $run ('-n 0,1,31,33,255,257,1000,4097,65537', '-n 1,1000,4097 --offset 3 --pattern cancel',
        '-n 33,4097 --schedule 3', '-n 33,4097 --pattern nan', $name eq 'unrolled' ? () : '-n 1,1000,4097 -b 64') {
        my ($output, $status) = run("./$name --check $run --csv $scratch/$name.csv");
        is($status, 0, "$name $run") or diag $output;
        my @wrong = grep { $_->{ok} eq '0' } rows("$scratch/$name.csv");
        ok(!@wrong && rows("$scratch/$name.csv"), "$name $run: every sum is right");
    }
}

is((run('./unrolled --check -n 4097 -b 64'))[1], 2, 'unrolled: blocks of 256, for v5 knows no other');

# ---- taken apart, and nothing else changed ----

# (program, variants) -> {variant}: the counts and the error of its sum
sub counted {
    my ($program, $variants) = @_;
    my ($output, $status) = run("./$program --counters -n 64K -v $variants --csv $scratch/counted.csv");
    is($status, 0, "$program -v $variants --counters") or diag $output;
    return { map { $_->{variant} => $_ } rows("$scratch/counted.csv") };
}
my @counts = qw(gld_requests gld_sectors gst_requests gst_sectors barriers);
my $apart  = counted('unrolled', 'v4,v5,loads_only,tree_v4,x1_flight1,x8_flight1,x8_flight2,x8_flight4,x8_flight8');
my $step   = counted('step03', 'v3x8,v4,v5');
my $same   = sub { join ' ', @{$_[0]}{@counts, 'rel_err'} };
is($same->($apart->{v4}), $same->($step->{v4}), 'unrolled: v4 is that of step 03');
is($same->($apart->{v5}), $same->($step->{v5}), 'unrolled: v5 is that of step 03');
is($same->($apart->{"x8_flight$_"}), $same->($step->{v3x8}), "unrolled: $_ loads at once, else v3x8") for 1, 2, 4, 8;
is($apart->{x1_flight1}{rel_err}, counted('step02', 'v2')->{v2}{rel_err}, 'unrolled: x1_flight1 adds as v2 does');
# Of v4's first launch: the loads, the store and the read of idata[0] are in both parts, the
# barrier after them too.
my ($tables) = run('./unrolled --counters -n 64K -v v4,loads_only,tree_v4');
my ($global) = $tables =~ /^Global memory:(.*?)^Shared/ms;
my %loads = $global =~ /^(v4|loads_only|tree_v4) +64K +1 +(\d+) /mg;
is($loads{loads_only} + $loads{tree_v4} - 32, $loads{v4}, 'unrolled: the loads and the tree are all that v4 loads') or diag $tables;

my $finish = counted('finishes', 'narrow_two_pass,narrow_atomic');
is($finish->{narrow_two_pass}{rel_err}, counted('step06', 'two_pass')->{two_pass}{rel_err}, 'finishes: two_pass adds as step 06 does');
my $barrier = counted('grid_sync', 'barriers_1,barriers_17');
is($barrier->{barriers_17}{rel_err}, $barrier->{barriers_1}{rel_err}, 'grid_sync: 16 barriers change no sum');

# ---- cycles and levels: the values are checked ----

my ($output, $status);
# How many lines; then a shuffle that adds, sums that do not, elements that are not read.
for (['shuffle_cost', 25, 's/l->value, 1);/l->value, 1) + 1;/', 'shuffle_cost.cu', qr/^shuffle,32,4,0,,,$/m],
    ['vote_cost', 18, 's/ + l->lane;/;/', 'vote_cost.cu', qr/^reduce_add,1,1,0,,,$/m],
    ['levels', 4, 's/read++/read += 2/', 'levels.h', qr/^l2,\d+,1,\d+,\d+,0,,,$/m]) {
    my ($name, $lines, $slip, $file, $where) = @$_;
    ($output, $status) = run("./$name");
    is($status, 0, $name) or diag $output;
    is(scalar(() = $output =~ /^\w+(?:,\d+)+,1,,,$/mg), $lines, "$name: $lines lines, every value right, no times");
    run("cp steps/experiments/$name.cu $scratch/; sed '$slip' steps/experiments/$file >$scratch/$file");
    ($output, $status) = run("simulator/simcc -g1 -Icommon -Isteps/experiments -c $scratch/$name.cu -o $scratch/$name.o"
        . " && g++ -fopenmp $scratch/$name.o build/sim/libcommon.a -o $scratch/$name -lm && $scratch/$name");
    is($status, 1, "$name: values that are not what they must be are found") or diag $output;
    like($output, $where, "$name: and it says where");
}

# ---- what hardware printed ----

my ($on_hardware) = slurp('results/h200/gpu_tests.txt') =~ m{^\$ \./subnormals .*\n((?:.+\n)+)}m;
($output, $status) = run('./subnormals');
is($output, $on_hardware, 'subnormals: the simulator loses those that an H200 loses');
is($status, 0, 'subnormals: status 0');

# ---- known to be wrong ----

for (['not_zeroed', 1, qr/wrong as expected: nothing was written/],
    ['warps_32', 1, qr/^simulator: steps\/experiments\/errata\.cu:\d+: .*reads shared memory that no thread/m],
    ['no_shared_bytes', 1, qr/^simulator: .*the launch gave it 0 bytes/m],
    ['product_32', 77, qr/^errata: product_32 cannot run here/m],
    ['partial_warp -b 100', 1, qr/^simulator: .*reads lane 16, which does not exist: undefined/m],
    ['twice', 1, qr/^simulator: .*calls_002<2>: read-write race in shared memory/m],
    ['in_place_twice', 1, qr/wrong as expected: \S+ instead of/],
    ['no_guard -b 96', 1, qr/^simulator: .*no_guard: read-write race in global memory/m]) {
    my ($variant, $expected, $message) = @$_;
    my $program = $variant =~ /in_place|no_guard/ ? 'in_place' : 'errata';
    ($output, $status) = run("./$program --check -n 4096 -v $variant");
    is($status, $expected, "$program -v $variant: exit status $expected");
    like($output, $message, "$program -v $variant: it is found out");
}
($output, $status) = run('./errata --check -n 4096,100003');
is($status, 0, 'errata: its one right kernel is right') or diag $output;
($output, $status) = run('./errata --check -n 4096 -v partial_warp,twice -b 32');
is($status, 0, 'errata: whole warps, one of them: nothing wrong') or diag $output;
($output, $status) = run('./in_place --check -n 4096 -v no_guard');
is($status, 0, 'in_place: blocks of a power of two, and no end inside one: nothing wrong') or diag $output;
($output, $status) = run('./absent_lanes');
is($status, 1, 'absent_lanes: undefined, so the simulator stops');
like($output, qr/^simulator: .*reads lane 16, which does not exist: undefined/m, 'absent_lanes: and says why');

# ---- tools/measure/experiments.py ----

($output, $status) = run('BACKEND=sim tools/measure/experiments.py sim');
is($status, 0, 'on the simulator it only checks') or diag $output;
like($output, qr/^$_: the sums are right$/m, "on the simulator: $_") for @timed;
is((run('tools/measure/experiments.py'))[1], 2, 'without a backend: status 2');
is((run("env PATH=/usr/bin:/bin tools/measure/experiments.py cuda $scratch/none"))[1], 77, 'no ncu: status 77');
ok(!-e "$scratch/none", 'no ncu: nothing is written');

done_testing();
