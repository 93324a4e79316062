#!/usr/bin/env perl
# tier: more
# Step 14 on one GPU to eight of the simulator: shares of all kinds, schedules, sums back to back of other numbers each
# time, bad input. And what keeps the slots between GPUs right, taken out one at a time, is missed.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

sub passes {
    my ($command, $name) = @_;
    my ($output, $status) = run($command);
    is($status, 0, $name // $command) or diag $output;
    return $output;
}

my $sizes = '0,1,2,3,7,8,9,31,1000,4097,20001';
passes("./step14 --check -n $sizes --gpus $_")                            for 1 .. 8;
passes("./step14 --check -n $sizes --gpus 4 --schedule $_")               for 1, 2;
passes("./step14 --check -n $sizes --shares $_")                          for '3,1', '0,0,5,1', '0,1', '1,0', '1000000,1';
passes("./step14 --check -n 33,4097 --gpus 3 --offset $_")                for 1 .. 3;
passes("./step14 --check -n 33,4097 --gpus 3 --pattern $_")               for qw(ones ramp cancel huge nan);
passes('./step14 --check -n 200000,700001 --gpus 2');
like(passes('./step14 --demo'), qr/^2 of 2 GPUs launch: 1 \+ 2 = 3\n1 of 2 GPUs launch: NaN; GPU 0 waited 100 ms, and GPU 1 did not answer\n/m,
    'a GPU that does not answer');
like(passes('./step14'), qr/^2 x SIMT simulator/m, 'two GPUs, if nobody asks');

refused('./step14 --gpus 0', 2, qr/--gpus "0": it takes a whole number from 1 to 8/);
refused('./step14 --gpus 9', 2, qr/--gpus "9"/);
refused('./step14 --gpus 3 --device 1', 2, qr/--gpus 3: from number 1 on there are 2/);
refused('./step14 --shares 1,2 --gpus 3', 2, qr/--shares: 2 of them, for 3 GPUs/);
refused('./step14 --shares 0,0', 2, qr/--shares: all are 0/);
refused('./step14 --shares 1,x', 2, qr/--shares "x"/);
refused('./step14 --shares ' . join(',', (1) x 9), 2, qr/--shares: more than 8 GPUs/);
refused("./step11 $_ 2", 2, qr/\Q$_\E: this lesson is about one GPU; step14 takes several/) for '--gpus', '--shares';

my $back_to_back = 'build/sim/back_to_back --sums 100';
passes("$back_to_back --gpus $_")                           for 1, 2, 5;
passes("SIMT_SCHEDULE=$_ $back_to_back --streams --gpus 3") for 1 .. 3;

# ---- the slots without what keeps them right ----

my %mutants = (    # what it is -> in peer_slots.h: this becomes that, if it is taken out
    'the epoch that is waited for' => ['!= epoch;', '!= epoch && !mutated(0);'],
    'two slots, by the parity'     => ['epoch % 2 * MOST_GPUS;', '(mutated(1) ? 0 : epoch % 2 * MOST_GPUS);'],
    'the epoch that is written'    => ['if (lane == 0)', 'if (lane == 0 && !mutated(2))'],
    # GPU 1 is late: all others have had their sum and gone on to the next, before it looks
    'a GPU that is late' => ['answered = await_peer', 'for (int i = 0; i < 3000 && (mutated(1) || mutated(3)) && peers->rank == 1; i++)'
        . ' (void)*(volatile word *)&ours[i % (2 * MOST_GPUS)]; answered = await_peer'],
);
make_switch();
run("cp -r steps library tests/many_gpus $scratch/");
my ($header, $file) = ("$scratch/library/parts/peer_slots.h", 'steps/14_many_gpus/nvlink_slots.cu');
my $source = slurp($header);
for my $what (sort keys %mutants) {
    my ($right, $switched) = @{ $mutants{$what} };
    is(scalar(() = $source =~ /\Q$right\E/g), 1, "$what: once");
    $source =~ s/\Q$right\E/$switched/;
}
spew($header, $source);
my ($output, $status) = run("simulator/simcc -std=c++20 -g1 -I$scratch/steps -I$scratch -Icommon -Isimulator -include $scratch/switch.h -c $scratch/$file -o $scratch/$file.o");
is($status, 0, "$file compiles with switches") or diag $output;
my @others = (map({"build/sim/steps/14_many_gpus/$_.o"} qw(one_gpu host nccl)), map({"build/sim/library/$_.o"} qw(sum_f32 sum_exact sum_f32_plan)));
($output, $status) = run("$link $scratch/$file.o build/sim/tests/many_gpus/back_to_back.o @others $scratch/switch.o build/sim/libcommon.a -o $scratch/mutant -lm");
is($status, 0, 'linked with switches') or diag $output;

sub mutant {
    my ($k, $how) = @_;
    my ($all, $failed) = ('', 0);
    for my $seed (0 .. 5) {
        my ($output, $status) = run("MUTANT=$k SIMT_SCHEDULE=$seed $guard $scratch/mutant --sums 100 $how");
        $failed ||= $output =~ /did not answer/ ? 'wait that ends' : $output =~ /deadlock/ ? 'deadlock' : $output =~ / race / ? 'race' :
            $status != 0 ? 'wrong sum' : 0;
        is($status == 124, '', "mutant $k, schedule $seed: it ends by itself");
        return $failed if $failed;
    }
    return '';
}
is(mutant(3, '--streams --gpus 3'), '', 'a GPU that is late, and nothing taken out: right');
my @order = ('the epoch that is waited for', 'two slots, by the parity', 'the epoch that is written');
for my $k (0 .. $#order) {
    my $how = mutant($k, '--streams --gpus 3');
    ok($how ne '', "without $order[$k]: caught" . ($how ne '' ? " as a $how" : ''));
}

# ---- several devices of the simulator ----

# Several devices on the simulator, tests/simt/devices.cu, and the stand-in for NCCL, tests/simt/nccl.cu:
# right programs are right with 1 to 8 devices and under several schedules, without a word; wrong ones
# are told what is wrong.
delete @ENV{qw(SIMT_GO_ON SIMT_GPUS SIMT_SCHEDULE)};
$ENV{SIMT_STRICT} = 1;

open my $compilers, '|-', "xargs -P2 -L1 simulator/simcc" or die;
print $compilers "tests/simt/$_.cu -lnccl -o $scratch/$_\n" for qw(devices nccl);
ok(close $compilers, 'they compile') or BAIL_OUT('simcc failed');

# What is wrong: the one line that says so.
my $at = qr/\S+devices\.cu:\d+: \w+, device \d, block \(0,0,0\), thread \(\d+,0,0\)/;
my %wrong = (
    deadlock  => qr/$at: deadlock: this thread reads the same place again and again; no other device has anything to do/,
    no_access => qr/$at: reads 4 bytes of device 1's memory, and device 0 was given no access to it: cudaSetDevice\(0\) and cudaDeviceEnablePeerAccess\(1, 0\) do/,
    at_exit   => qr/$at: reads 4 bytes at byte 4\d+ of an allocation of 4000 bytes, made at \S+devices\.cu:42/,
    missing   => qr/deadlock; device 0 waits at ncclAllReduce\(\) for rank 1 of \d \(device 1\);.* no thread is left to end it/,
    different => qr/NCCL: rank 0 calls ncclAllReduce\(\) with 100 elements of 4 bytes, rank 1 .* with 99 of 4, .*: all ranks must call the same/,
    alone     => qr/deadlock: a communicator of \d ranks waits for rank 1, which no call makes; .* between ncclGroupStart\(\) and ncclGroupEnd\(\)/,
);
# What it does not see has a row in the page's table: if one is seen some day, the row shall go.
my %unseen;
for (split /^/, slurp('docs/simulator.md') =~ s/.*^## Several devices.*?$(.*?)^## .*/$1/msr) {
    $unseen{$1} = 1 if /^\| .*\| `(\w+)` \|$/;
}
is(join(' ', sort keys %unseen), 'copy_without_event other_variable volatile_beside_flag without_group', 'docs/simulator.md: a row for each');
my %needs_two = map { $_ => 1 } qw(streams lost_device errors), keys %wrong, keys %unseen;
for my $program (qw(devices nccl)) {
    my ($names) = run("$scratch/$program");
    for my $name (split /\n/, $names) {
        for my $how ('1 0', '2 0', '4 1', '3 2', '2 3', '8 4') {
            my ($devices, $seed) = split / /, $how;
            my $what = "$program $name, $devices devices, schedule $seed";
            next if $devices == 1 && $needs_two{$name};
            ($output, $status) = run("SIMT_GPUS=$devices SIMT_SCHEDULE=$seed $guard $scratch/$program $name");
            if ($wrong{$name}) {
                is($status, 1, "$what: exit status 1");
                like($output, qr/^simulator: $wrong{$name}$/m, "$what: told") or diag $output;
                is(scalar(() = $output =~ /^simulator/mg), 1, "$what: in one line");
            } else {
                is($output . $status, "$name: as it should be\n0", "$what: right");
            }
        }
    }
}

for (['0', 'SIMT_GPUS=0'], ['9', 'SIMT_GPUS=9'], ['two', 'SIMT_GPUS=two'], ['-1', 'SIMT_GPUS=-1']) {
    ($output, $status) = run("SIMT_GPUS=$_->[0] $scratch/devices api");
    is($status, 1, "$_->[1]: status 1");
    is($output, "simulator: $_->[1]: a number of devices from 1 to 8 is needed\n", "$_->[1]: one line");
}

# ---- a smaller device: less shared memory in a block, room for smaller clusters ----

spew("$scratch/small.cu", <<'CUDA');
#include <cstdio>
__global__ void k() { }
static const char *launched(unsigned blocks, size_t shared)
{
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config = {};
    config.gridDim = blocks;
    config.blockDim = 32;
    config.dynamicSmemBytes = shared;
    config.attrs = &cluster;
    config.numAttrs = 1;
    int clusters, per_sm;
    cudaOccupancyMaxActiveClusters(&clusters, k, &config);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, k, 32, shared);
    printf("%d clusters, %d blocks an SM, ", clusters, per_sm);
    return cudaGetErrorName(cudaLaunchKernelEx(&config, k));
}
int main()
{
    int block, sm;
    cudaDeviceGetAttribute(&block, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0);
    cudaDeviceGetAttribute(&sm, cudaDevAttrMaxSharedMemoryPerMultiprocessor, 0);
    printf("%d %d\n", block / 1024, sm / 1024);
    cudaFuncSetAttribute(k, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    for (int kb : {99, 100})
        printf("%d KB: %s\n", kb, cudaGetErrorName(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize, kb * 1024)));
    printf("%s\n", launched(1, 99 * 1024));
    printf("%s\n", launched(8, 0));
    printf("%s\n", launched(16, 0));
}
CUDA
run("simulator/simcc $scratch/small.cu -o $scratch/small");
for (['', '227 228', 'cudaSuccess', '8 clusters, 2', '8 clusters, 32 blocks an SM, cudaSuccess'],
    ['SIMT_SHARED_KB=99 SIMT_CLUSTER=8', '99 100', 'cudaErrorInvalidValue', '4 clusters, 1', '0 clusters, 32 blocks an SM, cudaErrorInvalidClusterSize']) {
    my ($setting, $kb, $hundred, $full, $sixteen) = @$_;
    ($output, $status) = run("$setting $scratch/small");
    is($output, "$kb\n99 KB: cudaSuccess\n100 KB: $hundred\n$full blocks an SM, cudaSuccess\n16 clusters, 32 blocks an SM, cudaSuccess\n$sixteen\n",
        "'$setting': what the device says, and refuses");
}
($output, $status) = run('SIMT_SHARED_KB=99 SIMT_CLUSTER=8 ./step10 --check -n 1000');
is($status, 0, 'step 10 there: status 0') or diag $output;
like($output, qr/^cluster_16 +skipped: this GPU has no room for a cluster of 16 blocks of 256 threads
bulk_6x32k +skipped: needs more than 192 KB of shared memory in a block, this GPU has 99
bulk_3x64k +skipped: needs more than 192 KB of shared memory in a block, this GPU has 99
\nvariant.*\n(?:(?!cluster_16|bulk_6x32k|bulk_3x64k)\w+ .* ok\n){9}\n/m, 'what has no room is left out with a line each, and the others run') or diag $output;
for (['bulk_3x64k', 'needs more than 192 KB'], ['cluster_16', 'this GPU has no room for a cluster of 16 blocks']) {
    ($output, $status) = run("SIMT_SHARED_KB=99 SIMT_CLUSTER=8 ./step10 -n 1000 -v $_->[0]");
    like("$status $output", qr/\A77 step10: $_->[0] cannot run here: $_->[1].*\n\z/, "$_->[0] alone: one line, status 77");
}
for (['SIMT_SHARED_KB=47', 'KB of shared memory in a block from 48 to 227'], ['SIMT_SHARED_KB=228', 'KB of shared memory in a block from 48 to 227'],
    ['SIMT_CLUSTER=0', 'blocks in a cluster from 1 to 16'], ['SIMT_CLUSTER=17', 'blocks in a cluster from 1 to 16']) {
    ($output, $status) = run("$_->[0] $scratch/small");
    is("$status $output", "1 simulator: $_->[0]: a number of $_->[1] is needed\n", "$_->[0]: one line");
}
done_testing();
