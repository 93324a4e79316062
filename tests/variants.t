#!/usr/bin/env perl
# tier: test more
# Every variant of the ladder and the toolbox: awkward sizes, admitted blocks, all patterns, unaligned starts, in pairs.
# One test for each answer. (Shuffled schedules are mutations.t's, and that these runs see a fault.) ONLY=scan: one program.
use strict;
use warnings;
use Test::More;
use FindBin;
use Fcntl ':flock';
use lib $FindBin::Bin;
use Common;

# Every two of a size, a block, a pattern and a start come together in some run; not every three. With blocks i, patterns j,
# starts (i + 2j) and every fifth size from (i + j) on, each value of one meets each of another. (mutations.t counts them.)
my @patterns = qw(uniform ones cancel huge nan);

sub in_pairs {
    my ($all_runs, $sizes, $blocks, $offsets, $rest) = @_;
    my @runs;
    for my $i (0 .. $#$blocks) {
        for my $j (0 .. $#patterns) {
            next if !$all_runs && ($i + 2 * $j) % 6;
            my @these = map { $sizes->[$_] } grep { $_ % @patterns == ($i + $j) % @patterns } 0 .. $#$sizes;
            my $block = $blocks->[$i] ? "-b $blocks->[$i] " : '';
            push @runs, '-n ' . join(',', @these) . " $block--pattern $patterns[$j] --offset " . $offsets->[($i + 2 * $j) % @$offsets] . $rest;
        }
    }
    return @runs;
}
my @sizes  = (0, 1, 2, 3, 31, 32, 33, 63, 64, 65, 255, 256, 257, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4097);
my @blocks = ('', 2, 33, 64, 96, 1000, 1024);
# The toolbox has more variants than the ladder, and takes fewer runs: sizes that divide into its
# tiles and rows, and that do not. --row is left out where there are no rows.
my @tool_sizes  = (0, 1, 31, 32, 33, 255, 257, 1000, 1023, 1024, 1025, 2048, 4095, 4097);
my @tool_blocks = ('', 2, 96, 100, 1024);
# On a GPU each run waits for its context, and makes its array anew: so one run has all large sizes. The last is 2^32 + 101.
my $large = $backend eq 'cuda' ? ',1111111,16M,256M,4294967397' : '';

# (whether all runs are made) -> those of a step, of a topic of the toolbox, and of a step of rows. make test has no time for
# all. On a GPU a run waits longer for its context than for its sums; so there, too, are few, which mutations.t finds the
# same with.
sub runs_of {
    my ($all_runs) = @_;
    my $more = $all_runs || $backend eq 'cuda';
    my @steps = (
    in_pairs($all_runs, \@sizes, \@blocks, [0, 1, 2, 3, 17], ''),
    '-n 4095,8191,8193,65537' . $large,    # several blocks, and several elements for a thread
    (map {"-n 20000 -b $_ --pattern positive"} 32, $all_runs ? 1024 : ()),
    (map {"-n 33,1000,4097 -b $_ --pattern ramp"} 3, 512, $all_runs ? (32, 100, 128, 992) : ()),
    (map {"-n 33,4097 --pattern nan --seed $_"} 2 .. ($all_runs ? 5 : 2)),
    $more ? ('-n 333333', '-n 65535,65536' . ($backend eq 'cuda' ? ',16M' : '') . ' --pattern ones', '-n 20001 --pattern cancel') : (),
    );
    my @tools = (
    in_pairs($all_runs, \@tool_sizes, \@tool_blocks, [0, 1, 2, 3], ' --row 256'),
    '-n 0,32,1024,2048,8193 --row 32,1K',
    '-n 2048 --pattern positive --row 512',
    (map {"-n 33,1024,4096 -b $_ --pattern ramp --row 256"} 512, $more ? 32 : ()),
    $more ? ('-n 4096,16384 --row 32,1K', '-n 65537' . ($backend eq 'cuda' ? ',333333,1111111' : ''), '-n 65536 --row 2K,8K,16K') : (),
    );
    return (\@steps, \@tools, [of_shapes($all_runs)]);
}
# Blocks that need each other, or take several tiles. (On a GPU all have that size.)
my %many_blocks = map { $_ => "-n 333333" } in_tier('more') && $backend ne 'cuda' ? qw(scan compact match) : ();

# A step of many answers: every operator with every shape of a matrix, and with every kind of ragged rows; patterns, starts
# and blocks in turn. Rows of 0 floats need a gap; a gap is not for ragged ones.
sub of_shapes {
    my ($all_runs) = @_;
    my @shapes = ([1, 0], [3, 2], [7, 0], [32, 0], [33, 1], [100, 0], [128, 4], [129, 0], [1000, 1], [4099, 0], [0, 3]);
    my @data   = ('', map {" --pattern $_"} qw(nan ones far cancel huge));
    my ($next, @runs) = (0);
    for my $operator (qw(sum maximum argmax mean_variance log_sum_exp norm)) {
        for my $shape (@shapes) {
            my ($row, $gap) = @$shape;
            my $k = $next++;
            next if !$all_runs && $k % 7;
            my $lengths = (qw(one_long random equal))[$k % 3];
            my $sizes = join ',', map { $_ * ($row + $gap) } $row < 1000 ? (0, 1, 31, 33, 70) : (0, 1, 3, 9);
            push @runs, "-n $sizes --row $row --operator $operator" . $data[$k % @data] . ' --offset ' . $k % 4
                . (qw(), map {" -b $_"} 64, 96, 1024, 32, 256)[$k % 5] . ($gap ? " --gap $gap" : " --lengths $lengths");
        }
    }
    # More rows and columns than a grid has warps, and blocks; and more tiles than ragged_even's has blocks.
    return (@runs, '-n 6000 --row 6000,10,1', '-n 16384 --row 4 --lengths random', '-n 65536 --row 4 --lengths random -v ragged_even',
        '-n 65536 --row 16K -b 64 --lengths one_long');
}
# Nothing twice: make test-more has what make test leaves.
my ($few, $every) = ([runs_of(0)], [runs_of($backend ne 'cuda')]);
my ($steps, $tools, $rows) = map {
    my %is_one_of_few = map { $_ => 1 } @{ $few->[$_] };
    [grep { in_tier($is_one_of_few{$_} ? 'test' : 'more') } @{ $every->[$_] }];
} 0 .. 2;
my @step_runs = @$steps;
my @tool_runs = @$tools;
my @row_runs  = @$rows;
push @row_runs, ('-n 16M --row 8,1K,64K', "-n 64M -v 'row_[!t]*','r[a]*','c*' --row 1,4M", "-n 4294967397 -v row_warp,row_slots --row 1431655799",
    '-n 16M --row 16 --lengths random --operator argmax', '-n 16000000 --row 100 --operator mean_variance') if $backend eq 'cuda';

push @tool_runs, ('-n 16M,256M --row 1K,16K', '-n 16M --pattern ones') if $backend eq 'cuda';

# Tests that run side by side have not all room for an array of 17 GB at once: $LARGE_AT_ONCE have. A step takes two
# whose variants sum in place, or doubles, or shares of several GPUs besides. Held until the value is gone; undef: not now.
sub turn_for_large {
    my $at_once = $ENV{LARGE_AT_ONCE} or return 'no need for one';
    my $wanted = $_[0] =~ /^(?:0[123]|12|14)_/ && $at_once > 1 ? 2 : 1;
    my @turns;
    for my $i (0 .. $at_once - 1) {
        open my $turn, '>', "$ENV{TIMES}/large.$i" or die "$ENV{TIMES}: $!";
        push @turns, $turn if flock $turn, LOCK_EX | LOCK_NB;
        return \@turns if @turns == $wanted;
    }
    return;
}

# What the runs are, for mutations.t.
if ("@ARGV" eq '--runs') {
    print map {"$_\n"} @step_runs;
    exit;
}
my $only = $ENV{ONLY} // '';
my %tool = map { $_->{name} => 1 } @tools;
for ((map { [$_, takes_rows($_->{program}) ? @row_runs : @step_runs] } @steps), (map { [$_, @tool_runs, $many_blocks{ $_->{name} } // ()] } @tools)) {
    my ($program, @runs) = @$_;
    next if $program->{name} !~ /^\Q$only\E/;
    my ($name, $rows, %seen) = ($program->{name}, takes_rows($program->{program}));
    my @queue = map { $rows ? $_ : s/ --row \S+//r } @runs;
    my $large_one = qr/\b\d{10}\b/;
    @queue = ((grep {/$large_one/} @queue), grep { !/$large_one/ } @queue);
    while (defined(my $run = shift @queue)) {
        my $csv = "$scratch/variants.csv";
        unlink $csv;
        my $turn = $run =~ $large_one ? turn_for_large($name) : 'no need for one';
        if (!$turn) { # after another one
            sleep 1 if !@queue;
            @queue ? splice(@queue, 1, 0, $run) : push @queue, $run;
            next;
        }
        my ($output, $status) = run("$program->{program} --check $run --csv $csv");
        my ($multiple) = $output =~ /takes an n that is a multiple of (\d+)/;
        if ($multiple && $tool{$name} && $run =~ /^-n ([\d,]+) /) {    # the next whole ones
            my %whole = map { $multiple * int(($_ + $multiple - 1) / $multiple) => 1 } split /,/, $1;
            $run =~ s/^-n \S+/'-n ' . join ',', sort { $a <=> $b } keys %whole/e;
            ($output, $status) = run("$program->{program} --check $run --csv $csv");
        }
        my $refused = $run =~ /-b / ? qr/takes blocks of/ : $tool{$name} ? qr/takes an n that/ : qr/^$/;
        if ($status == 2 && $output =~ /\A\S+: \w+ $refused [^\n]*\n\z/) {
            ok(!-e $csv, "$name $run: no variant takes that, and nothing is written");
            next;
        }
        is($status, 0, "$name $run: exit status") or diag $output;
        for my $row (rows($csv)) {
            $seen{ $row->{variant} }++;
            next if $row->{ok} eq '';    # a roof sums nothing
            my $length = $row->{row} eq '' ? '' : " row=$row->{row}";
            is($row->{ok}, 1, "$name $row->{variant} n=$row->{n}$length $run");
        }
    }
    # A variant that was never checked would pass unseen.
    my @expected = map { $_->{variant} } grep { $_->{runs_here} && !$_->{known_wrong} } variants($program->{program});
    cmp_ok(scalar @expected, '>', 0, "$name has variants");
    ok($seen{$_}, "$name $_ was run") for @expected;
}
done_testing();
