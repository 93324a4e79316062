#!/usr/bin/env perl
# tier: nightly
# The comparisons. On the simulator the program itself, whose times say nothing there: with stand-ins for the rivals that
# need a GPU's libraries it writes the rows and columns of the recorded runs, and wrong sums are noticed.
# tools/measure/compare.py with stand-ins for the programs, for PyTorch and for the library: what it asks, what it writes, how it ends.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $program = 'build/sim/compare';
my ($output, $status) = run("make -s -j2 BACKEND=sim $program");
is($status, 0, 'the program is built') or BAIL_OUT($output);
my $objects = join ' ', (map {"build/sim/$_.o" =~ s/\.cu?\.o$/.o/r} glob('library/compare/*.c steps/14_many_gpus/compare/*')),
    (map {"build/sim/steps/14_many_gpus/$_.o"} qw(one_gpu host nccl nvlink_slots)), (map {"build/sim/library/$_.o"} qw(sum_f32 sum_exact sum_f32_plan reduce_rows reduce_columns reduce_segments reduce_plan reduce_depth));

# (name, source, options of the linker) -> the program, linked with this too
sub linked_with {
    my ($name, $options) = @_;
    ($output, $status) = run("\${CC:-gcc} -std=c11 -Wall -Wextra -Icommon -Isimulator/include -Isteps -I. -Ilibrary -c tests/compare/$name.c -o $scratch/$name.o && "
        . "$link $objects $scratch/$name.o $options build/sim/libcommon.a -lm -o $scratch/$name");
    is($status, 0, "the program with $name.c") or BAIL_OUT("it does not link: $output");
    return "$scratch/$name";
}

# The columns that say which time a row is.
sub key { my ($row) = @_; return join ' ', map { $row->{$_} // () } qw(gpus element pattern n offset cache launch rival kind loads threads) }

my $all = linked_with('rivals', '');
for (['floats', 'h200/compare', 4, ''], ['types', 'h200/types', 2, ''], ['exact', 'h200/exact', 1024, ''], ['gpus', 'h200x2/many_gpus', 2, '--gpus 2'],
     ['tune', 'h200/tune', 64, '']) {
    my ($subject, $file, $most, $options) = @$_;
    ($output, $status) = run("$all $subject --most $most $options --csv $scratch/$subject.csv");
    cmp_ok($status, '<=', 1, "$subject: status 0, or 1 where one is slower") or diag $output;    # times of the simulator
    my ($header) = slurp("$scratch/$subject.csv") =~ /^(.*)/;
    my %columns = map { $_ => 1 } split /,/, $header;
    is(join(' ', grep { !$columns{$_} } split /,/, (slurp("results/$file.csv") =~ /^(.*)/)[0]), '', "$subject: it has all columns of results/$file.csv");
    my @rows     = rows("$scratch/$subject.csv");
    my @recorded = grep { $_->{n} <= $most && (!$_->{gpus} || $_->{gpus} == 2) } rows("results/$file.csv");
    cmp_ok(scalar @recorded, '>=', 4, "$subject: there are recorded rows");
    my %recorded = map { key($_) => 1 } @recorded;    # what no page uses is not kept
    is(join("\n", grep { $recorded{$_} } map { key($_) } @rows), join("\n", map { key($_) } @recorded), "$subject: the rows of the recorded run, in its order");
    my @wrong = grep { my $row = $_; grep { !defined $row->{$_} || $row->{$_} eq '' && !/_error$/ } keys %$row } @rows;
    is(scalar @wrong, 0, "$subject: each field has something in it");
    @wrong = grep { defined $_->{ratio} && !($_->{low} <= $_->{ratio} && $_->{ratio} <= $_->{high}) } @rows;
    is(scalar @wrong, 0, "$subject: each ratio lies in its interval");
    unlike($output, qr/nearest float|GPU \d: /, "$subject: no sum is wrong") or diag $output;
    ok(!(grep { ($_->{ours_error} // 0) > 2 } @rows), "$subject: small errors of ours");
}
like((run("$all types --most 4 --quick --csv -"))[0], qr/^half,1,cold,graph,cub,(?!.*,2,cold|.*plain)/ms, '--quick: not every size, and no calls one after another');

# Rows and segments: every shape, operator and rival that a run is to have.
for (['rows', 'element,operator,of,columns,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds', 'element operator of columns rival'],
     ['segments', 'operator,of,segments,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds', 'operator of rival'],
     ['row_types', 'element,operator,of,columns,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds', 'element operator of columns rival'],
     ['segment_types', 'element,operator,of,segments,n,cache,launch,rival,ours_us,rival_us,ratio,low,high,rounds', 'element operator of rival']) {
    my ($subject, $columns, $key) = @$_;
    ($output, $status) = run("$all $subject --most 1K --quick --csv $scratch/$subject.csv");
    cmp_ok($status, '<=', 1, "$subject: status 0 or 1") or diag $output;
    unlike($output, qr/is wrong/, "$subject: no answer is wrong") or diag $output;
    is((slurp("$scratch/$subject.csv") =~ /^(.*)/)[0], $columns, "$subject: the columns");
    my @rows = rows("$scratch/$subject.csv");
    my %seen;
    for my $row (@rows) { $seen{join ' ', map { $row->{$_} } split ' ', $key}++ }
    my @cub = ('read', $subject =~ /^row/ ? 'cub_newer_rows' : (), qw(cub_newer_offsets cub_offsets));
    my @lengths = qw(hundred 4097 every_power);
    my %wanted = (
        segments => [map { my $of = $_; map { my $op = $_; map {"$op $of $_"} @cub } qw(sum max argmax) } 'three', @lengths, qw(half_empty one_of_all)],
        rows     => [map { my $n = $_; (map { my $op = $_; map {"float $op rows $n $_"} @cub } qw(sum max argmax)), (map {"float $_ rows $n read"} qw(mean_var log_sum_exp norm)),
            (map {"float $_ columns $n read"} qw(sum argmax mean_var log_sum_exp)) } 1, 16, 256, 3, 100, 1000],
        segment_types => [map { my $e = $_; map { my $of = $_; map { my $op = $_; map {"$e $op $of $_"} @cub } qw(sum max) } @lengths } qw(half bfloat16)],
        row_types     => [map { my $e = $_; map { my $n = $_; (map { my $op = $_; map {"$e $op rows $n $_"} @cub } qw(sum max)),
            (map {"$e $_ rows $n read"} qw(mean_var log_sum_exp)), (map {"$e $_ columns $n read"} qw(sum mean_var)) } 32, 1000 } qw(half bfloat16)],
    );
    my @wanted = @{ $wanted{$subject} };
    is(scalar keys %seen, scalar @wanted, "$subject: and no more");
    is(join(', ', grep { !$seen{$_} } @wanted), '', "$subject: nothing is missing");
    is(scalar(grep { $_ > 1 } values %seen), 0, "$subject: nothing is there twice");
    is(scalar(grep { !($_->{low} <= $_->{ratio} && $_->{ratio} <= $_->{high}) || $_->{ours_us} <= 0 } @rows), 0, "$subject: each ratio lies in its interval");
}

# What compare.py keeps of them: of CUB's ways the fastest for each shape, and the columns that pages use.
{
    my (%least, %left);
    for my $row (rows("$scratch/rows.csv")) {
        my $shape = join ' ', @$row{qw(operator of columns n)};
        $least{$shape} = $row->{rival_us} if $row->{rival} =~ /^cub/ && $row->{rival_us} < ($least{$shape} // 9e9);
    }
    spew("$scratch/kept.csv", (run("python3 -B -c \"import sys; sys.path[:0] = ['tools/measure', 'tools/pages']; import compare; print(compare.kept('rows', open(sys.argv[1]).read()), end='')\" $scratch/rows.csv"))[0]);
    $left{ join ' ', @$_{qw(operator of columns n)} } .= $_->{rival_us} for grep { $_->{rival} =~ /^cub/ } rows("$scratch/kept.csv");
    is(join(' ', map {"$_: $left{$_}"} sort keys %left), join(' ', map {"$_: $least{$_}"} sort keys %least), 'kept: of each shape the fastest of CUB');
    is((slurp("$scratch/kept.csv") =~ /^(.*)/)[0], 'operator,of,columns,n,rival,ours_us,rival_us,ratio', 'kept: the columns');
    for (['tune_rows', 'n,cache,kind,chosen,us', [split " ", q(8,cold,a,0,3 8,cold,b,1,2 8,cold,c,0,1)], '8,b,1,2 8,c,0,1'],
        ['types', 'n,cache,launch,rival,low', [split " ", q(2,warm,plain,cub,1 8,warm,graph,cub,1 8,cold,graph,cub,1)], '2,warm,plain,cub 8,cold,graph,cub'],
        ['compare', 'n,cache,launch,rival,ci', [split " ", q(8,warm,plain,cub,1 8,warm,plain,thrust,1 1024,warm,plain,thrust,1)], '8,warm,plain,cub 1024,warm,plain,thrust'],
        ['segments', 'n,rival,rival_us,low', [split " ", q(8,copy,1,1 268435456,copy,1,1 8,read,1,1 4194300,read,1,1)], '268435456,copy,1 4194300,read,1']) {
        my ($name, $header, $lines, $wanted) = @$_;
        spew("$scratch/given.csv", join '', map {"$_\n"} $header, @$lines);
        my ($left) = run("python3 -B -c \"import sys; sys.path[:0] = ['tools/measure', 'tools/pages']; import compare; print(*compare.kept('$name', open(sys.argv[1]).read()).split()[1:])\" $scratch/given.csv");
        is($left, "$wanted\n", "kept of $name.csv");
    }
}

# The plans of rows: of each shape one is chosen, and none is tried twice.
($output, $status) = run("$all tune_rows --most 4K --quick --csv $scratch/tune_rows.csv");
is($status, 0, 'tune_rows: status 0') or diag $output;
my (%tuned, %plans);
for my $row (rows("$scratch/tune_rows.csv")) {
    $tuned{"$row->{operator} $row->{of} $row->{columns}"} += $row->{chosen};
    $plans{"$row->{operator} $row->{of} $row->{columns} $row->{kind} $row->{parts}"}++;
}
is(join(', ', grep { $tuned{$_} != 1 } sort keys %tuned), '', 'tune_rows: one plan is the chosen one');
is(scalar keys %tuned, 4 * 2 * 4, 'tune_rows: all shapes');
is(join(', ', grep { $plans{$_} > 1 } sort keys %plans), '', 'tune_rows: none is tried twice');
is(scalar(grep { !$plans{$_} } 'sum rows 4 rows_in_a_thread 1', 'sum rows 32 rows_in_a_warp 1', 'argmax rows 256 warp_a_row 1', 'sum rows 2048 block_a_row 1', 'mean_var rows 2048 blocks_a_row 2',
    'sum columns 4 columns 1', 'sum columns 4 columns_in_a_thread 1'), 0, 'tune_rows: the kernels') or diag join "\n", sort keys %plans;

# Without the libraries of a GPU: what needs none of them.
($output, $status) = run("$program floats --most 1 --csv -");
is($status, 0, 'no CUB here: status 0') or diag $output;
is(join(' ', map { $_->{rival} } table_of($output)), join(' ', ('apart') x 6), 'and the rest is compared');

# (what the program printed, with the CSV at its end) -> rows
sub table_of {
    my ($header, @lines) = grep {/,.*,.*,.*,/} split /\n/, $_[0];
    my @columns = split /,/, $header;
    return map { my %row; @row{@columns} = split /,/, $_, -1; \%row } @lines;
}

my $wrong = linked_with('wrong', '-Wl,--wrap=sum_f32_exact -Wl,--wrap=sum_f32 -Wl,--wrap=reduce_rows');
for (['exact --most 1K', qr/^wide, n = 1024: \S+, and the nearest float is /m], ['gpus --gpus 2 --most 1', qr/^host, n = 1, GPU 0: /m],
    ['rows --most 1K --quick', qr/^sum rows 16, answer 0 of 64 is wrong$/m]) {
    my ($arguments, $line) = @$_;
    ($output, $status) = run("$wrong $arguments");
    is($status, 1, "$arguments, a wrong sum: status 1") or diag $output;
    like($output, $line, "$arguments, a wrong sum: said");
}
($output) = run("$wrong floats --most 1 --csv -");
cmp_ok((table_of($output))[0]{ours_error}, '>', 1e6, 'floats: a wrong sum is seen by its error');

for (['', qr/usage: compare floats\|/], ['--bad', qr/usage: /], ['floats bad', qr/usage: /], ['sums', qr/usage: /], ['floats --csv', qr/usage: /], ['floats --most x', qr/--most x: /],
    ['floats --most 0', qr/--most 0: at least 1/], ['floats --gpus 2', qr/gpus needs --gpus K, and no other/], ['gpus', qr/gpus needs --gpus K/],
    ['gpus --gpus 99', qr/--gpus 99: a number from 1 to 8/], ["floats --csv $scratch/none/x.csv", qr/the CSV file/], ['softmax', qr/make compare-softmax/]) {
    my ($arguments, $line) = @$_;
    ($output, $status) = run("ulimit -t 20; $program $arguments");
    is($status, 2, "compare $arguments: status 2");
    like($output, qr/\Acompare: [^\n]*$line[^\n]*\n\z/, "compare $arguments: one line");
}

# ---- compare.py, in a repository whose programs are scripts, with a stand-in for PyTorch, and one for the library ----
my $root = "$scratch/repository";
run("mkdir -p $root/build/cuda $root/rows $root/bin && cp -r tools $root/");

my $makefile = "build/cuda/%:;\n";
script("$root/Makefile", $makefile);
script("$root/build/cuda/compare", <<'SH');
for last; do :; done
[ -z "$FAKE_STATUS" ] || [ "$FAKE_STATUS" -le 1 ] || exit $FAKE_STATUS
printf 'header\n%s\n' "$*" >"$last"
[ "$1" = tune_rows ] || exit ${FAKE_STATUS:-0}
SH
for (['', "$root/build/cuda/libsum_f32.so"], ['-DWRONG', "$scratch/wrong.so"]) {
    ($output, $status) = run("\${CC:-gcc} -std=c11 -Wall -Wextra $_->[0] -shared -fPIC -I. -Isimulator/include tests/rows_torch/library.c -o $_->[1] -lm");
    is($status, 0, "a stand-in for the library of rows $_->[0]") or diag $output;
}
script("$root/build/cuda/machine", q(for pair; do list="$list, \"${pair%%=*}\": \"${pair#*=}\""; done; echo "{\"gpu\": \"Toy\"$list}"));
script("$root/small", "[ \"\$1\" = -c ] && exec python3 \"\$@\"\nshift\nexec python3 \"\$1\" rows \"\$3\" \"\${FAKE_LIBRARY:-\$4}\" 96,1000 1,8,1000 \$7\n");    # in place of 256M floats
script("$root/bin/nvidia-smi", "[ -n \"\$FAKE_NO_GPU\" ] || echo 'GPU 0: toy'\n");
my $torch = 'PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=' . quoted("$FindBin::Bin/rows_torch");

sub compare {
    my ($environment, $arguments) = @_;
    return run("cd $root && env PATH=$root/bin:\$PATH COMMIT=abc1234 PYTHON=$root/small $torch $environment tools/measure/compare.py $arguments");
}
sub contents { return -e $_[0] ? slurp($_[0]) : '' }

($output, $status) = compare('', 'rows rows --quick');
is($status, 0, 'compare.py rows: status 0') or diag $output;
is(join(' ', map {s{.*/}{}r} sort glob "$root/rows/*"), 'machine.json parts.csv rows.csv rows_torch.csv segments.csv tune_rows.csv', 'its files');
like(contents("$root/rows/$_.csv"), qr/\Aheader\n$_ --quick --csv \S+\n\z/, "what the program is asked: $_") for qw(rows segments tune_rows);
like(contents("$root/rows/machine.json"), qr/"commit": "abc1234",\n  "date": "20.*",\n  "torch": "2\.11\.0\+toy"\n\}/s, 'where and when, and which PyTorch');
like(contents("$root/rows/parts.csv"), qr/^compare_rows,abc1234,[0-9a-f]{12},\S+Z,\d+,rows\.csv rows_torch\.csv segments\.csv tune_rows\.csv$/m, 'the part');
my @torch_rows = rows("$root/rows/rows_torch.csv");
is(scalar @torch_rows, (2 + 3) * 10 * 2, 'PyTorch: a line for each shape, operator and rival: 1000 columns need 1000 elements');
is(scalar(grep { $_->{rival} eq 'torch_compile' && $_->{rival_us} < 15 || $_->{rival} eq 'torch' && $_->{rival_us} > 15 } @torch_rows), scalar @torch_rows,
    'PyTorch: the times are those of each');
($output, $status) = compare('FAKE_STATUS=1', 'row_types rows --quick');
is($status, 1, 'a sum that is slower or wrong: status 1') or diag $output;
is(join(' ', sort { $a cmp $b } keys %{ { map { $_->{element} => 1 } rows("$root/rows/row_types_torch.csv") } }), 'bfloat16 half', 'and the rest is written, for both types');
run("echo earlier >$root/rows/rows.csv");
for (['FAKE_STATUS=77', 77, qr/^/, 'no GPU for it'], ["FAKE_LIBRARY=$scratch/wrong.so", 1, qr/^with_torch\.py: float: sum of rows: a wrong answer, 96 x 1, off by/m, 'a wrong answer of ours']) {
    my ($environment, $wanted, $line, $what) = @$_;
    ($output, $status) = compare($environment, 'rows rows');
    is($status, $wanted, "$what: status $wanted") or diag $output;
    like($output, $line, "$what: said");
    is(contents("$root/rows/rows.csv"), "earlier\n", "$what: what was there stays");
}
($output, $status) = compare('FAKE_TORCH=nocompiler', 'rows rows');
like($output, qr/^float sum 8: torch\.compile fails: no Triton here$/m, 'torch.compile fails: one line');
is(join(' ', sort { $a cmp $b } keys %{ { map { $_->{rival} => 1 } rows("$root/rows/rows_torch.csv") } }), 'torch', 'and the rest is timed');
($output, $status) = compare('FAKE_TORCH=nogpu', 'rows rows');
is("$status " . (-e "$root/rows/rows_torch.csv" ? 'there' : 'gone'), '0 gone', 'PyTorch finds no GPU: ours alone, and no older one of PyTorch beside it') or diag $output;
run("mkdir -p $root/newer/cuda/std/__cccl && echo '#define CCCL_VERSION 3005000' >$root/newer/cuda/std/__cccl/version.h");
compare('CCCL=newer', 'exact rows');
like(contents("$root/rows/machine.json"), qr/"newer_cccl": "3005000"/, 'which newer CUB');
script("$root/Makefile", "\$(error it builds)\n");    # what is wrong is reported before
for (['', 'gpus more', 77, qr/1 GPUs here, two are needed/], ['', 'gpus rows', 2, qr/rows holds the results of one GPU: choose another folder/],
    ['', '', 2, qr/usage: /], ['', 'floats', 2, qr/usage: /], ['', 'sums rows', 2, qr/usage: /], ['', 'floats rows --slow', 2, qr/usage: /], ['', 'floats none', 2, qr/no folder none: /],
    ['', 'softmax rows --quick', 2, qr/no --quick/], ['FAKE_NO_GPU=yes', 'floats rows', 77, qr/no GPU here that nvidia-smi finds/]) {
    my ($environment, $arguments, $expected, $line) = @$_;
    ($output, $status) = compare($environment, $arguments);
    is($status, $expected, "compare.py $arguments: status $expected");
    like($output, qr/\A[^\n]*$line[^\n]*\n\z/, "compare.py $arguments: one line");
}
($output) = compare("PYTHON=$root/none", 'rows rows');
like($output, qr{\Asetup\.sh: PyTorch is missing in \Q$root\E/none: PYTHON=\.\.\. names [^\n]*\n\S*: \*\*\* it builds}, 'no PyTorch: one line, before the build');
done_testing();
