#!/usr/bin/env perl
# On a GPU: every program under the four tools of NVIDIA's compute-sanitizer. A kernel
# that only happens to be right is found here; v6_volatile must be.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my $sanitizer = 'compute-sanitizer --error-exitcode 9 --print-limit 5';
my $only = $ENV{ONLY} // '';    # a part of them, as racecheck_rows, for tests/run-gpu

# (tool, what of it) -> whether that is asked for
sub asked { return "$_[0]_$_[1]" =~ /^\Q$only\E/ }

for my $tool (qw(memcheck racecheck initcheck synccheck)) {
    my @programs = ((map { [$_, '-n 0,33,4097,65537'] } asked($tool, 'steps') ? @steps : ()), (map { [$_, '-n 0,33,4097,8192'] } asked($tool, 'toolbox') ? @tools : ()));
    for (@programs) {
        my ($program, $how) = @$_;    # the toolbox: whole tiles and rows, too
        next if $program->{name} =~ /baselines/;    # the libraries' own kernels are not ours to judge
        $how .= ' --gpus 1' if $program->{name} =~ /many_gpus/; # the tools make kernels wait that another GPU waits for
        $how = '-n 0,3300,66000 --row 33,1100' if $program->{name} =~ /16_rows/;
        $how .= ' --row 32,1K,8K' if $how !~ /--row/ && takes_rows($program->{program});
        # NCCL's own kernels are not ours, either; and kernels of two GPUs that wait for each other may not be
        # there at once under such a tool.
        $how .= ' --gpus 1 -v one_gpu,host,nvlink_slots' if $program->{name} =~ /many_gpus/;
        my ($output, $status) = run("$sanitizer --tool $tool $program->{program} --check $how");
        is($status, 0, "$program->{name} under $tool") or diag $output;
    }
}
for my $tool (qw(memcheck racecheck)) {
    # Not the errors: a launch that CUDA refuses is one for these tools, too. (Of calls they are not to say it: segments have one.)
    for (['exact', '112', 'the exact sum of hard arrays'], ['rows', 'part rows columns blocks plans specials segments order', 'rows, columns and segments']) {
        my ($contract, $which, $what) = @$_;
        next if !asked($tool, $contract);
        my ($output, $status) = run("$sanitizer --tool $tool " . ($tool eq 'memcheck' ? '--report-api-errors no ' : '') . "build/cuda/library_$contract $which");
        is($status, 0, "$what under $tool") or diag $output;
    }
}
if (asked('racecheck', 'steps')) {
    my ($output, $status) = run("$sanitizer --tool racecheck ./step04 --check -v v6_volatile -n 4096");
    is($status, 9, 'racecheck reports v6_volatile') or diag $output;
}
done_testing();
