#!/usr/bin/env perl
# tier: test more
# Proof by mutation: every barrier and fence in the kernels of steps, toolbox and library, and in
# their headers, is taken out, one at a time, and the simulator must notice: a race, a wrong sum, a
# deadlock, a barrier half used or a copy that is not waited for. Those that it cannot notice stand in
# docs/robustness.md. As they are, all kernels are clean. A program is compiled once, with a switch
# around each of its barriers.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

$ENV{SIMT_STRICT} = 1;    # a race by the memory model alone counts here

# __syncthreads(), __syncwarp(mask), __threadfence(), group.sync(), cluster.barrier_wait(), full[k].wait_parity(p),
# __cluster_barrier_arrive_relaxed(), asm volatile("fence...") ...
my $object  = qr/[\w:]+(?:\(\)|\[\w+\])?\s*\.\s*|cg::/;
my $name    = qr/__syncthreads\w*|__syncwarp|__threadfence\w*|__cluster_barrier_\w+|cudaGridDependencySynchronize|asm\s+volatile(?=\("(?:fence|membar|bar))|(?:$object)?(?:sync|wait_parity|barrier_(?:arrive|wait))/;
my $barrier = qr/\b$name\s*\((?:[^()]|\([^()]*\))*\)/;
my $skipped = qr{/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"}s;

# (source) -> of each barrier: its offset, its length, its text, its line
sub barriers {
    my ($source) = @_;
    my @found;
    while ($source =~ /$skipped|($barrier)/g) {
        next if !defined $1 || $1 =~ /^__syncthreads_(?:count|and|or)/;    # whose value is needed
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
        return 'copy not waited for' if $status == 1 && $output =~ /asynchronous copy/;
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
my @runs_of_rows  = map { my $how = $_; map {"$_ $how"} '-n 1000', '-n 30000 -b 64', map {"-n 1000 -b 64 --schedule $_"} 1 .. 5 } '--row 100', '--row 500 --operator argmax';
push @runs_of_rows, '-n 30000 --row 5000 -b 64', '-n 30000 --row 10 -b 64', '-n 28000 --row 7000 -b 64';    # more rows, and columns, than blocks; longer than a tile
my @runs_of_tools = ('-n 4097,8192', '-n 1000,2048 -b 64', '-n 32768 -b 64', map {"-n 1000,2048 -b 64 --schedule $_"} 1 .. 8);

# (file) -> the files of steps/, steps/toolbox/ and library/ that it was compiled from, by the compiler's own list
sub compiled_from {
    my ($list) = slurp('build/sim/' . $_[0] =~ s/\.cu$/.d/r) =~ /\A[^:]*:((?:.*\\\n)*.*)/;
    return grep {m{^(?:steps|library)/}} split /[\s\\]+/, $list;
}

# Of each program, for each file that it is compiled from: by which of its own files. A variant that is
# wrong on purpose, or cannot run here, shows nothing: they are left out.
# The library's kernels are tried by step 12, which calls them for every type and is linked with them, and those of the
# exact sum by step 13.
my ($library, %linked) = ('library', 'steps/12_types' => ['library/sum_f32.cu'], 'steps/13_exact' => ['library/sum_exact.cu']);

my (%of_program, %home);
my @reduce   = map {"$library/reduce_$_"} qw(state.h meet.h even.h long.h rows.cu columns.cu segments.cu);
my %left_out = map { $_ => 1 } "$library/sum_all.cu", @reduce;    # no step calls them: they have their turn below
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
        my $taken_out = 'mutated(' . ($k + $i) . ')';
        substr($source, $offset, $length) = $text =~ /^asm/ ? "if (!$taken_out) $text" : "($taken_out ? (void)0 : (void)$text)";
    }
    spew("$scratch/$path", $source);
    return @barriers;
}

# Whether taking it out is not seen here: '' if it is; 'elsewhere' if tests/library.t sees it; or 'nowhere', which
# docs/robustness.md must name.
sub unseen {
    my ($file, $offset, $text) = @_;
    my $from = substr slurp($file), $offset;
    # No pattern has floats far from the window, which go to limbs by atomics. Only these need these barriers.
    return 'elsewhere' if $from =~ m{\A__syncwarp\(\); /\* in front of the atomics of all lanes};
    return 'elsewhere' if $from =~ m{\A__syncthreads\(\); /\* after the sums, for the flags};
    return 'nowhere' if $from =~ m{\A__syncwarp\(\); /\* after the atomics of all lanes};
    return 'nowhere' if $from =~ m{\Acluster\.barrier_wait\(\); /\* no block writes here any more};
    return $text =~ /fence\.proxy\.async|GridDependency/ ? 'nowhere' : '';
}

my %tool  = map { $_->{name} => 1 } @tools;
my ($tried, @not_seen) = (0);
run("cp -r steps library $scratch/");
make_switch();

my @tried = grep { in_tier($_->{name} =~ /shared|two_pass|single_pass|masks/ ? 'test' : 'more') } @programs;
for my $program (@tried) {
    my ($name, $folder) = @$program{qw(name folder)};
    my ($users, @runs) = ($of_program{$folder}, $tool{$name} ? @runs_of_tools : @runs_of_sums);
    push @runs, '-n 5000 --pattern wide' if $name =~ /_exact$/;    # limbs
    my $rows = $tool{$name} && takes_rows($program->{program}) ? '--row 512' : '';
    @runs = @runs_of_rows if !$tool{$name} && takes_rows($program->{program});
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
        if (my $where = unseen($file, $mutants[$k]{offset}, $text)) {
            is($how, '', "$file:$line: without $text: not seen here, as said above");
            push @not_seen, $file if $where eq 'nowhere';
            next;
        }
        ok($how ne '', "$file:$line: without $text: caught" . ($how ne '' ? " as a $how" : ''));
        $tried++;
    }
    run("cp -r steps library $scratch/");    # whose switches have the numbers of this program
    my $long = $name =~ /_exact$/ ? 1 : 5;    # its memory for each thread makes them very long
    for my $seed (1 .. (!in_tier('nightly') ? 4 : $tool{$name} ? 8 : 12)) {    # of sums some long ones, and more short ones
        my $sizes = $tool{$name} ? "1000,2048 $rows" : takes_rows($program->{program}) ? '1000,30000 --row 100' : $seed <= $long ? 20000 : 3000;
        ($output, $status) = run("$program->{program} --check -n $sizes -b 64 --schedule $seed");
        is($status, 0, "$name, schedule $seed: clean") or diag $output;
    }
}

# ---- the runs of variants.t ----

# Each size, block, pattern and start meets each of the others in some run.
chomp(my @plan = split /^/, (run('TESTS=all tests/variants.t --runs'))[0]);

# (runs) -> how many values of each there are, and which two never meet
sub pairs {
    my (%values, %together);
    for (@_) {
        my ($sizes, $block, $pattern, $offset) = /^-n (\S+) (?:-b (\d+) )?--pattern (\w+) --offset (\d+)$/ or next;
        for my $size (split /,/, $sizes) {
            my %run = (size => $size, block => $block // 'default', pattern => $pattern, offset => $offset);
            $values{$_}{ $run{$_} } = 1 for keys %run;
            for my $one (keys %run) { $together{"$one $run{$one} $_ $run{$_}"} = 1 for keys %run }
        }
    }
    my @missing;
    for my $one (qw(size block pattern offset)) {
        for my $other (grep { $_ gt $one } qw(size block pattern offset)) {
            push @missing, grep { !$together{$_} } map { my $a = $_; map {"$one $a $other $_"} keys %{ $values{$other} } } keys %{ $values{$one} };
        }
    }
    return (join(' ', map { "$_ " . keys %{ $values{$_} } } sort keys %values), @missing);
}
my ($many, @missing) = pairs(@plan);
is($many, 'block 7 offset 5 pattern 5 size 21', 'variants.t: so many values of each');
is("@missing", '', 'variants.t: each value of one with each of another');
(undef, @missing) = pairs(grep { !/-b 33 --pattern nan/ } @plan);
ok((grep { $_ eq 'block 33 pattern nan' } @missing), 'a run that is left out is missed') or diag "@missing";

# And a fault in a sum is seen by them, whatever brings it out: what is said, what instead, what brings it out.
my $file   = 'steps/04_shared/v6.cu';
my @faults = (
    ['tid + k * blockDim.x < count', 'tid + k * blockDim.x + mutated(0) < count', 'the last element of a block'],
    ['? idata[tid + k * blockDim.x]', '? idata[tid + k * blockDim.x + mutated(1)]', 'a neighbour in place of each'],
    ['k < LOADS', 'k < LOADS - mutated(2)', 'a block whose share is full'],
    ['stride > 32;', 'stride > 32u << mutated(3);', 'a block of 128 or more'],
    ['unsigned stride = 32;', 'unsigned stride = 32u >> mutated(4);', 'more than 32 threads with something'],
    ['float sum = 0.0f', 'float sum = mutated(5) && n > 1024 && blockDim.x == 64', 'a size and a block'],
    ['float sum = ', 'float sum = mutated(6) && (size_t)in % 16 == 12 && blockDim.x == 1024 || ', 'a start and a block'],
    ['smem[tid] = sum;', 'smem[tid] = mutated(7) && sum != sum ? 0.0f : sum;', 'NaN'],
    ['? 0.0f : sum;', '? 0.0f : mutated(8) ? 16.0f * sum / 16.0f : sum;', 'large numbers'],
    [': sum;', ': mutated(9) ? fabsf(sum) : sum;', 'negative numbers'],
);
my $source = slurp($file);
for (@faults) {
    my ($text, $instead, $what) = @$_;
    is($source =~ s/\Q$text\E/$instead/, 1, "v6.cu has the place for a fault: $what");
}
spew("$scratch/$file", $source);
my ($said, $made) = build_switched("$scratch/faulty", 'steps/04_shared', $file);
is($made, 0, 'v6 with faults in its sum') or diag $said;
for my $k (-1 .. $#faults) {
    my $seen = '';
    for my $how (@plan) {
        my ($output, $status) = run("MUTANT=$k $guard $scratch/faulty --check -v v6 $how");
        $seen = $how if $status == 1;
        last if $seen ne '';
    }
    is($seen, '', 'v6 as it is passes all runs of variants.t') if $k < 0;
    isnt($seen, '', "a fault that needs $faults[$k][2]: seen by $seen") if $k >= 0;
}
run("cp $file $scratch/$file");

done_testing(), exit unless in_tier('more');

# No step calls sum_all.cu: its contract does, on two GPUs. What it calls of the headers is tried above.
my @of_all = switches("$library/sum_all.cu", 0);
my ($output, $status) = run("simulator/simcc -g1 -Icommon -Isimulator -I$scratch/steps -I$scratch -include $scratch/switch.h -c $scratch/$library/sum_all.cu -o $scratch/all.o && $link $scratch/all.o $scratch/switch.o "
    . join(' ', map {"build/sim/$_.o"} map({"$library/$_"} qw(sum_f32 sum_f32_plan sum_all_comm)), 'tests/library/all') . " build/sim/libcommon.a -o $scratch/all -lm");
is($status, 0, 'sum_all.cu: built with switches') or diag $output;
for my $k (0 .. $#of_all) {
    my $seen = '';
    for my $seed (0 .. 4) {
        ($seen, $output) = until_said("env SIMT_GPUS=2 SIMT_SCHEDULE=$seed MUTANT=$k $guard $scratch/all", qr/^simulator: .*?\b(race|deadlock|without having arrived|reads shared memory)\b|^not ok \d+ - (.*)/);
        last if $seen ne '';
    }
    ok($seen ne '', "$library/sum_all.cu:$of_all[$k]{line}: without $of_all[$k]{text}: caught: $seen") or diag $output;
    $tried++;
}

# Nor reduce_rows.cu and its like: their contract does.
my @of_reduce;
for my $file (@reduce) { push @of_reduce, map { { %$_, file => $file } } switches($file, scalar @of_reduce) }
# Kernels without a barrier, of which the compiler would make most of its code, are left out.
for (['rows', qr/by_type<launch_short\w+, unsigned>\(.*?\)/], ['columns', qr/if \(plan->kind == COLUMNS_IN_A_THREAD\)\s+\Kreturn launch_reduction\(.*?\)(?=;)/s]) {
    my ($of, $launch) = @$_;
    my $switched = slurp("$scratch/$library/reduce_$of.cu");
    cmp_ok($switched =~ s/$launch/REDUCE_LAUNCH_FAILED/g, '>', 0, "reduce_$of.cu: without the kernels that have no barrier");
    spew("$scratch/$library/reduce_$of.cu", $switched);
}
my @compiled = map {s{.*/(\w+)\.cu$}{$1}r} grep {/\.cu$/} @reduce;
($output, $status) = run(join(' && ', map {"simulator/simcc -g1 -Icommon -Isimulator -I$scratch/steps -I$scratch -include $scratch/switch.h -c $scratch/$library/$_.cu -o $scratch/$_.o"} @compiled)
    . " && $link $scratch/switch.o " . join(' ', (map {"$scratch/$_.o"} @compiled), map {"build/sim/$_.o"} map({"$library/$_"} qw(sum_f32 sum_f32_plan reduce_plan)), 'tests/library/rows')
    . " build/sim/libcommon.a -o $scratch/reduce -lm");
is($status, 0, 'reduce_rows.cu and its like: built with switches') or diag $output;
for my $k (-1 .. $#of_reduce) {
    my ($seen, $where) = ('', $k < 0 ? '' : unseen($of_reduce[$k]{file}, $of_reduce[$k]{offset}, $of_reduce[$k]{text}));
    my @schedules = map {"SIMT_SCHEDULE=$_ MUTANT=$k $guard $scratch/reduce part blocks segments"} $k < 0 ? 0 : $where ? (0, 1) : (0 .. 4);
    # The second: one SM, so that a warp has several tiles in which many segments end. The third: rows that are staged, and turned. Then: teams of blocks.
    my @more = $where ? () : ("SIMT_SMS=1 MUTANT=$k $guard $scratch/reduce segments", "MUTANT=$k $guard $scratch/reduce part starts", "MUTANT=$k $guard $scratch/reduce part tiles");
    for my $how (shift @schedules, @more, @schedules) {
        ($seen, $output) = until_said("env $how", qr/^simulator: .*?\b(race|deadlock|without having arrived|reads shared memory|outside of an array)\b|^not ok \d+ - (.*)/);
        last if $seen ne '';
    }
    is($seen, '', 'reduce_rows.cu and its like pass as they are') or diag $output if $k < 0;
    next if $k < 0;
    if ($where) {
        is($seen, '', "$of_reduce[$k]{file}:$of_reduce[$k]{line}: without $of_reduce[$k]{text}: not seen here, as said above");
        push @not_seen, $of_reduce[$k]{file};
        next;
    }
    ok($seen ne '', "$of_reduce[$k]{file}:$of_reduce[$k]{line}: without $of_reduce[$k]{text}: caught: $seen") or diag $output;
    $tried++;
}

my @missed = grep { !$home{$_} && !$left_out{$_} && barriers(slurp($_)) } map { glob "$_/*.cu $_/*.h" } $library, map { $_->{folder} } @programs;
is("@missed", '', 'no file with a barrier was missed');
my ($named) = slurp('docs/robustness.md') =~ /^## Barriers, each taken out\n(.*?)^## /ms;
is(join(' ', sort @not_seen), join(' ', sort $named =~ /^\| \[[^]]+\]\(\.\.\/([^)]+)\)/mg), 'docs/robustness.md names each removal that passes');
cmp_ok($tried, '>=', 60, "$tried barriers taken out");
done_testing();
