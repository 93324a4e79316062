#!/usr/bin/env perl
# The sum as a library: what sum_f32.h promises (tests/library/contract.cu), the example, the
# same bits in every order, make install, and the recorded runs that its plan stands on.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $folder = 'steps/11_library';

# A program that prints TAP itself: each of its lines counts here.
sub contract {
    my ($command, $how) = @_;
    my ($output, $status) = run("$command build/$backend/library_contract");
    ok(!$1, "$how: $2") while $output =~ /^(not )?ok \d+ - (.*)/mg;
    like($output, qr/^1\.\.\d+$/m, "$how: to the end") or diag $output;
    is($status, 0, "$how: exit status") or diag $output;
}
contract('', 'contract');
contract('SIMT_SCHEDULE=5', 'contract, another order') if $backend eq 'sim';

my ($output, $status) = run("build/$backend/$folder/example");
is($output, "all right: 750000\n", 'the example');
is($status, 0, 'the example: exit status');

# The order of warps and lanes changes no bit; a sum that cancels would show it.
if ($backend eq 'sim') {
    for my $step (grep { $_->{name} =~ /vectorized|single_pass|clusters|library/ } @steps) {
        my %errors;
        for my $seed (0 .. 3) {
            run("$step->{program} --check -n 3000,50000,150000 --pattern cancel --schedule $seed --csv $scratch/bits.csv");
            push @{ $errors{"$_->{variant} n=$_->{n}"} }, $_->{rel_err} for rows("$scratch/bits.csv");
        }
        for my $what (sort keys %errors) {
            my @different = grep { $_ ne $errors{$what}[0] } @{ $errors{$what} };
            ok(@{ $errors{$what} } == 4 && !@different, "$step->{name} $what: the same bits in four orders");
        }
    }

    # The contract sees a library that breaks it.
    for (['slots.h', '09_single_pass/slots.h', 'slots.room; i += blockDim.x', '0; i += blockDim.x', 'the last epoch leaves all slots empty'],
         ['sum_f32.cu', '11_library/sum_f32.cu', '|| w->memory == NULL', '', 'a workspace without memory']) {
        my ($name, $file, $text, $instead, $noticed) = @$_;
        run("rm -rf $scratch/steps; cp -r steps $scratch/");
        my $source = slurp("steps/$file");
        is($source =~ s/\Q$text\E/$instead/, 1, "$name has the place for a fault");
        spew("$scratch/steps/$file", $source);
        run("simulator/simcc -Icommon -Isimulator -I$scratch/steps -c $scratch/$folder/sum_f32.cu -o $scratch/sum.o && \${CXX:-g++} -fopenmp"
            . " $scratch/sum.o build/sim/$folder/sum_f32_plan.o build/sim/tests/library/contract.o build/sim/libcommon.a -o $scratch/faulty -lm");
        ($output, $status) = run("$scratch/faulty");
        isnt($status, 0, "$name: the fault is noticed");
        like($output, qr/^not ok \d+ - \Q$noticed\E|^simulator:/m, "$name: where it is") or diag $output;
    }
}

# ---- the recorded runs ----
my $results = 'results/h200';
my (%best, %chosen);
for my $row (rows("$results/tune.csv")) {
    my $at = "$row->{n} $row->{cache}";
    $best{$at} = $row->{us} if !defined $best{$at} || $row->{us} < $best{$at};
    $chosen{$at} = $row->{us} if $row->{chosen};
}
cmp_ok(scalar keys %best, '>=', 50, 'tune.csv has times at many n');
for my $at (sort { $a <=> $b } map { (split)[0] } grep {/cold/} keys %best) {
    my @share = map { $chosen{"$at $_"} ? $chosen{"$at $_"} / $best{"$at $_"} : 9 } qw(cold warm);
    ok($share[0] + $share[1] < 2 * 1.15, sprintf 'n = %d: the plan is near the best, cold %.2f, warm %.2f', $at, @share);
}
my %seen;
for my $row (rows("$results/compare.csv")) {
    $seen{"$row->{rival} $row->{launch} $row->{cache} $row->{n}"} = 1 if $row->{offset} == 0;
    next if $row->{low} <= $row->{ratio} && $row->{ratio} <= $row->{high};
    fail("compare.csv: n = $row->{n} against $row->{rival}: the ratio lies in its interval");
}
for my $launch (qw(graph plain single)) {
    for my $cache (qw(cold warm)) {
        is(scalar grep({ $seen{"cub $launch $cache " . 2**$_} } 0 .. 31), 32, "compare.csv: CUB, $launch, $cache, 2^0 to 2^31");
    }
}
my ($about) = run("cat $results/compare.json");
like($about, qr/"$_": "?[^",\s]/, "compare.json says $_") for qw(commit date gpu cccl newer_cccl);

# ---- make install ----
my $nvcc = nvcc();
SKIP: {
    skip 'no nvcc here', 6 unless $nvcc;
    ($output, $status) = run("make BACKEND=cuda ARCH=sm_90 NVCC=$nvcc install PREFIX=$scratch/usr");
    is($status, 0, 'make install') or diag $output;
    my ($config) = run("cat $scratch/usr/lib/pkgconfig/sum_f32.pc");
    my %is = $config =~ /^(\w+)=(.*)$/mg;
    for (my $i = 0; $i < 3; $i++) { s/\$\{(\w+)\}/$is{$1}/g for values %is, $config }
    my ($cflags) = $config =~ /^Cflags: (.*)$/m;
    my ($libs)   = $config =~ /^Libs: (.*)$/m;
    unlike("$cflags $libs", qr/[\$@]/, 'sum_f32.pc: every variable has a value');
    ($output, $status) = run("gcc -std=c11 -Wall $folder/example.c $cflags $libs -o $scratch/example");
    is($status, 0, 'a C program links with it') or diag $output;
    skip 'there is a GPU here', 3 if run('nvidia-smi -L') =~ /^GPU/;
    ($output, $status) = run("LD_LIBRARY_PATH=$is{cuda}/lib64 $scratch/example");
    is("$status $output", "77 example: no GPU, or no memory on it\n", 'and says so where there is no GPU');
    ($output, $status) = run("tools/measure/compare_library.sh");
    is($status, 2, 'compare_library.sh without a folder');
    like($output, qr/\A[^\n]*usage[^\n]*\n\z/, 'compare_library.sh: one line');
}
done_testing();
