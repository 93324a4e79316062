#!/usr/bin/env perl
# On GPUs: what sum_all.h promises. All GPUs in one process, a process for each, two programs at once, a process that is
# killed, and the program for many machines. With one GPU only what one can do.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

$ENV{NCCL_NVLS_ENABLE} //= 0;
plan skip_all => 'no NCCL here, so no sum_f32_all()' unless -x 'build/cuda/library_all';
my $gpus = grep {/^GPU/} `nvidia-smi -L`;
my $sums = $ENV{SUMS} // 100_000;

# Each line of a program that prints TAP itself counts here.
sub told {
    my ($how, $output, $status) = @_;
    ok(!$1, "$how: $2") while $output =~ /^(not )?ok \d+ - (.*)/mg;
    note($1) while $output =~ /^# (.*)/mg;
    like($output, qr/^1\.\.\d+/m, "$how: to the end") or diag $output;
    is($status, 0, "$how: exit status") or diag $output;
}
told('one process', run("timeout 100 build/cuda/library_all $sums"));
told('a process for each GPU', run("timeout 200 build/cuda/library_processes $sums"));

# Two programs share the GPUs in turns of milliseconds, and a sum waits until both GPUs are at it: so fewer of them.
if ($gpus > 1) {
    my $many = 'timeout 60 build/cuda/library_all ' . ($sums < 2000 ? $sums : 2000) . ' many';
    run("$many >$scratch/first 2>&1 & $many >$scratch/second 2>&1; wait");
    for my $which (qw(first second)) {
        my $output = slurp("$scratch/$which");
        told("two programs at once, the $which", $output, $output =~ /^not ok/m ? 1 : 0);
    }
}

# ---- sum_mpi ----
my ($output, $status) = run('make -s BACKEND=cuda sum_mpi');
SKIP: {
    skip "no sum_mpi: $output", 1 if $status || (run('command -v mpirun'))[1] != 0;
    $ENV{OMPI_ALLOW_RUN_AS_ROOT} = $ENV{OMPI_ALLOW_RUN_AS_ROOT_CONFIRM} = 1;
    my $mpi = 'timeout 40 mpirun' . (`mpirun --version` =~ /Open MPI/ ? ' --oversubscribe' : '');
    for (["-n $gpus ./sum_mpi", 'in equal shares'], ["-n $gpus ./sum_mpi -n " . join(',', map { 3000 + 700_000 * $_ } 1 .. $gpus), 'in shares that differ'],
         ["-n $gpus ./sum_mpi -n 1", 'one number in all'], ["-n $gpus ./sum_mpi --nccl", 'by NCCL'], ['-n 1 ./sum_mpi', 'one rank']) {
        my ($command, $how) = @$_;
        ($output, $status) = run("$mpi $command");
        is($status, 0, "sum_mpi, $how: exit status") or diag $output;
        like($output, qr/^sum \S+, exactly \S+: right, and the same bits on all ranks$/m, "sum_mpi, $how: right");
        like($output, qr/^[\d.]+ us for each sum one after another, [\d.]+ us in a graph$/m, "sum_mpi, $how: times");
        note($output);
    }
    for (['-n ' . ($gpus + 1) . ' ./sum_mpi', $gpus > 1 ? qr/one for each is needed/ : qr/have the same GPU/, 'too many ranks'],
         ["-n $gpus ./sum_mpi -n 1,2,3,4,5,6,7,8,9,10", qr/-n has 10 shares, and there are $gpus ranks/, 'too many shares'],
         ["-n $gpus ./sum_mpi -n 1X", qr/'1X' is not a size/, 'no size']) {
        my ($command, $line, $how) = @$_;
        ($output, $status) = run("$mpi $command");
        isnt($status, 0, "sum_mpi, $how: exit status");
        is(scalar(() = $output =~ /^sum_mpi: /mg), 1, "sum_mpi, $how: one line");
        like($output, qr/^sum_mpi: rank \d+: .*$line/m, "sum_mpi, $how: what is wrong") or diag $output;
    }
    skip 'two GPUs are needed to lose one', 1 if $gpus < 2;

    # Open MPI ends all when one is killed, unless an option leaves that to the program. (Then its own status is 0.)
    for my $way ('', '--nccl') {
        my $pid = fork // die;
        if (!$pid) {
            exec("$mpi --enable-recovery -n $gpus ./sum_mpi --sums 1000000000 --limit 2 $way >$scratch/killed 2>&1") or exit 1;
        }
        for (1 .. 60) { sleep 1; last if -s "$scratch/killed" && slurp("$scratch/killed") =~ /right/ }
        sleep 1;
        my @ranks = split ' ', `pgrep -x sum_mpi`;
        kill 'KILL', $ranks[-1];
        my $start = time;
        waitpid($pid, 0);
        my $took = time - $start;
        cmp_ok($took, '<', 20, "sum_mpi $way, a rank killed: the others end");
        like(slurp("$scratch/killed"), qr/^sum_mpi: rank \d+: another GPU, or its process, did not come/m, "sum_mpi $way, a rank killed: a line")
            or diag slurp("$scratch/killed");
        note("after $took s");
    }
}
done_testing();
