#!/usr/bin/env perl
# The comparisons. On the simulator the program itself, whose times say nothing there: with stand-ins for the rivals that
# need a GPU's libraries it writes the rows and columns of the recorded runs, and wrong sums are noticed.
# tools/measure/compare.sh with stand-ins for the programs: what it asks of them, what it writes, how it ends.
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
    (map {"build/sim/steps/14_many_gpus/$_.o"} qw(one_gpu host nccl nvlink_slots)), (map {"build/sim/library/$_.o"} qw(sum_f32 sum_exact sum_f32_plan reduce_rows reduce_columns reduce_segments reduce_plan));

# (name, source, options of the linker) -> the program, linked with this too
sub linked_with {
    my ($name, $options) = @_;
    ($output, $status) = kept("\${CC:-gcc} -std=c11 -Wall -Wextra -Icommon -Isimulator/include -Isteps -I. -Ilibrary -c tests/compare/$name.c -o $scratch/$name.o && "
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

# ---- compare.sh, in a repository whose programs are scripts ----
my $torch = 'PYTHONPATH=' . quoted("$FindBin::Bin/softmax") . ' PYTHONDONTWRITEBYTECODE=1';
my $rows_torch = $torch =~ s/softmax/rows_torch/r;
my $root  = "$scratch/repository";
run("mkdir -p $root/build/cuda $root/out $root/bin && cp -r tools $root/");

sub script {
    my ($path, $text) = @_;
    spew($path, $text);
    chmod 0755, $path;
}
my $makefile = "build/cuda/%:;\nnccl-header:; \@echo nccl.h\n";
script("$root/Makefile", $makefile);
spew("$root/nccl.h", "#define NCCL_MAJOR 2\n#define NCCL_MINOR 3\n#define NCCL_PATCH 4\n");
spew("$root/ran.csv", slurp('results/h200x2/14_many_gpus.csv'));
script("$root/build/cuda/$_", <<'SH') for qw(compare softmax step14);
#!/bin/sh
[ "$1" != --list ] || exit 0
for last; do :; done
[ -z "$FAKE_STATUS" ] || [ "$FAKE_STATUS" -le 1 ] || exit $FAKE_STATUS
[ "${0##*/}" != step14 ] || head -2 ran.csv >"$last"
[ "${0##*/}" = step14 ] || printf 'header\n%s\n' "$*" >"$last"
exit ${FAKE_STATUS:-0}
SH
my ($stub, $failed) = run("\${CC:-gcc} -std=c11 -Wall -Wextra -shared -fPIC -I. -Isimulator/include tests/rows_torch/library.c -o $root/build/cuda/libsum_f32.so -lm && "
    . "\${CC:-gcc} -std=c11 -DWRONG -shared -fPIC -I. -Isimulator/include tests/rows_torch/library.c -o $scratch/wrong.so -lm");
is($failed, 0, 'a stand-in for the library of rows') or diag $stub;
script("$root/build/cuda/step08", "#!/bin/sh\necho sweep\n");
script("$root/build/cuda/machine", "#!/bin/sh\nfor pair; do echo \$pair; done\ncase \"\$*\" in *only=14*) echo '\"only\": \"14_many_gpus\"' ;; esac\n");
script("$root/small", "#!/bin/sh\ncase \$1 in *_sum.py) exec python3 -c 'import torch' ;; *_rows.py) exec python3 \"\$1\" \"\$2\" \"\$3\" 96 8,32 \$6 ;; esac\nexec python3 \"\$1\" \"\$2\" 32 96\n"); # in place of 256M floats
script("$root/bin/nvidia-smi", <<'SH');
#!/bin/sh
[ -z "$FAKE_NO_GPU" ] || exit 0
case $1 in
-L) i=0; while [ $i -lt ${FAKE_GPUS:-1} ]; do echo "GPU $i: toy"; i=$((i + 1)); done ;;
nvlink) printf 'GPU 0: toy\n\t Link 0: 26 GB/s\n\t Link 1: 26 GB/s\n' ;;
topo) echo 'GPU0 GPU1' ;;
esac
SH
sub compare {
    my ($environment, $arguments) = @_;
    return run("cd $root && env PATH=$root/bin:\$PATH COMMIT=abc1234 PYTHON=$root/small $environment tools/measure/compare.sh $arguments");
}
sub contents { return -e $_[0] ? slurp($_[0]) : '' }

for (['floats', 'compare', 'floats', qw(compare.csv compare.json sweep.csv tune.csv)], ['types', 'types', 'types', qw(types.csv types.json)],
     ['exact', 'exact', 'exact', qw(exact.csv exact.json)], ['rows', 'rows', 'rows', qw(rows.csv rows.json rows_torch.csv segments.csv segments.json tune_rows.csv)],
     ['row_types', 'row_types', 'row_types', qw(row_types.csv row_types.json row_types_torch.csv segment_types.csv segment_types.json)], ['gpus', 'many_gpus', 'gpus', qw(14_many_gpus.csv machine.json many_gpus.csv topology.txt variants.csv)]) {
    my ($subject, $name, $program, @files) = @$_;
    my $environment = ($subject =~ /^row/ ? $rows_torch : $torch) . ' FAKE_GPUS=2';
    mkdir "$root/$subject" unless $subject eq 'gpus';    # which makes it
    ($output, $status) = compare($environment, "$subject $subject --quick");
    is($status, 0, "compare.sh $subject: status 0") or diag $output;
    is(join(' ', map {s{.*/}{}r} sort glob "$root/$subject/*"), "@files", "$subject: its files");
    my $asked = $subject eq 'gpus' ? qr{\Aheader\ngpus --gpus 1 --quick --csv \S+/1\.csv\ngpus --gpus 2 --quick --csv \S+/2\.csv\n\z} : qr/\Aheader\n$program --quick --csv \S+\n\z/;
    like(contents("$root/$subject/$name.csv"), $asked, "$subject: what the program is asked");
    my $facts = $subject eq 'gpus' ? qr/processes=3\nonly=14_many_gpus\ngpus=2\nnvlinks=2\nnccl=2\.3\.4/ : qr/date=20/;
    like(contents("$root/$subject/" . ($subject eq 'gpus' ? 'machine' : $name) . '.json'), qr/commit=abc1234\n.*$facts/s, "$subject: where and when");
    spew("$root/$subject/$name.csv", "earlier\n");
    ($output, $status) = compare("$environment FAKE_STATUS=77", "$subject $subject");
    is($status, 77, "$subject, no GPU for it: status 77");
    is(contents("$root/$subject/$name.csv"), "earlier\n", 'and what was there stays');
    next if $subject eq 'gpus';
    ($output, $status) = compare("$environment FAKE_STATUS=1", "$subject $subject") ;
    is($status, 1, "$subject, a sum that is slower or wrong: status 1");
    if ($subject eq 'floats' || $subject eq 'rows') {
        is(contents("$root/$subject/$name.csv"), "earlier\n", 'tune: an error ends it');
    } else {
        isnt(contents("$root/$subject/$name.csv"), "earlier\n", 'and the rest is written');
    }
}
like(contents("$root/floats/tune.csv"), qr/tune --quick --csv/, 'floats: the plans, too');
like(contents("$root/rows/$_.csv"), qr/\Aheader\n$_ --quick --csv/, "rows: $_, too") for qw(segments tune_rows);
like(contents("$root/row_types/segment_types.csv"), qr/\Aheader\nsegment_types (?:--quick )?--csv/, 'row_types: segments, too');
is(join(' ', sort { $a cmp $b } keys %{ { map { $_->{element} => 1 } rows("$root/row_types/row_types_torch.csv") } }), 'bfloat16 half', 'row_types: PyTorch is asked for both types');
like(contents("$root/rows/rows.json"), qr/torch=2\.11\.0\+toy/, 'rows: which PyTorch');

# ---- rows beside PyTorch, with stand-ins for it and for the library ----
sub torch_rows {
    my ($environment, $arguments) = @_;
    return run("env $rows_torch $environment python3 tools/measure/time_torch_rows.py $arguments");
}
my $stub_library = "$root/build/cuda/libsum_f32.so";
($output, $status) = torch_rows('', "$scratch/rows_torch.csv $stub_library 96,1000 1,8,1000");
is($status, 0, 'time_torch_rows.py: status 0') or diag $output;
my @torch_rows = rows("$scratch/rows_torch.csv");
is(scalar @torch_rows, (2 + 3) * 10 * 2, 'a line for each shape, operator and rival: 1000 columns need 1000 elements');
is(scalar(grep { $_->{rival} eq 'torch_compile' && $_->{rival_us} < 15 || $_->{rival} eq 'torch' && $_->{rival_us} > 15 } @torch_rows), scalar @torch_rows,
    'the times are those of each');
# Of two bytes: PyTorch's sums are asked for in floats, which the stand-in looks at.
is(scalar(grep { $_->{element} ne 'float' } @torch_rows), 0, 'floats, where no type is named');
($output, $status) = torch_rows('', "$scratch/types_torch.csv $stub_library 96 8 half,bfloat16");
is($status, 0, 'time_torch_rows.py, two types: status 0') or diag $output;
is(scalar rows("$scratch/types_torch.csv"), 2 * (4 + 2) * 2, 'a line for each type, operator and rival');
($output, $status) = torch_rows('', "$scratch/none.csv $scratch/wrong.so 96 8 bfloat16");
like($output, qr/^time_torch_rows\.py: bfloat16: sum of rows: a wrong answer, 12 x 8, off by/m, 'a wrong answer of such a type is seen');
($output, $status) = torch_rows('FAKE_TORCH=nocompiler', "$scratch/rows_torch.csv $stub_library 96 8");
is($status, 0, 'torch.compile fails: status 0') or diag $output;
like($output, qr/^float sum 8: torch\.compile fails: no Triton here$/m, 'torch.compile fails: one line');
is(join(' ', sort { $a cmp $b } keys %{ { map { $_->{rival} => 1 } rows("$scratch/rows_torch.csv") } }), 'torch', 'and the rest is timed');
for (['FAKE_TORCH=', "$scratch/none.csv $scratch/wrong.so 96 8", 1, qr/sum of rows: a wrong answer, 12 x 8, off by/],
    ['FAKE_TORCH=nogpu', "$scratch/none.csv $stub_library 96 8", 77, qr/finds no GPU/], ['FAKE_TORCH=', "$scratch/none.csv", 2, qr/usage: /],
    ['FAKE_TORCH=', "$scratch/none.csv $stub_library 96 x", 2, qr/usage: /], ['FAKE_TORCH=', "$scratch/none.csv $stub_library 96 8 double", 2, qr/usage: /]) {
    my ($environment, $arguments, $expected, $line) = @$_;
    ($output, $status) = torch_rows($environment, $arguments);
    is($status, $expected, "time_torch_rows.py: status $expected") or diag $output;
    like($output, qr/^time_torch_rows\.py: [^\n]*$line/m, 'time_torch_rows.py: it says why');
    ok(!-e "$scratch/none.csv", 'and writes nothing');
}
run("mkdir -p $root/newer/cuda/std/__cccl && echo '#define CCCL_VERSION 3005000' >$root/newer/cuda/std/__cccl/version.h");
compare('CCCL=newer', 'exact exact');
like(contents("$root/exact/exact.json"), qr/newer_cccl=3005000/, 'which newer CUB');
spew("$root/exact/machine.json", "{}\n");
for (['FAKE_GPUS=1', 'gpus more', 77, qr/1 GPUs here, two are needed/], ['FAKE_GPUS=2', 'gpus exact', 2, qr/exact holds the results of one GPU: choose another folder/],
    ['', '', 2, qr/usage: /], ['', 'floats', 2, qr/usage: /], ['', 'sums out', 2, qr/usage: /], ['', 'floats out --slow', 2, qr/usage: /], ['', 'floats none', 2, qr/no folder none: /],
    ['', 'softmax out --quick', 2, qr/no --quick/], ['FAKE_NO_GPU=yes', 'floats out', 77, qr/no GPU here that nvidia-smi finds/]) {
    my ($environment, $arguments, $expected, $line) = @$_;
    ($output, $status) = compare($environment, $arguments);
    is($status, $expected, "compare.sh $arguments: status $expected");
    like($output, qr/\A[^\n]*$line[^\n]*\n\z/, "compare.sh $arguments: one line");
}

# ---- softmax, which has its own program, and PyTorch for a rival ----
sub softmax { return compare($_[0], "softmax $_[1]") }
($output, $status) = softmax($torch, 'out');
is($status, 0, 'compare.sh softmax: status 0') or diag $output;
like(contents("$root/out/softmax.csv"), qr/-n 1048576,16777216,268435456 --row 32,64,.*,16384 --csv/, 'ours is asked for all rows and sizes');
is(scalar rows("$root/out/softmax_torch.csv"), 1, 'PyTorch is asked, too');
like(contents("$root/out/softmax.json"), qr/commit=abc1234\ndate=20.*torch=2\.11\.0\+toy\n/s, 'where and when, and which PyTorch');
($output, $status) = softmax("$torch FAKE_TORCH=wrong", 'out');
is($status, 1, 'a wrong answer of PyTorch: status 1');
ok(-e "$root/out/softmax_torch.csv", 'and what was there stays');
($output, $status) = softmax("$torch FAKE_STATUS=77", 'out');
is($status, 77, 'no GPU: status 77');
ok(-e "$root/out/softmax_torch.csv", 'and what was there stays');
($output, $status) = softmax("$torch FAKE_TORCH=nogpu", 'out');
is($status, 77, 'no PyTorch: status 77');
ok(-e "$root/out/softmax.csv" && !-e "$root/out/softmax_torch.csv", 'ours alone, and no older one of PyTorch beside it');
unlike(contents("$root/out/softmax.json"), qr/torch/, 'which is not named');
# What is missing is reported before anything is built.
script("$root/Makefile", "\$(error it builds)\n");
($output, $status) = softmax("$torch FAKE_NO_GPU=yes", 'out');
is("$status $output", "77 setup.sh: no GPU here that nvidia-smi finds; look after the driver\n", 'no GPU: one line, before the build');
($output, $status) = softmax("PYTHON=$root/none", 'out');
like($output, qr{\Asetup\.sh: PyTorch is missing in \Q$root\E/none: PYTHON=\.\.\. names [^\n]*\n\S*: \*\*\* it builds}, 'no PyTorch: one line, before the build');
script("$root/Makefile", $makefile);
($output, $status) = softmax("PYTHON=$root/none", 'out');
is($status, 77, 'no such PYTHON: status 77');
ok(-e "$root/out/softmax.csv" && !-e "$root/out/softmax_torch.csv", 'and ours alone');
done_testing();
