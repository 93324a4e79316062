#!/usr/bin/env perl
# tier: test
# Bad input: one line that says what is wrong and what would work, a status that is
# not zero, and nothing half-written.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# What the command line and a variant take is tried in unit/options.c and unit/plan.c.
refused('./step01 --frobnicate',           2, qr/frobnicate.*--help/);
refused("./step01 -v \"\$(printf 'a\\nb\\033[31m')\"", 2, qr/no variant "a\?b\?\[31m" here/);
like((run('LC_ALL=zh_CN.UTF-8 ./step01 --frobnicate 2>&1'))[0], qr/frobnicate.*\n    中文：没有这个选项.*\n$/, 'in Chinese, too');
refused('./step01 -é',                     2, qr/no option -é;/);
refused("./step01 -n 10 $_",               2, qr/"x" belongs to no option/) for 'x -q', '-- x';
refused("POSIXLY_CORRECT=1 ./step01 x -q", 2, qr/"x" belongs to no option/);
refused('SIMT_SCHEDULE=abc ./step01 -n 10 2>&1 >/dev/null', 1, qr/SIMT_SCHEDULE=abc: a whole number/);
refused('./step01 -n 1G',                  2, qr/memory/);
refused('./step01 --list --csv /nowhere/at/all.csv', 2, qr{/nowhere/at/all\.csv});
refused('./step01 --csv /nowhere/at/all.csv -n 10', 2, qr{/nowhere/at/all\.csv});
refused("./step01 --csv $scratch -n 10",   2, qr/\Q$scratch\E/);

refused('./step05 --demo --csv x',          2, qr/--demo prints what it finds, and writes no file/);
refused('./step01 -n 10 --csv ' . 'x' x 300, 2, qr/File name too long/);
refused("build/sim/$_ --help",             2, qr/$_: "--help": there are no options/) for qw(absent_lanes levels shuffle_cost subnormals vote_cost);
refused("ln -s \"\$PWD\"/run_all.sh $scratch/run; $scratch/run --nope 2>&1; s=\$?; rm $scratch/run; exit \$s", 2, qr/run_all.sh: unknown option --nope/);
refused('tools/measure/measure.py nope',   2, qr/usage: .*results.*gpu/);
refused('tools/measure/measure.py counters-sim --help', 2, qr/usage: .*FILE/);
refused('tools/measure/measure.py gpu results/sim', 2, qr/that folder is of no GPU/);
refused('RUN_ALL_APT=no ./run_all.sh --out tools', 2, qr/holds something else than results/);

my ($skipped, $code) = run('./step00 -v cub');
is($code, 77, 'nothing that could run here: 77');
like($skipped, qr/cub.*nvcc/, 'and the reason');

# A run that fails leaves an earlier file as it was, and leaves no other.
my $csv = "$scratch/kept.csv";
run("echo earlier >$csv");
run("./step01 -n 10 -v v0 --csv $csv -b 1");
run("./broken --check -n 1000 -v one_too_many --csv $csv");
my ($output) = run("cat $csv; ls $scratch");
is($output, "earlier\nkept.csv\n", 'a run that stops half-way writes nothing');

for my $program (@programs) {
    my (undef, $status) = run("$program->{program} --help");
    is($status, 0, "$program->{name} --help");
    (undef, $status) = run("$program->{program} --list");
    is($status, 0, "$program->{name} --list");
}

# make, too: a compiler that is too old, an ARCH that is none; one of the environment may be of something else.
script("$scratch/gcc", "echo 11.4.0\n");
script("$scratch/clang", "[ \"\$1\" = --version ]\n");    # of a version that has no _Float16
for (["CXX=$scratch/clang step01", qr/\Amake: \S+clang has no type _Float16; the simulator needs gcc and g\+\+ 12 or later \(or clang 15 or later\)\n/],
    ["CC=$scratch/gcc step01", qr/\Amake: \S+ is gcc 11\.4\.0; the simulator needs gcc and g\+\+ 12 or later: make CC=gcc-12 CXX=g\+\+-12\n/],
    ["CXX=$scratch/gcc step01", qr/\Amake: \S+ is gcc 11/], ['ARCH=x86_64 step01', qr/ARCH=x86_64: a kind of GPU is needed, as in ARCH=sm_90/],
    ['BACKEND="sim cuda" step01', qr/BACKEND=sim cuda: there are two/], ['ARCH="sm_80 sm_90" step01', qr/ARCH=sm_80 sm_90: a kind/],
    ['step99', qr/\Amake: there is no step99: there are step00 to \Q@{[substr $steps[-1]{program}, 2]}\E; make help-all lists them\n/],
    ['PREFIX= NVCC=/bin/true install', qr{\Amake: PREFIX=: a path}], ['PREFIX=usr NVCC=/bin/true install', qr{\Amake: PREFIX=usr: a path from / on is needed}], [q(PREFIX='/a"b' NVCC=/bin/true install), qr/\Amake: PREFIX=/])
{
    my ($output, $status) = run("make -s BACKEND=sim $_->[0]");
    is($status, 2, "make $_->[0]: status 2");
    like($output, qr/$_->[1](make: \*\*\* [^\n]*\n)?/, "make $_->[0]: one line") or diag $output;
    cmp_ok($output =~ tr/\n//, '<=', 2, "make $_->[0]: and no more");
}

# A folder's name: what make cannot read in a list of dependences is refused at once; with all else its second run has nothing to do.
# (By night with a kernel, whose list has names from the root of the disk.)
for my $name ('a:b', 'a;b', 'a|b', q(-a  b*[c]?%#$x'"\\ü码)) {
    my $copy = quoted("$scratch/$name");
    run("mkdir $copy && tools/files.sh | grep -zE '^(Makefile|tools/mk/|simulator/|common/|steps/01)' | xargs -0 cp --parents -t $copy");
    if ($name =~ /[:;|]/) {
        refused("make -s -C $copy BACKEND=sim clean", 2, qr/\*\*\* .*: make does not work in a folder with : ; or \| in its path/);
    } else {
        my $make = "make -C $copy --no-print-directory BACKEND=sim build/sim/" . (in_tier('nightly') ? 'steps/01_interleaved/v0.o' : 'common/numbers.o');
        my ($said, $status) = run("$make >/dev/null && $make");
        is($said =~ s/.* is up to date\.\n//r . $status, '0', "$name: the second make has nothing to do");
    }
    run("rm -r $copy");
}

# make help fits a screen's half, and make help-all has every target that a user may name.
cmp_ok((run('make -s help'))[0] =~ tr/\n//, '<=', 15, 'make help: 15 lines at most');
my ($help) = run('make -s help-all');
my %internal = map { $_ => 1 } qw(FORCE backend help install-all nccl-header toolbox broken tune test-programs test-more-programs gpu-long course-program);
my ($phony) = run('cat Makefile tools/mk/*.mk');
my @not_said = grep { !/[\$\/_]/ && !$internal{$_} && $help !~ /\b\Q$_\E\b/ } map { split } $phony =~ /^\.PHONY: (.*)/gm;
is("@not_said", '', 'make help-all: every target');
like((run('ARCH=x86_64 make -n BACKEND=cuda NVCC=/bin/true build/cuda/common/multi_pass.o'))[0], qr/code=sm_90/, 'ARCH=x86_64 in the environment is not ours');
like((run('ARCH=sm_80 make -n BACKEND=cuda NVCC=/bin/true build/cuda/common/multi_pass.o'))[0], qr/-arch=sm_80/, 'ARCH=sm_80 is');
unlink "$scratch/gcc", "$scratch/clang";
like((run("trap '' XFSZ; ulimit -f 0; make -s BACKEND=sim BUILD=$scratch/full step01; rm -r $scratch/full"))[0], qr/\Amake: \S+full cannot be written: is the disk full\?\nmake: \*\*\* /, 'a full disk: make says which');

# What is missing is reported before anything is built: (arguments of make, what the one line says)
my @few = qw(sh bash env grep sed awk mkdir cat find xargs id dirname nproc ls rm tr uname mktemp head realpath make gcc);
mkdir "$scratch/few";
symlink((run("PATH=\${PATH#/usr/lib*/ccache:}; command -v $_"))[0] =~ s/\n//r, "$scratch/few/$_") for @few;
script("$scratch/nvcc", "false\n");
for (['BACKEND=sim CC=nope step01', qr/make: no compiler nope here: on Debian or Ubuntu, apt-get install g\+\+; or CC=/], ['BACKEND=sim step01', qr/make: no compiler g\+\+ here/],
    (map {["BACKEND=sim $_", qr/setup\.sh: missing: python3; on Debian or Ubuntu type: .*apt-get install .*python3/]} qw(notes player traces book book-serve book-pdf experiments)),
    ['BACKEND=sim format', qr/setup\.sh: missing: clang-format;/], ["NVCC=$scratch/nvcc counters", qr/setup\.sh: ncu is missing: install/],
    ['plots', qr/setup\.sh: missing: gnuplot python3; on Debian or Ubuntu type: /], ['results', qr/setup\.sh: missing: python3;/],
    ["NVCC=$scratch/nvcc PREFIX=$scratch/nvcc/x install", qr{make: cannot write to \Q$scratch\E/nvcc: PREFIX=}],
    map {["NVCC=$scratch/nvcc $_", qr/setup\.sh: no GPU here that nvidia-smi finds/]} qw(compare compare-exact compare-rows compare-row-types compare-types compare-softmax))
{
    my ($arguments, $line) = @$_;
    my ($output, $status) = run("PATH=$scratch/few RUN_ALL_APT=no make -s BUILD=$scratch/built $arguments");
    is($status, 2, "make $arguments: status 2");
    like($output, qr/\A$line[^\n]*\nmake: \*\*\* [^\n]*\n\z/, "make $arguments: one line, and make's") or diag $output;
    ok(!glob("$scratch/built/*/*"), "make $arguments: before anything is built");
}
run("rm -rf $scratch/few $scratch/nvcc $scratch/built");
# MAKEFLAGS=rR leaves make no names for its tools.
like((run('MAKEFLAGS=rR make -n BACKEND=sim NVCC= build/sim/libcommon.a -W common/check.c'))[0], qr/^gcc -std=c11 .*^ar rcs/ms, 'MAKEFLAGS=rR: gcc and ar all the same');

# What scripts may not inherit (tools/environment.sh): CDPATH leads into another folder, or prints; MAKEFLAGS of a make around
# them change what theirs does and prints.
run("mkdir -p $scratch/decoy/tools/draw $scratch/decoy/tools/measure");
for my $folder ('.', "$scratch/decoy") {
    my $provenance = (run("env -u COMMIT CDPATH=$folder tools/provenance.sh"))[0];
    is((grep { !/^\w+=\S+$/ } split /\n/, $provenance)[0], undef, "CDPATH=$folder tools/provenance.sh: lines KEY=VALUE alone");
    is((run("GIT_DIR=$scratch CDPATH=$folder tools/files.sh | cksum"))[0], (run('tools/files.sh | cksum'))[0], "CDPATH=$folder tools/files.sh: the same files");
    refused("CDPATH=$folder tools/draw/traces.py v99", 2, qr/no picture "v99"/);
    refused("CDPATH=$folder RUN_ALL_APT=no ./run_all.sh --nope", 2, qr/unknown option --nope/);
}
run("rm -r $scratch/decoy");
like((run('MAKEFLAGS=w MAKELEVEL=1 bash -c ". tools/environment.sh; make -s BACKEND=sim backend"'))[0], qr/\Asim\n\z/, 'MAKEFLAGS=w: the answer alone');
like((run('MAKEFLAGS=n bash -c ". tools/environment.sh; make -s BACKEND=sim backend"'))[0], qr/\Asim\n\z/, 'MAKEFLAGS=n: the answer alone');
for my $script (glob 'run_all.sh .ci/run tests/run tests/run-* tools/*.sh tools/*/*.sh') {
    my ($before, $after) = split m{^\. \S.*environment\.sh"?$}m, slurp($script), 2;
    unlike($before =~ s/^#.*//mgr, qr/(^|[(;|&]|\$\() *(cd|make) /m, "$script: reads tools/environment.sh before it uses cd or make");
}

# What messages tell to make exists: of every program that is built.
my @built = grep { -x && !-d } glob 'build/sim/*';
is((run("make -n BACKEND=sim @{[map { s{.*/}{}r } grep { !/library_|\d{99}/ } @built]}"))[1], 0, 'every program has a target of its name');

# Output that cannot be written is a failure, and said in one line.
for my $stdout ('>/dev/full', '>&-') {
    for my $command (map({ ("$_->{program} --help", "$_->{program} --list") } @programs), map({ "build/sim/$_" } 'machine', 'levels', 'vote_cost'),
        './step01 -n 10', './step05 --demo', './step01 -n 10 --counters', './step01 --list --csv -')
    {
        my ($said, $status) = run("$command $stdout");
        is($status, 1, "$command $stdout: status 1");
        like($said, qr/\A(?:simulator: note: [^\n]*\n)?\w+: cannot write [^\n]*\n\z/, "$command $stdout: one line");
    }
}
is((run('build/sim/library/example >/dev/full'))[1], 1, 'example >/dev/full: status 1');
for my $table ('2>/dev/full', '2>&-') {
    is((run("./step01 -n 10 --csv - $table"))[1], 1, "--csv - $table: the table is lost, status 1");
}
run("cp $csv $scratch/other.csv; ./step01 -n 10 --csv $scratch/closed.csv >&-; ./step01 -n 10 --csv $scratch/open.csv");
is(slurp("$scratch/closed.csv"), slurp("$scratch/open.csv"), '--csv FILE >&-: nothing but the CSV is in it');

# Two outputs that lead to one file, and a file's rights; a limit of its size, and what is left beside it.
symlink "$scratch/other.csv", "$scratch/link";
refused("./step01 -n 10 --csv $_->[0] --trace $_->[1]", 2, qr/--csv and --trace both write to/)
    for ["$scratch/new", "$scratch/./new"], ["$scratch/other.csv", "$scratch/link"], ['-', '/dev/stdout'], ["$scratch/../" . $scratch =~ s{.*/}{}r . "/new", "$scratch/new"];
is((run("./step01 -n 10 --csv /dev/null --trace /dev/null"))[1], 0, '/dev/null takes both');
chmod 0600, "$scratch/other.csv";
run("./step01 -n 10 --csv $scratch/other.csv; umask 027; ./step01 -n 10 --csv $scratch/fresh.csv");
is(sprintf('%o', (stat "$scratch/other.csv")[2] & 0777), '600', 'a file that is replaced keeps its rights');
is(sprintf('%o', (stat "$scratch/fresh.csv")[2] & 0777), '640', 'a new one has those of the umask');
my $before = slurp("$scratch/other.csv");
my ($limited, $too_large) = run("ulimit -f 0; ./step01 -n 10 --csv $scratch/other.csv");
is($too_large, 1, 'a file that may not grow: status 1');
like($limited, qr/^step01: cannot write the CSV file [^\n]*File too large/m, 'and the reason');
is(slurp("$scratch/other.csv"), $before, 'what was there stays');
run("sh -c 'ln -s $scratch/other.csv $scratch/p.csv.tmp-\$\$; exec ./step01 -n 10 --csv $scratch/p.csv'; rm $scratch/p.csv*");
is(slurp("$scratch/other.csv"), $before, 'a link with the name that a temporary file once had leads nowhere');
is(join(' ', sort map { s{.*/}{}r } glob "$scratch/{*,.[!.]*}"), 'closed.csv fresh.csv kept.csv link open.csv other.csv', 'and nothing else is left');

for my $command ("tools/draw/plots.py results/sim $scratch/pictures", 'tools/provenance.sh', 'tools/files.sh', 'tools/measure/measure.py gpu results/h200') {
    for my $stdout ('>/dev/full', '>&-') {
        my ($said, $status) = run("$command $stdout");
        isnt($status, 0, "$command $stdout: not with status 0");
        like($said, qr/\A[^\n]*\n\z/, "$command $stdout: one line");
    }
}
run("rm -r $scratch/pictures");

# Files are put into a folder all, or none.
run("mkdir $scratch/from $scratch/to; echo new >$scratch/from/small; head -c 99999 /dev/zero >$scratch/from/large; echo old >$scratch/to/small");
my $put = q(python3 -Bc 'import os, sys; sys.path.insert(0, "tools/pages"); import page_markdown; page_markdown.run(lambda names: page_markdown.put(names[0], names[1:]))');
refused("(trap '' XFSZ; ulimit -f 16; $put $scratch/to $scratch/from/small $scratch/from/large)", 1,
    qr/cannot write to \Q$scratch\E\/to \(File too large\)/);
is((run("cat $scratch/to/small; ls -A $scratch/to $scratch/from | grep -c ."))[0], "old\n5\n", 'nothing was put, and nothing is left') or diag((run("ls -lA $scratch/*"))[0]);
refused("$put $scratch/to/small/x $scratch/from/small", 1, qr/cannot write to .* \(Not a directory\)/);
is((run("$put $scratch/to $scratch/from/*; cat $scratch/to/small; ls -A $scratch/to $scratch/from | grep -c ."))[0], "new\n6\n", 'all were put');
run("rm -r $scratch/from $scratch/to");
refused('TMPDIR=/nonexistent tools/draw/plots.py results/sim plots/sim', 1, qr{plots.py: cannot write to /nonexistent: is it there});
refused('TMPDIR=/nonexistent RUN_ALL_APT=no ./run_all.sh --no-plots', 1, qr{run_all.sh: cannot write to /nonexistent: is it there});

my ($demo, $status) = run('./step05 --demo');
is($status, 0, './step05 --demo');
like($demo, qr/thread 32: undefined: lane 16 of warp 1 does not exist/,
    'the partner that does not exist is undefined');
refused('./step01 --demo', 2, qr/demo/);
done_testing();
