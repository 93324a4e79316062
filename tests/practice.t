#!/usr/bin/env perl
# Proof of the exercises. Of each: the file as given fails, and says what it should; its solution
# meets every criterion, and no limit is wider than what the solution needs; typical wrong answers,
# edits of the solution in tests/practice/LESSON.pl, fail with words that name the mistake. Then the
# checker itself: faults that it must find; and the runner.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# All versions of all exercises of a lesson become one program; PROOF=k chooses one.
sub program_of {
    my ($lesson, @files) = @_;
    my ($cases, $choices) = ('', '');
    my $parameters = slurp($files[0]) =~ /launch\(const struct share/ ? 'const struct share *shares, unsigned gpus, unsigned block'
        : 'const float *in, float *out, size_t n, unsigned block';
    my $arguments = join ', ', $parameters =~ /(\w+)(?:,|$)/g;
    for my $k (0 .. $#files) {
        $cases .= "    case $k: return ((void (*)($parameters))n$k\::launch_$k)($arguments);\n";
        $choices .= "    case $k: seed = n$k\::seed_$k; memcpy(answers, n$k\::answers_$k, sizeof n$k\::answers_$k); break;\n"
            if slurp($files[$k]) =~ /^double answers\[/m;
    }
    spew("$scratch/$lesson.cu", "#include <stdlib.h>\n#include <string.h>\n" . as_one([qw(launch seed answers)], @files)
        . "static int chosen() { return atoi(getenv(\"PROOF\")); }\nunsigned seed;\ndouble answers[4];\n"
        . "__attribute__((constructor)) static void choose() { switch (chosen()) {\n${choices}    default: break;\n} }\n"
        . "extern \"C\" void launch($parameters)\n{\n    switch (chosen()) {\n$cases    }\n}\n");
    my ($output, $status) = run("simulator/simcc -w -g1 -I. -Isteps -Icommon -c $scratch/$lesson.cu -o $scratch/$lesson.o && "
        . "\${CXX:-g++} -fopenmp $scratch/$lesson.o build/sim/exercises/$lesson/criteria.o build/sim/practice.a build/sim/libcommon.a -lm -o $scratch/$lesson");
    is($status, 0, "$lesson: its " . @files . ' versions compile') or diag $output;
    return "$scratch/$lesson";
}

my @lessons = map {m{/(\w+)/criteria\.c$}} sort glob 'exercises/*/criteria.c';
my ($output, $status) = run('make -s BACKEND=sim build/sim/libcommon.a build/sim/practice.a ' . join ' ', map {"build/sim/exercises/$_/criteria.o"} @lessons);
is($status, 0, 'the checker is built') or BAIL_OUT($output);
is(join(' ', map {m{(\w+)/?$}} sort glob 'solutions/*/'), "@lessons", 'solutions/ has the folders of exercises/');

for my $lesson (@lessons) {
    my %proof  = do "./tests/practice/$lesson.pl" or die "tests/practice/$lesson.pl: ", $@ || $!;
    my @names  = map {m{(\w+)\.cu$}} sort glob "solutions/$lesson/*.cu";
    my $page   = slurp("exercises/$lesson/README.md");
    my @listed = slurp("exercises/$lesson/criteria.c") =~ /\.file = "(\w+)"/g;
    is("@{[sort keys %proof]}", "@names", "$lesson: a proof for each solution, and for no more");
    is("@listed",               "@names", "$lesson: criteria for each, in this order");
    my (@files, @what);
    for my $name (@names) {
        my $solution = slurp("solutions/$lesson/$name.cu");
        my ($wrong, @wrong) = (0, @{ $proof{$name}{wrong} });
        push @files, "solutions/$lesson/$name.cu";
        push @what, [$name, 'the solution', undef];
        my $hole = "exercises/$lesson/$name.cu";
        if (-f $hole && `git hash-object $hole 2>/dev/null` . '' eq '' || slurp('practice/untouched.txt') =~ /^\Q@{[blob($hole)]}\E $lesson\/$name$/m) {
            push @files, $hole;
            push @what, [$name, 'as given', $proof{$name}{hole}];
        } else {
            ok(`git status --porcelain -- $hole` ne '', "$hole is as practice/untouched.txt says (practice/run seal)");
            diag "$hole was edited here: its hole is not tried";
        }
        while (my ($mistake, $edit, $says) = splice @wrong, 0, 3) {
            local $_ = $solution;
            $edit->();
            ok($_ ne $solution, "$lesson/$name, $mistake: the edit changes the solution");
            spew(my $path = "$scratch/${lesson}_${name}_" . ++$wrong . '.cu', $_);
            push @files, $path;
            push @what, [$name, $mistake, $says];
        }
        cmp_ok($wrong, '>=', 2, "$lesson/$name: two wrong answers at least");
        for my $part ('Hint 1', 'Hint 2', 'The solution') {
            like($page, qr{^## $name\b(?:(?!^## ).)*^<summary>$part</summary>}ms, "$lesson/README.md: $name: $part");
        }
    }
    my $program = program_of($lesson, @files);
    for my $k (0 .. $#what) {
        my ($name, $which, $says) = @{ $what[$k] };
        ($output, $status) = run("PROOF=$k $program $name 1");
        if ($which eq 'the solution') {
            is($status, 0, "$lesson/$name: the solution passes") or diag $output;
            while ($output =~ /^  ok +(.+): (\d+), at (?:most|least) (\d+) /mg) {
                my $slack = $proof{$name}{slack}{$1} // 0;
                cmp_ok(abs($2 - $3), '<=', $slack, "$lesson/$name: $1: the limit is what the solution needs");
            }
            next;
        }
        is($status, 1, "$lesson/$name, $which: is refused") or diag $output;
        like($output, qr/^  WRONG .*$says/m, "$lesson/$name, $which: is told so");
    }
}

# With several GPUs, on a machine that has fewer: what cannot be shown there is said.
{
    my ($lesson, $key) = qw(14_many_gpus 2_edge);
    spew("$scratch/there.c", "#include <stdlib.h>\nint __wrap_cudaGetDeviceCount(int *count) { *count = atoi(getenv(\"THERE\")); return 0; }\n");
    ($output, $status) = run("make -s BACKEND=sim build/sim/solutions/$lesson/$key.o && \${CXX:-g++} -fopenmp build/sim/solutions/$lesson/$key.o -x c $scratch/there.c -x none "
        . "build/sim/exercises/$lesson/criteria.o build/sim/practice.a build/sim/libcommon.a -lm -Wl,--wrap=cudaGetDeviceCount -o $scratch/fewer");
    is($status, 0, 'a program that finds fewer GPUs') or diag $output;
    for my $there (0, 1) {
        ($output, $status) = run("THERE=$there $scratch/fewer $key");
        is($status, 77, "$there GPUs: status 77");
        like($output, qr/\A[^\n]*needs two GPUs that reach each other's memory[^\n]*BACKEND=sim\n\z/, "$there GPUs: one line");
    }
    ($output, $status) = run("THERE=2 $scratch/fewer $key 1");
    is($status, 0, 'two GPUs: status 0') or diag $output;
    like($output, qr/so many GPUs: 2, 1; .*\n(?:  -      with [38] GPUs: here are 2 that reach each other's memory; BACKEND=sim has 8\n){2}  ok     answer: /, 'two GPUs: what is left out');
}

sub blob {
    my $text = slurp($_[0]);
    require Digest::SHA;
    return Digest::SHA::sha1_hex('blob ' . length($text) . "\0$text");
}

# ---- the checker and the runner, in a copy: the reader's own files are not touched ----

my $copy = "$scratch/copy";
($output, $status) = run("mkdir -p $copy/build/sim && cp -a Makefile common practice exercises solutions simulator steps $copy/ && cd build/sim && "
    . "cp -a flags libcommon.a practice.a common practice exercises simulator $copy/build/sim/");
is($status, 0, 'a copy') or BAIL_OUT($output);
$ENV{SEED} = 1; # a sum of other data may be 0 by chance, which is what is planted
$ENV{BACKEND} = 'sim';

sub practice { return run("cd / && timeout 60 $copy/practice/run $_[0] </dev/null") }

my $given = slurp('solutions/05_warp_shuffle/3_who_comes.cu');
my $file  = "$copy/exercises/05_warp_shuffle/3_who_comes.cu";

# (what is planted, edit of the solution, what must be said)
sub planted {
    my ($what, $edit, $says) = @_;
    local $_ = $given;
    $edit->();
    isnt($_, $given, "$what: planted");
    spew($file, $_);
    ($output, $status) = practice('check 05-3');
    is($status, 1, "$what: refused");
    like($output, $says, "$what: said") or diag $output;
}

# Sleeps for ever, while the others run.
spew("$copy/exercises/05_warp_shuffle/2_everybody.cu",
    slurp('solutions/05_warp_shuffle/2_everybody.cu') =~ s/    size_t grid/    for (;;)\n        sleep(1);\n    size_t grid/r =~ s/\A/#include <unistd.h>\n/r);
my $began = time;
open my $sleeper, '-|', "$copy/practice/run check 05-2 2>&1" or die;

planted('a sum on the host', sub {
    s/    cudaMemset.*?;\n.*?;\n/    float *host = (float *)malloc(n * 4 + 4), sum = 0;\n    (void)grid;\n    cudaMemcpy(host, in, n * 4, cudaMemcpyDeviceToHost);\n    for (size_t i = 0; i < n; i++)\n        sum += host[i];\n    cudaMemcpy(out, &sum, 4, cudaMemcpyHostToDevice);\n/s;
}, qr/WRONG  answer: .*: the kernel read 0 floats of \d+/);
planted('nothing is written', sub {s/    sum_of_warps<<<.*?;\n//; s/    cudaMemset.*?;\n//}, qr/WRONG  answer: .*got NaN, as before: it was never written/);
planted('always 0',           sub {s/    sum_of_warps<<<.*?;\n//},  qr/WRONG  answer: .*got 0: elements 0 to 30 are missing/);
planted('an element twice',   sub {s/in\[i\] :/in[i] * (i == 5 ? 2 : 1) :/}, qr/got -?\d+: element 5 is counted twice/);
planted('too large a block',  sub {s/grid, block>>>/grid, block + 1024>>>/}, qr/WRONG  answer: .*CUDA refuses the launch: invalid configuration argument/);
planted('in[] overwritten',   sub {s/const float \*in/float *in/g; s/(    if \(threadIdx)/    if (i < n)\n        in[i] = 0;\n$1/}, qr/WRONG  answer: .*in\[\] was overwritten: it is only to be read/);
planted('wide loads of any start', sub {s/in\[i\] :/((const float2 *)(in + i - i % 2))->x + 0 * in[i] :/}, qr/WRONG  (?:answer|faults): /);
planted('a crash',            sub {s/    cudaMemset/    *(volatile int *)0 = 1;\n    cudaMemset/}, qr/WRONG  faults: n = 31.*the program crashed, outside the kernel: Segmentation fault/);
planted('an exit',            sub {s/    cudaMemset/    exit(3);\n    cudaMemset/}, qr/WRONG  faults: n = 31.*the program ended itself/);
planted('an exit with status 0', sub {s/    cudaMemset/    exit(0);\n    cudaMemset/}, qr/WRONG  faults: n = 31.*the program ended itself/);
planted('a full stack',       sub {s/(    float value = )/    volatile char much[65536];\n    much[threadIdx.x] = 1;\n$1/}, qr/WRONG  faults: .*local memory/);
planted('an endless kernel',  sub {s/(    float value = )/    for (volatile int k = 0; k < 1;)\n        k = 0;\n$1/}, qr/WRONG  faults: n = 31.*(?:runs on and on|stopped after)/);
planted('a lane that waits for nobody', sub {s/(    float value = )/    if (threadIdx.x == 0)\n        __syncwarp();\n    else\n        __syncthreads();\n$1/}, qr/WRONG  faults: n = 31.*simulator: /);
planted('no C++',             sub {s/float value = /float valu = /}, qr/WRONG  it does not compile\nsimcc: exercises\/05_warp_shuffle\/3_who_comes\.cu:\d+: 'value' is declared neither.*\n(?:.*\n)+/);
planted('no launch()',        sub {s/launch\(/launched(/}, qr/WRONG  it does not compile\n.*undefined reference to `launch'/s);

unlink $file;
($output, $status) = practice('check 05-3');
is($status, 1, 'a deleted file: status 1');
like($output, qr/WRONG  the file is not there, deleted or renamed: make reset EXERCISE=05-3 brings it back/, 'a deleted file: said');
($output, $status) = practice('reset 05-3');
is($status, 1, 'no git: status 1');
like($output, qr/^practice: this copy has no git history: .*\n\z/, 'no git: one line');
my $git = `git rev-parse --absolute-git-dir 2>/dev/null`;
chomp $git;
SKIP: {
    skip 'no git here', 3 if $git eq '';
    ($output, $status) = run("cd $copy && GIT_DIR=$git practice/run reset 05-3");
    is($status, 0, 'reset: status 0') or diag $output;
    ok(-f $file && slurp('practice/untouched.txt') =~ /^\Q@{[blob($file)]}\E 05_warp_shuffle\/3_who_comes$/m, 'reset: the file as given');
    spew($file, "mine\n");
    ($output) = run("cd $copy && GIT_DIR=$git practice/run reset 05-3");
    like($output, qr/yours is kept: (\S+)/, 'reset: says where the edited one is');
    is(slurp("$copy/" . ($output =~ /kept: (\S+)/)[0]), "mine\n", 'reset: and it is there');
}

# Progress: from the files alone.
($output) = practice('list');
like($output, qr/\n  0 of \d+ solved\n\z/, 'nothing is solved at first');
spew($file, $given);
($output) = practice('list');
like($output, qr/\n  1 of \d+ solved\n\z/, 'list: one solved is found by itself');
like($output, qr/05_warp_shuffle .*\[#\] 3_who_comes \[\.\] 4/, 'list: and marked');
like($output, qr/^  0.*^  toolbox_exchange .*^  toolbox_masks .*^  toolbox_compact /ms, 'list: the toolbox comes last, its topics as they are read');
spew($file, $given =~ s/    cudaMemset.*?;\n//r);
($output) = practice('list');
like($output, qr/\n  0 of \d+ solved\n\z/, 'list: broken again, it is not solved');
spew($file, $given);
($output, $status) = practice('check 05-3');
is($status, 0, 'a solved one: status 0');
unlike($output, qr/\e/, 'no colour without a terminal');
like($output, qr/solved: make practice shows the next/, 'and what is next');
my @both = map { open my $one, '-|', "$copy/practice/run check 05-3 2>&1" or die; $one } 1 .. 2;
for (@both) { local $/; my $said = <$_>; close $_; is($?, 0, 'two runs at once: both find it solved') or diag $said }
($output) = practice('');
like($output, qr/00-1, predict: .*00-1  exercises\/00_baselines\/1_predict\.cu\n.*no answer yet.*make practice00-1 /s, 'the first unsolved: task, verdict, command');
spew("$copy/exercises/00_baselines/1_predict.cu", slurp('solutions/00_baselines/1_predict.cu'));
($output) = practice('');
like($output, qr/^00-2  exercises/m, 'then the second');
my @twice = map { (practice('check 05-3'))[0] } 1 .. 2;
($output) = run("SEED=42 $copy/practice/run check 05-3");
like($output, qr/drawn with SEED=42\./, 'SEED chooses the data');
($output, $status) = run("SEED=many $copy/practice/run check 05-3");
like($output, qr/practice: SEED=many: a whole number is needed/, 'a seed that is none');

for (['check 77', 2, qr/^practice: there is no exercise 77: make practice-list names them\n\z/],
    ['hint 05', 2, qr/^practice: 05 are several: say which, as in EXERCISE=05-1\n\z/],
    ['reset', 2, qr/^practice: say which: make reset EXERCISE=05-2\n\z/],
    ['frobnicate', 2, qr/^practice: frobnicate: there are /],
    ['solution 05-3', 0, qr/nobody answers: YES=1 shows it unasked\n\z/],
    ['hint 05-3 2', 0, qr/Take the shuffles out of the `if`/]) {
    ($output, $status) = practice($_->[0]);
    is($status, $_->[1], "practice/run $_->[0]: status $_->[1]");
    like($output, $_->[2], "practice/run $_->[0]: said");
}
($output, $status) = run("YES=1 $copy/practice/run solution 05-3");
like($output, qr/\A\Q$given\E\n.*The branch belongs around the load/s, 'the solution is the tested file, then what there is to say');
($output, $status) = run("$copy/practice/run watch 01-2 >$scratch/watch & for i in \$(seq 40); do sleep 0.3; grep -q Ctrl-C $scratch/watch && break; done; cp solutions/01_interleaved/2_half_a_barrier.cu $copy/exercises/01_interleaved/; "
    . "for i in \$(seq 40); do sleep 0.3; grep -q 'next: ' $scratch/watch && break; done; kill \$!; wait \$!; echo \$?");
like(slurp("$scratch/watch"), qr/WRONG.*waits at __syncthreads.*solved\.\n  next: exercises\/00_baselines\/2_/s, 'watch: checks when the file is saved');
like($output, qr/^0\n\z/, 'watch: stops cleanly');

{ local $/; $output = <$sleeper>; close $sleeper; }
like($output, qr/WRONG  faults: n = 31.*stopped after 9 s: an endless loop, or far too much work/, 'an endless host: said');
cmp_ok(time - $began, '<=', 60, 'and ended');

done_testing();
