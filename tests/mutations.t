#!/usr/bin/env perl
# Proof by mutation: every barrier and fence in the kernels of steps, toolbox and library, and in
# their headers, is taken out, one at a time, and the simulator must notice: a race, a wrong sum, a
# deadlock or a barrier half used. One that nobody would miss has no place in a lesson. As they are,
# all kernels are clean. A program is compiled once, with a switch around each of its barriers.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

$ENV{SIMT_STRICT} = 1;    # a race by the memory model alone counts here

# __syncthreads(), __syncwarp(mask), __threadfence(), group.sync(), cluster.barrier_wait(), ...
my $name    = qr/__syncthreads\w*|__syncwarp|__threadfence\w*|(?:[\w:]+(?:\(\))?\s*\.\s*|cg::)?(?:sync|barrier_(?:arrive|wait))/;
my $barrier = qr/\b$name\s*\((?:[^()]|\([^()]*\))*\)/;
my $skipped = qr{/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"}s;

# (source) -> of each barrier: its offset, its length, its text, its line
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
            if $status == 1 && $output =~ /without having arrived|again before it waited|barrier of its cluster|may not have begun|may have ended/;
        return 'wrong sum' if $status == 1 && $output =~ / wrong\b/;
        $unwritten = 'read of what nobody wrote' if $status == 1 && $output =~ /: reads shared memory that no thread /;
    }
    diag $output if $unwritten eq '';
    return $unwritten;
}

# The large sizes are for kernels whose blocks take many elements each, for the library's cluster, and for rings of
# step 10 that go round.
# Toolbox: sizes of whole tiles and rows, since some of its variants take no others.
my @runs_of_sums  = ('-n 4097', '-n 1000 -b 64', '-n 30000,100000 -b 64', '-n 100000 -b 64 --sms 1', map {"-n 1000 -b 64 --schedule $_"} 1 .. 8);
my @runs_of_tools = ('-n 4097,8192', '-n 1000,2048 -b 64', '-n 32768 -b 64', map {"-n 1000,2048 -b 64 --schedule $_"} 1 .. 8);

# (file) -> the files of steps/, toolbox/ and library/ that it was compiled from, by the compiler's own list
sub compiled_from {
    my ($list) = slurp('build/sim/' . $_[0] =~ s/\.cu$/.d/r) =~ /\A[^:]*:((?:.*\\\n)*.*)/;
    return grep {m{^(?:steps|toolbox|library)/}} split /[\s\\]+/, $list;
}

# Of each program, for each file that it is compiled from: by which of its own files. A variant that is
# wrong on purpose, or cannot run here, shows nothing: they are left out.
# The library's kernels are tried by step 12, which calls them for every type and is linked with them, and those of the
# exact sum by step 13.
my ($library, %linked) = ('library', 'steps/12_types' => ['library/sum_f32.cu'], 'steps/13_exact' => ['library/sum_exact.cu']);

my (%of_program, %home);
my %left_out = ("$library/sum_all.cu" => 1);    # no step calls it; it has the barriers of nvlink_slots.cu
for my $program (@programs) {
    my ($folder, %users) = ($program->{folder});
    my %variant = map { $_->{variant} => $_ } variants($program->{program});
    for my $file (glob("$folder/*.cu"), @{ $linked{$folder} // [] }) {
        next if $file =~ m{/first\.cu$};    # a program of its own, without a barrier
        my $variant = $variant{ $file =~ s{.*/(\w+)\.cu$}{$1}r };
        my $out     = $variant && ($variant->{known_wrong} || !$variant->{runs_here});
        for my $part (compiled_from($file)) {
            $left_out{$part} = 1, next if $out;
            push @{ $users{$part} }, $file;
            $home{$part} = $folder if !$home{$part} || index($part, "$folder/") == 0 || grep { $_ eq $part } @{ $linked{$folder} // [] }
                or $folder =~ /_types$/ && index($part, "$library/") == 0;
        }
    }
    $of_program{$folder} = \%users;
}

# A pattern for each variant of these files: a variant that is named would have to take all sizes.
sub patterns {
    my ($list, @files) = @_;
    my %variant = map { $_->{variant} => 1 } @$list;
    my @names   = map {m{/(\w+)\.cu$}} @files;
    return '' if grep { !$variant{$_} } @names;    # a file of several variants
    return '-v ' . join ',', map {"'[" . substr($_, 0, 1) . ']' . substr($_, 1) . "'"} @names;
}

# Puts the switches into a copy of the file. Returns its barriers, which get the numbers from k on.
sub switches {
    my ($path, $k) = @_;
    my $source   = slurp($path);
    my @barriers = barriers($source);
    for my $i (reverse 0 .. $#barriers) {
        my ($offset, $length, $text) = @{ $barriers[$i] }{qw(offset length text)};
        substr($source, $offset, $length) = '(mutated(' . ($k + $i) . ") ? (void)0 : (void)$text)";
    }
    spew("$scratch/$path", $source);
    return @barriers;
}

# No pattern has floats far from the window, which go to limbs by atomics: tests/library.t takes out the barriers that
# only these need, in front of the atomics and behind the sums; and here memory is written in the order of the program.
sub unseen {
    my ($file, $offset, $text) = @_;
    my $from = substr slurp($file), $offset;
    return 1 if $from =~ m{\A__syncwarp\(\); /\* (?:in front of|behind) the atomics of all lanes};
    return 1 if $from =~ m{\A__syncthreads\(\); /\* behind the sums, for the flags};
    # The block has waited for all that others write there. compute-sanitizer knows but barriers, and wants one.
    return $from =~ m{\Acluster\.barrier_wait\(\); /\* nobody writes here any more};
}

my %tool  = map { $_->{name} => 1 } @tools;
my $tried = 0;
run("cp -r steps toolbox library $scratch/");
make_switch();

for my $program (@programs) {
    my ($name, $folder) = @$program{qw(name folder)};
    my ($users, @runs) = ($of_program{$folder}, $tool{$name} ? @runs_of_tools : @runs_of_sums);
    push @runs, '-n 5000 --pattern wide' if $name =~ /_exact$/;    # limbs
    my $rows = takes_rows($program->{program}) ? '--row 512' : '';
    my (%needed, @mutants);
    for my $file (grep { $home{$_} eq $folder } sort keys %$users) {
        my $which = patterns([variants($program->{program})], @{ $users->{$file} });
        for my $barrier (switches($file, scalar @mutants)) {
            push @mutants, { %$barrier, file => $file, which => $which };
            $needed{$_} = 1 for @{ $users->{$file} };
        }
    }
    my $mutated = "$scratch/mutated";
    my ($output, $status) = @mutants ? build_switched($mutated, $folder, sort keys %needed) : ('', 0);
    is($status, 0, "$name: built with switches") or diag($output), next;
    for my $k (0 .. $#mutants) {
        my ($file, $line, $text, $which) = @{ $mutants[$k] }{qw(file line text which)};
        my @these = unseen($file, $mutants[$k]{offset}, $text) ? @runs[0, 1] : @runs;
        my $how = caught("env MUTANT=$k $guard $mutated $which", map {"$_ $rows"} @these);
        $text =~ s/\s+//g;
        is($how, '', "$file:$line: without $text: not seen, as said above"), next if unseen($file, $mutants[$k]{offset}, $text);
        ok($how ne '', "$file:$line: without $text: caught" . ($how ne '' ? " as a $how" : ''));
        $tried++;
    }
    run("cp -r steps toolbox library $scratch/");    # whose switches have the numbers of this program
    my $long = $name =~ /_exact$/ ? 1 : 5;    # its memory for each thread makes them very long
    for my $seed (1 .. ($tool{$name} ? 8 : 20)) {    # of sums some long ones, and more short ones
        my $sizes = $tool{$name} ? "1000,2048 $rows" : $seed <= $long ? 20000 : 3000;
        ($output, $status) = run("$program->{program} --check -n $sizes -b 64 --schedule $seed");
        is($status, 0, "$name, schedule $seed: clean") or diag $output;
    }
}

my @missed = grep { !$home{$_} && !$left_out{$_} && barriers(slurp($_)) } map { glob "$_/*.cu $_/*.h" } $library, map { $_->{folder} } @programs;
is("@missed", '', 'no file with a barrier was missed');
cmp_ok($tried, '>=', 60, "$tried barriers taken out");
done_testing();
