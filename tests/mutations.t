#!/usr/bin/env perl
# Proof by mutation: every barrier and fence in the steps' kernels is taken out, one at
# a time, and the simulator must notice: a race, a wrong sum or a deadlock. One that
# nobody would miss has no place in a lesson. As they are, all kernels are clean.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# __syncthreads(), __syncwarp(mask), __threadfence(), group.sync(), cg::sync(group), ...
my $name    = qr/__syncthreads\w*|__syncwarp|__threadfence\w*|(?:[\w:]+(?:\(\))?\.|cg::)?sync/;
my $barrier = qr/\b$name\s*\((?:[^()]|\([^()]*\))*\)/;
my $skipped = qr{/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"}s;

# (source) -> of each barrier: its offset, its length, its line
sub barriers {
    my ($source) = @_;
    my @found;
    while ($source =~ /$skipped|($barrier)/g) {
        next unless defined $1;
        my $line = 1 + (substr($source, 0, $-[1]) =~ tr/\n//);
        push @found, { offset => $-[1], length => $+[1] - $-[1], text => $1, line => $line };
    }
    return @found;
}

# How a mutated step was caught, or ''. Where a read of shared memory comes before any
# write, another schedule may have them the other way round, and then it is a race. The large
# size is for kernels whose blocks take many elements each: there must be several blocks.
sub caught {
    my ($program) = @_;
    my ($output, $unwritten) = ('', '');
    for my $how ('-n 4097', '-n 1000 -b 64', '-n 100000 -b 64', map {"-n 1000 -b 64 --schedule $_"} 1 .. 8) {
        ($output, my $status) = run("timeout 60 $program --check $how");
        return $1 if $status == 1 && $output =~ /^simulator: .* (race|deadlock)\b/m;
        return 'wrong sum' if $status == 1 && $output =~ / wrong\b/;
        $unwritten = 'read of what nobody wrote' if $status == 1 && $output =~ /: reads shared memory that no thread /;
    }
    diag $output if $unwritten eq '';
    return $unwritten;
}

my @common = grep { !/machine_main/ } glob('build/sim/common/*.o build/sim/common/simt/*.o');
my $tried  = 0;
for my $step (@steps) {
    my $file = "steps/$step->{name}/reduce.cu";
    my @objects = grep { !m{/reduce\.o$} } glob("build/sim/steps/$step->{name}/*.o");
    open my $handle, '<', $file or die "$file: $!";
    my $source = do { local $/; <$handle> };
    for my $barrier (barriers($source)) {
        my $mutated = $source;
        substr($mutated, $barrier->{offset}, $barrier->{length}) = '(void)0';
        my ($program, $where) = ("$scratch/mutated", "$file:$barrier->{line}: without $barrier->{text}");
        open my $copy, '>', "$program.cu" or die "$program.cu: $!";
        print $copy $mutated;
        close $copy;
        my ($output, $status)
            = run("common/simt/simcc -Icommon -Isteps -Isteps/$step->{name} -c $program.cu -o $program.o"
                . " && \${CXX:-g++} -fopenmp $program.o @objects @common -o $program -lm");
        is($status, 0, "$where: compiles") or diag($output), next;
        my $how = caught($program);
        ok($how ne '', "$where: caught" . ($how ne '' ? " as a $how" : ''));
        $tried++;
    }
    for my $seed (1 .. 20) {
        my ($output, $status) = run("$step->{program} --check -n 33,1000,4097 --schedule $seed");
        is($status, 0, "$step->{name}, schedule $seed: clean") or diag $output;
    }
}
cmp_ok($tried, '>=', 14, "$tried barriers taken out");
done_testing();
