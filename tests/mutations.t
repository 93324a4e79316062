#!/usr/bin/env perl
# Proof by mutation: every barrier and fence in the steps' kernels and their headers is taken
# out, one at a time, and the simulator must notice: a race, a wrong sum, a deadlock or a
# barrier half used. One that nobody would miss has no place in a lesson. As they are, all
# kernels are clean.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# __syncthreads(), __syncwarp(mask), __threadfence(), group.sync(), cluster.barrier_wait(), ...
my $name    = qr/__syncthreads\w*|__syncwarp|__threadfence\w*|(?:[\w:]+(?:\(\))?\.|cg::)?(?:sync|barrier_(?:arrive|wait))/;
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
# sizes are for kernels whose blocks take many elements each, and for step 12's cluster.
sub caught {
    my ($program) = @_;
    my ($output, $unwritten) = ('', '');
    for my $how ('-n 4097', '-n 1000 -b 64', '-n 30000,100000 -b 64', map {"-n 1000 -b 64 --schedule $_"} 1 .. 8) {
        ($output, my $status) = run("timeout 60 $program --check $how");
        return $1 if $status == 1 && $output =~ /^simulator: .* (race|deadlock)\b/m;
        return 'barrier half used'
            if $status == 1 && $output =~ /without having arrived|again before it waited|barrier of its cluster|may not have begun/;
        return 'wrong sum' if $status == 1 && $output =~ / wrong\b/;
        $unwritten = 'read of what nobody wrote' if $status == 1 && $output =~ /: reads shared memory that no thread /;
    }
    diag $output if $unwritten eq '';
    return $unwritten;
}

my @common = grep { !/machine_main/ } glob('build/sim/common/*.o build/sim/common/simt/*.o');
my $tried  = 0;
run("cp -r steps $scratch/");

# (step, file that is mutated, file that is compiled with it)
sub mutate {
    my ($step, $file, $compiled) = @_;
    (my $object = $compiled) =~ s/\.cu$/.o/;
    my @objects = grep { !m{/(?:\Q$object\E|example\.o)$} } glob("build/sim/steps/$step->{name}/*.o");
    my $path = "steps/$step->{name}/$file";
    open my $handle, '<', $path or die "$path: $!";
    my $source = do { local $/; <$handle> };
    for my $barrier (barriers($source)) {
        my $mutated = $source;
        substr($mutated, $barrier->{offset}, $barrier->{length}) = '(void)0';
        my ($program, $where) = ("$scratch/mutated", "$path:$barrier->{line}: without $barrier->{text}");
        open my $copy, '>', "$scratch/$path" or die "$scratch/$path: $!";
        print $copy $mutated;
        close $copy;
        my ($output, $status)
            = run("common/simt/simcc -Icommon -I$scratch/steps -c $scratch/steps/$step->{name}/$compiled -o $program.o"
                . " && \${CXX:-g++} -fopenmp $program.o @objects @common -o $program -lm");
        is($status, 0, "$where: compiles") or diag($output), next;
        my $how = caught($program);
        ok($how ne '', "$where: caught" . ($how ne '' ? " as a $how" : ''));
        $tried++;
    }
    run("cp $path $scratch/$path");
}

for my $step (@steps) {
    my ($library) = grep {-e} "steps/$step->{name}/sum_f32.cu";
    my $compiled = $library ? 'sum_f32.cu' : 'reduce.cu';
    for my $file ($compiled, map { m{([^/]+)$} } glob "steps/$step->{name}/*.h") {
        mutate($step, $file, $compiled);
    }
    for my $seed (1 .. 20) {
        my ($output, $status) = run("$step->{program} --check -n 20000 -b 64 --schedule $seed");
        is($status, 0, "$step->{name}, schedule $seed: clean") or diag $output;
    }
}
cmp_ok($tried, '>=', 25, "$tried barriers taken out");
done_testing();
