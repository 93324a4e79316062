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
done_testing();
