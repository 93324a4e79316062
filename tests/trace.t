#!/usr/bin/env perl
# tier: more
# --trace: the file it writes, how that agrees with --counters, the pictures drawn from it
# (tools/draw/traces.py), and what is refused.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;
use Cwd;

my $root = quoted(getcwd);

sub trace_of {
    my ($arguments) = @_;
    my ($output, $status) = run("$arguments --trace $scratch/trace.csv");
    is($status, $arguments =~ /v6_volatile/ ? 1 : 0, "$arguments --trace") or diag $output;
    return Common::table(grep { !/^#/ } split /^/, slurp("$scratch/trace.csv"));
}

# The columns are those that --help explains.
run("./step01 -n 64 -b 64 --trace $scratch/trace.csv");
my ($version, $header) = split /\n/, (run("head -n 2 $scratch/trace.csv"))[0];
is($version, '# trace 2', 'the first line tells the version');
my ($help)   = run('./step01 --help');
like($help, qr/\b$_\b/, "--help explains the column $_") for $header =~ /\w+/g;

# Round 1 of v0: every second thread reads its element and the next, and writes its own.
my @v0 = trace_of('./step01 -n 64 -b 64 -v v0');
my @round = grep { $_->{epoch} == 0 } @v0;
is(join(' ', map { "$_->{kind} $_->{element}" } grep { $_->{warp} == 1 && $_->{lane} == 6 } @round),
    'load 38 load 39 store 38', 'v0, round 1: what thread 38 does, in its order');
is(scalar(grep { $_->{lane} % 2 } @round), 0, 'v0, round 1: threads with odd numbers are idle');
is(join(' ', sort { $a <=> $b } keys %{{map { $_->{step} => 1 } @round}}), '1 2 3', 'v0, round 1: three steps');
is(join(' ', map { "$_->{kind} $_->{array} $_->{element}" } @v0[-2, -1]), 'load in 0 store out 0', 'v0: at last the sum is written');
my %lines = map { $_->{line} => 1 } @v0;
for my $line (sort keys %lines) {
    my ($number) = $line =~ /^v0\.cu:(\d+)$/;
    my ($text) = run("sed -n ${number}p steps/01_interleaved/v0.cu");
    like($text, qr/idata\[/, "v0: $line has an access");
}

# The barriers that a thread came through: before each round of v3x8 its block's, before v4's tree one.
sub barriers {    # of which kind; how many came before each round of the tree
    my ($kind, $tree, @trace) = @_;
    my %count;
    $count{"$_->{epoch}"} = $_->{"${kind}_barriers"} for grep { $_->{lane} == 0 && $_->{warp} == 0 && $_->{line} =~ $tree } @trace;
    return join ' ', map { $count{$_} } sort { $a <=> $b } keys %count;
}
my @v3x8 = trace_of('./step03 -n 512 -b 64 -v v3x8');
my ($store) = map { $_->{line} } grep { $_->{kind} eq 'store' && $_->{epoch} == 0 } @v3x8;
is(barriers('block', qr/^(?!\Q$store\E)/, grep { $_->{epoch} > 0 } @v3x8), '1 2 3 4 5 6 7', 'v3x8: a barrier of the block before each round');
is(barriers('block', qr/^/, grep { $_->{epoch} > 0 } trace_of('./step03 -n 512 -b 64 -v v4')), '1 1 1 1 1 1 1', 'v4: one barrier of the block');
my @grid = trace_of('./step07 -n 4096 -b 64 --sms 1 -v cooperative');
is(join(' ', sort keys %{{map { $_->{grid_barriers} => 1 } @grid}}), '0 1', 'cooperative: one barrier of the grid');
is(join(' ', sort keys %{{map { $_->{grid_barriers} => 1 } grep { $_->{array} eq 'scratch' && $_->{kind} eq 'load' } @grid}}), '1',
    'cooperative: the partial sums are read after it');
is(join(' ', sort keys %{{map { $_->{cluster_barriers} => 1 } trace_of('./step10 -n 8192 -b 64 --sms 1 -v cluster_8')}}), '0 1 2',
    'cluster_8: two barriers of the cluster');

# Lanes that skip rounds meet the others again where the ways join.
my @volatile = trace_of('./step04 -n 512 -b 64 -v v6_volatile');
my %kinds;
$kinds{$_->{line}}{$_->{kind}} = 1 for grep { $_->{array} eq 'shared' } @volatile;
my ($tree) = grep { keys %{$kinds{$_}} == 2 } keys %kinds;    # the line that both loads and stores there
@volatile = grep { $_->{line} eq $tree } @volatile;
is(scalar(keys %{{map { $_->{step} => 1 } @volatile}}), 18, 'v6_volatile: six rounds of three steps, with no barrier');

# What the trace holds is what --counters counts, where one block does it all.
for my $case (['./step01 -n 64 -b 64', 'v0'], ['./step01 -n 61 -b 64', 'v1'], ['./step02 -n 64 -b 64', 'v2'],
    ['./step03 -n 500 -b 64', 'v4'], ['./step04 -n 512 -b 64', 'v6_interleaved'], ['./step05 -n 1000 -b 64', 'block_reduce'],
    ['./step07 -n 64 -b 64', 'cooperative'], ['./step09 -n 1000 -b 64', 'fixed_point'], ['./step09 -n 1000 -b 64', 'ticket']) {
    my ($program, $variant) = @$case;
    my @accesses = trace_of("$program -v $variant");
    run("$program -v $variant --counters --csv $scratch/counts.csv");
    my ($counts) = rows("$scratch/counts.csv");
    my (%request, %cost, %words);
    for (@accesses) {
        my $kind = $_->{array} eq 'shared' ? "shared $_->{kind}" : $_->{kind};
        my $key  = "$_->{step} $_->{warp}";
        $request{$kind}{$key} = 1;
        if ($kind =~ /shared/) { # the busiest bank of a request
            my $bank = $words{$key}{$_->{element} % 32} //= {};
            $bank->{$_->{element}} = 1;
            $cost{$kind}{$key} = keys %$bank if ($cost{$kind}{$key} // 0) < keys %$bank;
        } else {
            $cost{$kind}{"$key " . int($_->{element} / 8)} = 1; # sectors of 8 elements
        }
    }
    my $sum = sub { my $total = 0; $total += $_ for values %{$cost{$_[0]} // {}}; $total };
    my %traced = (gld_requests => scalar keys %{$request{load} // {}}, gst_requests => scalar keys %{$request{store} // {}},
        gld_sectors => $sum->('load'), gst_sectors => $sum->('store'),
        shared_ld_wavefronts => $sum->('shared load'), shared_st_wavefronts => $sum->('shared store'),
        atomics => scalar(grep { $_->{kind} eq 'atomic' } @accesses), shuffles => scalar keys %{$request{shuffle} // {}});
    is_deeply(\%traced, {map { $_ => $counts->{$_} } keys %traced}, "$variant: the trace and the counters agree");
    my %share = counted("$scratch/trace.csv", $variant, 0);
    is_deeply({map { $_ => $share{$_} } keys %traced, 'barriers'}, {map { $_ => $counts->{$_} } keys %traced, 'barriers'},
        "$variant: so do its line # block, barriers too");
}

# Where there are several blocks, their shares add up to what the launch counts.
sub counted {    # trace, variant, block -> what its line # block says
    my ($line) = slurp($_[0]) =~ /^# block \Q$_[1]\E,\d+,$_[2]: (.*)$/m;
    return map { split /=/ } split / /, $line // '';
}
for my $case (['./step05 -n 4096 -b 256 --trace-blocks 0,1', 'v7_atomic'], ['./step07 -n 4096 -b 256 --sms 1 --trace-blocks 0,1,2,3,4,5,6,7', 'cooperative'],
    ['./step10 -n 4096 -b 64 --sms 1 --trace-blocks 0,1,2,3,4,5,6,7', 'cluster_8']) {
    my ($program, $variant) = @$case;
    trace_of("$program -v $variant");
    my %grid = counted("$scratch/trace.csv", $variant, 0);
    run(($program =~ s/ --trace.*//r) . " -v $variant --counters --csv $scratch/counts.csv");
    my ($counts) = rows("$scratch/counts.csv");
    my @names = grep { $_ ne 'grid' && defined $counts->{$_} } sort keys %grid;
    my %sum;
    for my $block (0 .. $grid{grid} - 1) {
        my %share = counted("$scratch/trace.csv", $variant, $block);
        $sum{$_} += $share{$_} for @names;
    }
    is_deeply(\%sum, {map { $_ => $counts->{$_} } @names}, "$variant: $grid{grid} blocks add up to what --counters counts");
}
trace_of('./step01 -n 64 -b 64 -v v0 --offset 3');
is({counted("$scratch/trace.csv", 'v0', 0)}->{in_at}, 12, '--offset 3: the array begins 12 bytes past a sector');

# A race: the two threads and the word, and both accesses are in the trace.
@volatile = trace_of('./step04 -n 512 -b 64 -v v6_volatile');
my ($word, $met, $before, $text) = slurp("$scratch/trace.csv") =~ m{^# race v6_volatile,512,0: shared,(\d+) 0,(\d+),writes,\S+ 0,(\d+),read,\S+ \| (.*)$}m;
like($text, qr{^steps/04_shared/v6_volatile\.cu:\d+: sum_blocks: read-write race in shared memory: thread \($met,0,0\) .* overwrites what thread \($before,0,0\)},
    'a race: the line # race names the threads of the simulator\'s line');
for my $who ([$met, 'store'], [$before, 'load']) {
    my ($thread, $kind) = @$who;
    ok((grep { $_->{array} eq 'shared' && $_->{element} == $word && $_->{kind} eq $kind && $_->{warp} * 32 + $_->{lane} == $thread } @volatile),
        "a race: thread $thread has a $kind of word $word in the trace");
}

# Blocks in the order in which they were asked for; a shuffled schedule changes nothing.
my @two = trace_of('./step05 -n 1024 -b 64 -v atomic_per_block --trace-blocks 3,1');
my %seen;
is(join(' ', grep { !$seen{$_}++ } map { $_->{block} } @two), '3 1', '--trace-blocks 3,1');
is_deeply([trace_of('./step07 -n 1024 -b 64 --schedule 5')], [trace_of('./step07 -n 1024 -b 64')],
    'the trace does not depend on the schedule');
my ($both, $ok) = run("./step01 -n 64,128 -b 64 --trace - 2>$scratch/table");
is(join(' ', sort keys %{{map { join('/', (split /,/)[0, 1]) => 1 } grep { /^v/ && !/^variant/ } split /\n/, $both}}),
    'v0/128 v0/64 v1/128 v1/64', '--trace -: every variant and size, on standard output');

# The markers of the pages ask for traces that the player has; one that does not is found.
my ($said, $code) = run('tools/book/player/traces.py --check');
is($code, 0, 'the players of the pages have their traces') or diag $said;
run("mkdir -p $scratch/pages/tools/book/player $scratch/pages/docs && cp tools/book/player/traces.py $scratch/pages/tools/book/player");
for my $marker ('player: 01_interlaced v0 v1', 'player: 01_interleaved v0 v99', 'player: 01_interleaved') {
    spew("$scratch/pages/docs/page.md", "# A page\n\n<!-- $marker -->\n");
    refused("$scratch/pages/tools/book/player/traces.py --check", 1, qr{docs/page\.md:3: });
}

# Refused, and an earlier file stays as it was.
refused('./step01 --trace /nowhere/at/all.csv', 2, qr{cannot write the trace "/nowhere/at/all\.csv".*standard output});
refused("./step01 --trace ''",                 2, qr/cannot write the trace/);
refused('./step01 --trace',                    2, qr/--trace needs a value/);
refused('./step01 --trace-blocks 0',           2, qr/--trace FILE/);
refused('./step01 --trace x --trace-blocks y', 2, qr/--trace-blocks "y": it takes a whole number/);
refused('./step01 --trace x --trace-blocks 0,,1', 2, qr/--trace-blocks ""/);
refused('./step01 --trace x --trace-blocks ' . join(',', 1 .. 17), 2, qr/more than 16 blocks/);
refused('./step01 --trace - --csv -',          2, qr/both write to "-"/);
refused('./step01 --sms 0',                    2, qr/--sms "0": it takes a whole number from 1 to 256/);
run("echo earlier >$scratch/kept.csv");
my ($output, $status) = run("./step01 -n 64 -b 64 --trace $scratch/kept.csv --trace-blocks 0,9");
is($status, 2, 'a block that is not there: status 2');
like($output, qr/^\S*step01: --trace-blocks: no first launch had a block 9 .*\n\z/m, 'and a line that says so');
($output) = run("cat $scratch/kept.csv; ls $scratch | grep -c tmp");
is($output, "earlier\n0\n", 'and nothing is written');

# The pictures of this repository are those of its sources.
my $copy = "$scratch/repository";
run("mkdir -p $copy/build $copy/plots && cp -r tools steps library common $copy && ln -s $root/build/sim $copy/build/sim");
($output, $status) = run("$copy/tools/draw/traces.py");
is($status, 0, 'tools/draw/traces.py') or diag $output;
($output, $status) = run("diff -rq plots/trace $copy/plots/trace | grep -vE '^Only in plots/trace: (banks|trees|transpose).svg'");
is($output, '', 'plots/trace is what the programs draw today: make traces');

# A barrier that is missing in the trace is missing in the picture.
run("rm $copy/build/sim; mkdir $copy/build/sim; ln -s $root/build/sim/* $copy/build/sim/; rm $copy/build/sim/step03");
spew("$copy/build/sim/step03", qq{#!/bin/bash\n} . getcwd . qq{/build/sim/step03 "\$@" && sed -i 's/,3,0,0\$/,2,0,0/' "\${!#}"\n});
run("chmod +x $copy/build/sim/step03; $copy/tools/draw/traces.py v3x8");
my ($waits, $fewer) = map { scalar(() = slurp($_) =~ />block (?:barrier|waits)</g) } 'plots/trace/v3x8.svg', "$copy/plots/trace/v3x8.svg";
is("$waits $fewer", '7 5', 'v3x8: the block waits seven times; a barrier that is missing is noticed');
run("rm -r $copy/build/sim; ln -s $root/build/sim $copy/build/sim; $copy/tools/draw/traces.py v3x8");

# A trace that cannot be drawn: one line, and the pictures stay.
run("rm $copy/build/sim; mkdir $copy/build/sim; ln -s $root/build/sim/* $copy/build/sim/");

sub not_drawn {    # picture, what is wrong, what its program is now
    my ($picture, $what, $program, $script) = @_;
    unlink "$copy/build/sim/$program";
    open my $fake, '>', "$copy/build/sim/$program" or die;
    print $fake "#!/bin/bash\n$script\n";
    close $fake;
    run("chmod +x $copy/build/sim/$program; touch -d 2001-01-01 $copy/plots/trace/*");
    my ($message, $code) = run("$copy/tools/draw/traces.py v2 $picture");
    is($code, 1, "$picture, $what: status 1");
    like($message, qr/\Atraces\.py: .*\n\z/, "$picture, $what: one line") or diag $message;
    is(join(' ', grep { (stat)[9] > 1e9 } glob "$copy/plots/trace/*"), '', "$picture, $what: all pictures stay as they were");
}
not_drawn('v0', $_->[0], 'step01', "$root/build/sim/step01 \"\$@\" && sed -i '$_->[1]' \"\${!#}\"")
    for ['no header', '1d'], ['two blocks', '$s/,0,/,1,/'], ['an element that no loop comes to', '5s/,in,[0-9]*/,in,99999999999/'], ['no such file', 's/,v0\.cu:/,v99.cu:/'];
not_drawn('v0', 'a program that fails', 'step01', 'echo it failed; exit 1');
not_drawn('v0', 'a program without a trace', 'step01', 'exit 0');
unlink "$copy/build/sim/step01";
refused("$copy/tools/draw/traces.py v0", 1, qr{no program build/sim/step01: make traces builds it});
refused("$copy/tools/draw/traces.py v99", 2, qr/no picture "v99"/);
done_testing();
