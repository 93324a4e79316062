#!/usr/bin/env perl
# Proof by mutation: every barrier and fence in the steps' kernels and their headers is taken
# out, one at a time, and the simulator must notice: a race, a wrong sum, a deadlock or a
# barrier half used. One that nobody would miss has no place in a lesson. As they are, all
# kernels are clean. A step is compiled once, with a switch around each of its barriers.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# __syncthreads(), __syncwarp(mask), __threadfence(), group.sync(), cluster.barrier_wait(), ...
my $name    = qr/__syncthreads\w*|__syncwarp|__threadfence\w*|(?:[\w:]+(?:\(\))?\s*\.\s*|cg::)?(?:sync|barrier_(?:arrive|wait))/;
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

# How a mutated program was caught, or ''. Where a read of shared memory comes before any
# write, another schedule may have them the other way round, and then it is a race.
sub caught {
    my ($command, @runs) = @_;
    my ($output, $unwritten) = ('', '');
    for my $how (@runs) {
        ($output, my $status) = run("$command --check $how");
        return $1 if $status == 1 && $output =~ /^simulator: .* (race|deadlock)\b/m;
        return 'barrier half used'
            if $status == 1 && $output =~ /without having arrived|again before it waited|barrier of its cluster|may not have begun/;
        return 'wrong sum' if $status == 1 && $output =~ / wrong\b/;
        $unwritten = 'read of what nobody wrote' if $status == 1 && $output =~ /: reads shared memory that no thread /;
    }
    diag $output if $unwritten eq '';
    return $unwritten;
}

# The large sizes are for kernels whose blocks take many elements each, and for step 11's cluster.
# Toolbox: sizes of whole tiles and rows, since some of its variants take no others.
my @runs_of_sums  = ('-n 4097', '-n 1000 -b 64', '-n 30000,100000 -b 64', map {"-n 1000 -b 64 --schedule $_"} 1 .. 8);
my @runs_of_tools = ('-n 4097,8192', '-n 1000,2048 -b 64 --row 512', '-n 32768 -b 64', map {"-n 1000,2048 -b 64 --row 512 --schedule $_"} 1 .. 8);

sub text_of {
    my ($path) = @_;
    open my $handle, '<', $path or die "$path: $!";
    local $/;
    return <$handle>;
}

# The variants in the tables of these files that can run, each as a pattern: then it need not take
# all sizes. Where no file has a table, all whose names begin as the first file's.
sub variants_of {
    my ($list, @files) = @_;
    my @names = grep { $list =~ /^$_ .*\n(?!.*(?:specimen|cannot run here))/m }
        map { text_of($_) =~ /(?:[{(]|\.name =)\s*"(\w+)",/g } @files;
    return @names ? join ',', map {"'[" . substr($_, 0, 1) . ']' . substr($_, 1) . "'"} @names : $files[0] =~ s{.*/([a-z]+).*}{'$1*'}r;
}

my $tried  = 0;
run("cp -r steps $scratch/");
make_switch();

# Puts the switches into a copy of the file. Returns its barriers, which get the numbers from k on.
sub switches {
    my ($path, $k) = @_;
    my $source   = text_of($path);
    my @barriers = barriers($source);
    for my $i (reverse 0 .. $#barriers) {
        my ($offset, $length, $text) = @{ $barriers[$i] }{qw(offset length text)};
        substr($source, $offset, $length) = '(mutated(' . ($k + $i) . ") ? (void)0 : (void)$text)";
    }
    open my $copy, '>', "$scratch/$path" or die "$scratch/$path: $!";
    print $copy $source;
    close $copy;
    return @barriers;
}

for my $step (@steps) {
    my $folder   = "steps/$step->{name}";
    my $tools    = $step->{number} eq '08';
    my @compiled = grep {-e} $tools ? glob("$folder/*.cu") : -e "$folder/sum_f32.cu" ? "$folder/sum_f32.cu" : "$folder/reduce.cu";
    my %text     = map { $_ => text_of($_) } @compiled;
    my ($list)   = run("$step->{program} --list");
    my (%needed, @mutants);
    for my $file (@compiled, glob "$folder/*.h") {
        my ($name) = $file =~ m{([^/]+)$};
        # a header is in those that include it, or a header that does
        my @headers = grep { $_ eq $file || text_of($_) =~ /^#include ".*\b\Q$name"/m } glob "$folder/*.h";
        my @users = grep {
            my $text = $text{$_};
            $_ eq $file || grep { my ($header) = m{([^/]+)$}; $text =~ /^#include ".*\b\Q$header"/m } @headers
        } @compiled;
        my $which = $tools ? '-v ' . variants_of($list, @users) : '';
        for my $barrier (switches($file, scalar @mutants)) {
            push @mutants, { %$barrier, file => $file, which => $which };
            $needed{$_} = 1 for @users;
        }
    }
    my ($program, @files) = ("$scratch/mutated");
    for my $file (@mutants ? sort keys %needed : ()) {
        push @files, $file;
        my ($output, $status) = compile_switched($file);
        is($status, 0, "$file compiles with switches") or diag($output);
    }
    my ($output, $status) = @mutants ? link_switched($program, $folder, @files) : ('', 0);
    is($status, 0, "$step->{name}: linked with switches") or diag($output), next;
    for my $k (0 .. $#mutants) {
        my ($file, $line, $text, $which) = @{ $mutants[$k] }{qw(file line text which)};
        my $how = caught("env MUTANT=$k timeout 60 $program $which", $tools ? @runs_of_tools : @runs_of_sums);
        $text =~ s/\s+//g;
        ok($how ne '', "$file:$line: without $text: caught" . ($how ne '' ? " as a $how" : ''));
        $tried++;
    }
    for my $seed (1 .. ($tools ? 8 : 20)) {    # of sums some long ones, and more short ones
        my $sizes = $tools ? '1000,2048 --row 512' : $seed <= 5 ? 20000 : 3000;
        ($output, $status) = run("$step->{program} --check -n $sizes -b 64 --schedule $seed");
        is($status, 0, "$step->{name}, schedule $seed: clean") or diag $output;
    }
}
cmp_ok($tried, '>=', 25, "$tried barriers taken out");
done_testing();
