#!/usr/bin/env perl
# tier: test more
# Proof of the exercises. Of each: the file as given fails, and says what it should; its solution
# meets every criterion, and no limit is wider than what the solution needs; typical wrong answers,
# edits of the solution in tests/practice/LESSON.pl and those that any exercise has (WrongAnswers.pm),
# fail with words that name the mistake. A mutation of the criteria: without one of them, a wrong answer
# passes. Then the checker itself: faults that it must find; and the runner.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;
use Practice;
use WrongAnswers;
use JSON::PP;
use File::Path qw(make_path);

my ($output, $status) = run('make -s BACKEND=sim build/sim/libcommon.a build/sim/runner.names ' . join ' ', map {"build/sim/practice/exercises/$_/judge"} @lessons);
is($status, 0, 'the checker is built') or BAIL_OUT($output);
is(join(' ', map {m{(\w+)/?$}} sort glob 'practice/solutions/*/'), "@lessons", 'practice/solutions/ has the folders of practice/exercises/');

# Half of the compiler's time is that of its own headers: lessons share a program, but for the one whose launch() is another.
my $git = `git rev-parse --absolute-git-dir 2>/dev/null`;
chomp $git;
my @right = do './tests/practice/right.pl' or die $@ || $!;
my ($programs, @files, @cases, %limits, %alone, %wasted) = 0;
my %stays = map { $_ => 1 } slurp('practice/stays.txt') =~ /^(\w+\/\w+) /mg;
use constant ENOUGH => 3;    # wrong answers that pass without a criterion: that one does is what is asked
# make test has time for one lesson. The answers that are wrong for any exercise try the judge; all exercises have them by night.
my $any = qr{^(?:05_warp_shuffle/2_everybody|09_single_pass/3_slots)$};
for my $lesson (grep { in_tier($_ eq $lessons[0] ? 'test' : 'more') } @lessons) {
    my %proof  = do "./tests/practice/$lesson.pl" or die "tests/practice/$lesson.pl: ", $@ || $!;
    my @names  = map {m{(\w+)\.cu$}} sort glob "practice/solutions/$lesson/*.cu";
    my $page   = slurp("practice/exercises/$lesson/README.md");
    my @listed = slurp("practice/exercises/$lesson/criteria.c") =~ /\.file = "(\w+)"/g;
    is("@{[sort keys %proof]}", "@names", "$lesson: a proof for each solution, and for no more");
    is("@listed",               "@names", "$lesson: criteria for each, in this order");
    for my $name (@names) {
        my $solution = slurp("practice/solutions/$lesson/$name.cu");
        my ($wrong, @wrong) = (0, @{ $proof{$name}{wrong} });
        add_case("practice/solutions/$lesson/$name.cu", $lesson, $name, 'the solution', $proof{$name}{slack});
        my $hole = "practice/exercises/$lesson/$name.cu";
        if (-f $hole && $git eq '' || slurp('practice/pristine.txt') =~ /^\Q@{[blob($hole)]}\E $lesson\/$name$/m) {
            add_case($hole, $lesson, $name, 'as given', $proof{$name}{hole});
        } else {
            ok(`git status --porcelain -- $hole` ne '', "$hole is as practice/pristine.txt says (practice/run pristine)");
            diag "$hole was edited here: its hole is not tried";
        }
        while (my ($mistake, $edit, $says) = splice @wrong, 0, 3) {
            local $_ = $solution;
            $edit->();
            ok($_ ne $solution, "$lesson/$name, $mistake: the edit changes the solution");
            spew(my $path = "$scratch/${lesson}_${name}_" . ++$wrong . '.cu', $_);
            add_case($path, $lesson, $name, $mistake, $says);
        }
        cmp_ok($wrong, '>=', 2, "$lesson/$name: two wrong answers at least");
        # What a general criterion alone catches; and what only practice/check_stays does, which looks at the source.
        my @general = @{ $proof{$name}{general} // [] };
        while (my ($mistake, $edit, $says, $criterion) = splice @general, 0, 4) {
            add_case(planted_in($solution, $edit, "$scratch/${lesson}_${name}_" . ++$wrong), $lesson, $name, $mistake, $says, $criterion);
        }
        my @stays = @{ $proof{$name}{stays} // [] };
        is(@stays > 0 ? 1 : 0, $stays{"$lesson/$name"} // 0, "$lesson/$name: wrong answers for practice/stays.txt, if it is there");
        ok($stays{"$lesson/$name"}, "$lesson/$name: what stays is in practice/stays.txt") if says_what_stays($solution);
        for my $right (@stays ? ("practice/solutions/$lesson/$name.cu", -f $hole ? $hole : ()) : ()) {
            ($output, $status) = run("practice/check_stays $lesson/$name $right practice/solutions/$lesson/$name.cu 00-0");
            is("$status $output", '0 ', "$right: what stays is there") or diag $output;
        }
        while (my ($mistake, $edit, $says) = splice @stays, 0, 3) {
            my $path = planted_in($solution, $edit, "$scratch/${lesson}_${name}_" . ++$wrong);
            ($output, $status) = run("practice/check_stays $lesson/$name $path practice/solutions/$lesson/$name.cu 00-0");
            is($status, 1, "$lesson/$name, $mistake: is refused by practice/check_stays");
            like($output, qr/$says.*\n\z/, "$lesson/$name, $mistake: it says so");
            add_case($path, $lesson, $name, "right: but for what stays: $mistake");
        }
        my @any = "$lesson/$name" =~ $any || in_tier('nightly') ? wrong_answers($lesson, $name, $solution) : ();
        while (my ($mistake, $text, $criterion, $says) = splice @any, 0, 4) {
            spew(my $path = "$scratch/${lesson}_${name}_" . ++$wrong . '.cu', $text);
            add_case($path, $lesson, $name, $mistake, $says, $criterion);
        }
        for (grep { in_tier('nightly') && $_->[0] eq "$lesson/$name" } @right) {
            my (undef, $what, $text) = @$_;
            spew(my $path = "$scratch/${lesson}_${name}_" . ++$wrong . '.cu', ref $text ? edit_of($solution, @$text) : $text);
            add_case($path, $lesson, $name, "right: $what");
        }
        for my $part ('Hint 1', 'Hint 2', 'The solution') {
            like($page, qr{^## $name\b(?:(?!^## ).)*^<summary>$part</summary>}ms, "$lesson/README.md: $name: $part");
        }
    }
}
try_cases();

# (solution, edit, path without .cu) -> the path of the edited one
sub planted_in {
    my ($solution, $edit, $path) = @_;
    local $_ = $solution;
    $edit->();
    ok($_ ne $solution, "$path: the edit changes the solution");
    spew("$path.cu", $_);
    return "$path.cu";
}

# Does the task say that a function stays as it is? That of a quiz is looked at by practice/run.
sub says_what_stays {
    my ($task) = $_[0] =~ m{\A/\*(.*?)\*/}s;
    $task =~ s/\n \*/ /g;
    return 0 if $_[0] =~ /^double answers/m;
    return $task =~ /(?<!loads) stays? as (?:it is|they are)|Only [^.]* (?:is|are) yours/;
}

# (solution, what stands there => what stands there instead ...) -> the answer
sub edit_of {
    my ($text, @edits) = @_;
    while (my ($from, $to) = splice @edits, 0, 2) {
        $from eq '' || $text =~ /\Q$from\E/ or die "no \"$from\" in\n$text";
        $text = $from eq '' ? $to . $text : $text =~ s/\Q$from\E/$to/gr;
    }
    return $text;
}

# To the others; or these are tried first, where one program cannot have all: the static shared memory of its kernels
# has to fit, and launch() to be of one kind.
sub add_case {
    my ($file, @case) = @_;
    try_cases() if @files > 70 || @cases && $cases[-1][0] ne $case[0] && "$cases[-1][0] $case[0]" =~ /14_many_gpus/
        || 5 < grep { $_->[1] eq '4_two_banks' } @cases;
    push @files, $file;
    push @cases, \@case;
}

sub try_cases {
    return unless @files;
    my $program = program_of('exercises_' . ++$programs, @files);
    for my $k (0 .. $#cases) {
        my ($lesson, $name, $which, $says, $criterion) = @{ $cases[$k] };
        # Waste of one kind leaves every answer right: the first is judged whole, of the others the limits. So it is by day
        # with each mistake that a limit is to name.
        my $limits = $which =~ /^one more: / && $wasted{$which}++ || ($says // '') =~ /at (?:most|least)/ && !in_tier('nightly') ? ' --limits' : '';
        ($output, $status) = run("PROOF=$k " . judged($lesson, $name, $program, 1, undef, "--json$limits"));
        my $criteria = eval { decode_json($output) } // { criteria => [] };
        my @criteria = @{ $criteria->{criteria} };
        if ($which eq 'the solution') {
            is($status, 0, "$lesson/$name: the solution passes") or diag $output;
            for (@criteria) {
                next unless $_->{says} =~ /^(.+): (?:(\d+), at most (\d+)|none|\d+, at least \d+) /;
                cmp_ok(abs($2 - $3), '<=', $says->{$1} // 0, "$lesson/$name: $1: the limit is what the solution needs") if defined $2;
                $limits{"$lesson/$name"}{ $_->{criterion} } //= '';
            }
            next unless slurp("practice/exercises/$lesson/criteria.c") =~ /^        \.file = "\Q$name\E"(?:(?!^    \},).)*\.also = /ms;
            ($output, $status) = run("PROOF=$k " . judged($lesson, $name, $program, 1, undef, '--json --other-places'));
            my @other = @{ (eval { decode_json($output) } // {})->{criteria} // [] };
            cmp_ok(@other, '>', 0, "$lesson/$name: its limits at their other places") or diag $output;
            for (@other) {
                next unless $_->{says} =~ /^(.+): (\d+), at most (\d+) / && !defined $says->{$1};
                is($2, $3, "$lesson/$name: $1: the limit is what the solution needs, at its other place, too");
            }
            next;
        }
        if ($which =~ /^right: /) {
            is($status, 0, "$lesson/$name, $which") or diag $output;
            next;
        }
        is($status, 1, "$lesson/$name, $which: is refused") or diag $output;
        my @unmet = grep { defined $_->{met} && !$_->{met} } @criteria;
        like(join("\n", map { $_->{says} } @unmet), $says, "$lesson/$name, $which: it says so");
        $limits{"$lesson/$name"}{ $unmet[0]{criterion} } = $which if @unmet == 1;
        next unless $criterion && in_tier('nightly') && @{ $alone{$criterion}{passed} // [] } < ENOUGH;
        ($output, $status) = run("PROOF=$k " . judged($lesson, $name, $program, 1, undef, "'--without=$criterion'"));
        push @{ $alone{$criterion}{ $status == 0 ? 'passed' : 'refused' } }, "$lesson/$name";
    }
    @files = @cases = ();
}

# What the recorded wrong answers break only together: a conflict costs wavefronts, another plan both blocks and launches.
my %break_together = (
    '10_clusters/2_neighbour_who_left' => q(floats of other blocks' shared memory touched),
    '11_library/3_plan'     => 'blocks|launches',
    '13_exact/4_two_banks'  => 'shared load wavefronts|wavefronts of the worst shared request',
    '14_many_gpus/2_edge'   => q(bytes stored into other GPUs' memory),
    '14_many_gpus/5_ring'   => q(bytes read from other GPUs' memory),
    '14_many_gpus/6_pieces' => q(bytes (?:stored into|read from) other GPUs' memory),
);

# Without a criterion, an answer passes that is wrong. Each limit of each exercise has one; the general ones have
# some: what one more copy or load costs breaks a limit of most exercises, too. It takes all wrong answers to show that.
for my $exercise (in_tier('nightly') ? sort keys %limits : ()) {
    for my $limit (grep {/, at /} sort keys %{ $limits{$exercise} }) {
        next if $break_together{$exercise} && $limit =~ /^(?:$break_together{$exercise}), at /;
        isnt($limits{$exercise}{$limit}, '', "$exercise: only \"$limit\" catches some wrong answer");
    }
}
for my $criterion (in_tier('nightly') ? sort keys %alone : ()) {
    my @passed = @{ $alone{$criterion}{passed} // [] };
    cmp_ok(@passed, '>', 0, "only \"$criterion\" catches some wrong answers: @passed");
}

sub blob {
    my $text = slurp($_[0]);
    require Digest::SHA;
    return Digest::SHA::sha1_hex('blob ' . length($text) . "\0$text");
}

# A judge that takes little work for too much, and the simulator for a GPU.
spew("$scratch/sandbox.c", slurp('practice/judge/sandbox.c') =~ s/FREE_SECONDS = 9/FREE_SECONDS = 0/r =~ s/0x1p33/0x1p29/r);
spew("$scratch/counts.c", slurp('practice/judge/counts.c') =~ s/return true/return false/r);
my $impatient = "$scratch/judge";
($output, $status) = run("for name in sandbox counts; do gcc -std=c11 -O2 -D_GNU_SOURCE -Ipractice/judge -Ipractice -Isteps -Icommon -Isimulator/include -c $scratch/\$name.c -o $scratch/\$name.o || exit; done; "
    . "$link $scratch/sandbox.o $scratch/counts.o build/sim/practice/exercises/05_warp_shuffle/criteria.o \$(ls build/sim/practice/judge/*.o | grep -v -e sandbox -e counts) build/sim/libcommon.a -lm -o $impatient");
is($status, 0, 'an impatient judge') or diag $output;
my $given = slurp('practice/solutions/05_warp_shuffle/3_who_comes.cu');
my $hole  = slurp('practice/exercises/05_warp_shuffle/3_who_comes.cu');

# ---- the checker: faults that it must find, and what a file may try to be called solved ----

# (name of the program, what is planted, its source, what must be said ...)
sub all_planted {
    my ($program, @planted) = @_;
    my (@files, @cases);
    while (my ($what, $source, $says) = splice @planted, 0, 3) {
        push @files, "$scratch/${program}_" . @files . '.cu';
        spew($files[-1], $source =~ s/\bK\b/$#files/gr);
        push @cases, [$what, $says];
    }
    my $path = program_of($program, @files);
    for my $k (0 .. $#cases) {
        my ($what, $says) = @{ $cases[$k] };
        my ($output, $status) = run("PROOF=$k " . judged('05_warp_shuffle', '3_who_comes', $path, 1, $what =~ /endless host/ ? $impatient : undef));
        is($status, 1, "$what: refused");
        like($output, $says, "$what: said") or diag $output;
        unlike($output, qr/^  \| got: /m, "$what: confined") if $what =~ /confined/;
    }
}

# edit of the solution -> the source
sub edited {
    my ($edit) = @_;
    local $_ = $given;
    $edit->();
    isnt($_, $given, 'a fault is planted');
    return $_;
}

if (in_tier('test')) {
all_planted('faults',
    'a sum on the host' => edited(sub {
        s/    cudaMemset.*?;\n.*?;\n/    float *host = (float *)malloc(n * 4 + 4), sum = 0;\n    (void)grid;\n    cudaMemcpy(host, in, n * 4, cudaMemcpyDeviceToHost);\n    for (size_t i = 0; i < n; i++)\n        sum += host[i];\n    cudaMemcpy(out, &sum, 4, cudaMemcpyHostToDevice);\n/s;
    }), qr/WRONG  answer: .*: the kernel read 0 floats of \d+/,
    'nothing is written' => edited(sub {s/    sum_of_warps<<<.*?;\n//; s/    cudaMemset.*?;\n//}), qr/WRONG  answer: .*got NaN, as before: it was never written/,
    'always 0'           => edited(sub {s/    sum_of_warps<<<.*?;\n//}), qr/WRONG  answer: .*got 0: elements 0 to 30 are missing/,
    'an element twice'   => edited(sub {s/in\[i\] :/in[i] * (i == 5 ? 2 : 1) :/}), qr/got -?\d+: element 5 is counted twice/,
    'too large a block'  => edited(sub {s/grid, block>>>/grid, block + 1024>>>/}), qr/WRONG  answer: .*CUDA refuses the launch: invalid configuration argument/,
    'in[] overwritten'   => edited(sub {s/const float \*in/float *in/g; s/(    if \(threadIdx)/    if (i < n)\n        in[i] = 0;\n$1/}), qr/WRONG  answer: .*in\[\] was overwritten: it is only to be read/,
    'wide loads of any start' => edited(sub {s/in\[i\] :/((const float2 *)(in + i - i % 2))->x + 0 * in[i] :/}), qr/WRONG  (?:answer|faults): /,
    'a crash'            => edited(sub {s/    cudaMemset/    *(volatile int *)0 = 1;\n    cudaMemset/}), qr/WRONG  faults: n = 31.*the program crashed, outside the kernel: Segmentation fault/,
    'an exit'            => edited(sub {s/    cudaMemset/    exit(3);\n    cudaMemset/}), qr/WRONG  faults: n = 31.*the program ended itself/,
    'an exit with status 0' => edited(sub {s/    cudaMemset/    exit(0);\n    cudaMemset/}), qr/WRONG  faults: n = 31.*the program ended itself/,
    'a full stack'       => edited(sub {s/(    float value = )/    volatile char much[65536];\n    much[threadIdx.x] = 1;\n$1/}), qr/WRONG  faults: .*local memory/,
    'an endless kernel'  => edited(sub {s/(    float value = )/    for (volatile int k = 0; k < 1;)\n        k = 0;\n$1/}), qr/WRONG  faults: n = 31.*(?:never ends|stopped: it does not end)/,
    'a lane that waits for no other' => edited(sub {s/(    float value = )/    if (threadIdx.x == 0)\n        __syncwarp();\n    else\n        __syncthreads();\n$1/}), qr/WRONG  faults: n = 31.*simulator: /);

}
done_testing(), exit unless in_tier('more');

# With several GPUs, on a machine that has fewer: what cannot be shown there is said.
{
    my ($lesson, $key) = qw(14_many_gpus 2_edge);
    spew("$scratch/there.c", "#include <stdlib.h>\nint __wrap_cudaGetDeviceCount(int *count) { *count = atoi(getenv(\"THERE\")); return 0; }\n");
    ($output, $status) = run("make -s BACKEND=sim build/sim/practice/solutions/$lesson/$key.o && gcc -c $scratch/there.c -o $scratch/there.o && "
        . linked("build/sim/practice/solutions/$lesson/$key.o", "$scratch/fewer", "$scratch/there.o -Wl,--wrap=cudaGetDeviceCount"));
    is($status, 0, 'a program that finds fewer GPUs') or diag $output;
    for my $there (0, 1) {
        ($output, $status) = run("THERE=$there " . judged($lesson, $key, "$scratch/fewer"));
        is($status, 77, "$there GPUs: status 77");
        like($output, qr/\A[^\n]*needs two GPUs that reach each other's memory[^\n]*BACKEND=sim\n\z/, "$there GPUs: one line");
    }
    ($output, $status) = run("THERE=2 " . judged($lesson, $key, "$scratch/fewer", 1));
    is($status, 0, 'two GPUs: status 0') or diag $output;
    like($output, qr/so many GPUs: 2, 1; .*\n(?:  -      with [38] GPUs: here are 2 that reach each other's memory; BACKEND=sim has 8\n){2}  ok     answer: /, 'two GPUs: what is left out');
}

($output, $status) = run('THERE=0 ' . judged('05_warp_shuffle', '3_who_comes', "$scratch/fewer", 1, $impatient));
like("$status $output", qr/\A77 .*\npractice: here is no GPU; BACKEND=sim needs none\n\z/, 'no GPU, where one is enough');

($output, $status) = run('build/sim/practice/exercises/05_warp_shuffle/judge --frob x');
is("$status $output", "2 practice: --frob: there is no such option\n", 'an option that there is not');

# What the program of an exercise cannot do, where the kernel confines it; each thing that it can is printed.
my $target = "$scratch/target";
spew($target, "solved\n");
my $attack = <<"END" . $hole;
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
static void got(const char *what, bool came) { if (came) { printf("got: %s\\n", what); fflush(stdout); } }
static void try_files(int judge)
{
    char memory[64];
    snprintf(memory, sizeof memory, "/proc/%d/mem", judge);
    got("the judge's memory", open(memory, O_RDWR) >= 0 || open(memory, O_WRONLY) >= 0);
    got("write()", write(open("$target", O_WRONLY), "!", 1) == 1);
    got("append", write(open("$target", O_WRONLY | O_APPEND), "!", 1) == 1);
    got("mmap()", mmap(NULL, 4096, PROT_WRITE, MAP_SHARED, open("$target", O_RDWR), 0) != MAP_FAILED);
    got("truncate()", truncate("$target", 0) == 0 || open("$target", O_WRONLY | O_TRUNC) >= 0);
    got("open()", open("$target.new", O_WRONLY | O_CREAT, 0600) >= 0);
    got("rename()", rename("$target", "$target.new") == 0);
    got("unlink()", unlink("$target") == 0);
    got("symlink()", symlink("/", "$target.new") == 0 || link("$target", "$target.new") == 0);
    got("mkdir()", mkdir("$target.new", 0700) == 0);
}
__attribute__((constructor)) static void early()
{
    if (atoi(getenv("PROOF")) != K)
        return;
    got("ptrace()", ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0);
    int judge = getppid();
    try_files(judge);
    pid_t child = fork();
    if (child == 0) {
        try_files(judge);
        _exit(0);
    }
    waitpid(child, NULL, 0);
    got("kill()", kill(judge, SIGKILL) == 0);
}
END
my $as_given = qr/WRONG  faults: n = 31, .*simulator: /;
my @replaced = map {"extern \"C\" long fake_$_() __asm__(\"$_\");\nlong fake_$_() { return 1; }\n"}
    qw(judge_kernel judge_quiz check_answer in_sandbox say_ok say_wrong counted run_launch count_from_here printf vprintf puts write read fork memfd_create mmap strcmp
    simt_launch simt_launch_count simt_launches_clear cudaMalloc cudaMemset cudaDeviceSynchronize cudaGetLastError);
my $early = '#include <unistd.h>' . "\n" . '#include <stdlib.h>' . "\n";
$ENV{ALLOW_SYSTEM_CALLS} = 1;    # what comes behind that
all_planted('cheats',
    'an end before main()' => "${early}__attribute__((constructor)) static void early() { if (atoi(getenv(\"PROOF\")) == K) _exit(0); }\n$hole",
    qr/WRONG  faults: at its start: the program ended itself before its first launch/,
    'an end in an initialiser' => "${early}static int early() { if (atoi(getenv(\"PROOF\")) == K) exit(0); return 0; }\nint value_of_early = early();\n$hole",
    qr/WRONG  faults: at its start: the program ended itself before its first launch/,
    'an answer in place of the program' => '#include <sys/syscall.h>' . "\n${early}__attribute__((constructor)) static void early()\n{\n    static char zeros[65536];\n"
        . "    for (int file = 3; file < 32 && atoi(getenv(\"PROOF\")) == K; file++)\n        syscall(SYS_write, file, zeros, sizeof zeros);\n}\n$hole",
    qr/WRONG  /,
    'a race after many words' => $early . '#include <stdio.h>' . "\n" . edited(sub {s/atomicAdd\(out, value\)/*out += value/; s/    cudaMemset/    for (int i = 0; i < 1000; i++)\n        fputs("words, words ", stderr);\n$&/}),
    qr/WRONG  faults: .*: simulator: .*race/,
    'a death' => '#include <signal.h>' . "\n" . edited(sub {s/    cudaMemset/    raise(SIGKILL);\n$&/}), qr/WRONG  faults: n = 31, .*: the program was killed: does it take too much memory\?/,
    'an endless host' => '#include <stdlib.h>' . "\n" . $given =~ s/    cudaMemset/    while (atoi(getenv("PROOF")) == K)\n        ;\n$&/r, qr/WRONG  faults: n = 31, .*: stopped: it does not end: /,
    (-r '/proc/self/status' && slurp('/proc/self/status') =~ /^Seccomp:/m ? ('an attack, confined' => $attack, $as_given) : ()));
is(slurp($target), "solved\n", 'the file that was attacked is as it was');
all_planted('replaced', 'functions of its own in place of the judge\'s, the simulator\'s and the C library\'s' => join('', @replaced) . $hole, $as_given);

delete $ENV{ALLOW_SYSTEM_CALLS};
for (['int main(void) { return 0; }', qr/\Apractice: your file defines main\(\): it is launch\(\) that is called; take main\(\) out, or rename it\n\z/],
    ['__asm__(".globl main\nmain: nop\n");', qr/\Apractice: your file defines main\(\)/],
    ['void simt_launches_clear(void); void f(void) { simt_launches_clear(); }', qr/\Apractice: your file calls simt_launches_clear\(\), which only the judge may\n\z/],
    ['void counts_clear(void); void f(void) { counts_clear(); }', qr/\Apractice: your file calls counts_clear\(\), which only the judge may\n\z/],
    ['extern char simt_now[]; char *f(void) { return simt_now; }', qr/\Apractice: your file calls simt_now\(\), which only the judge may\n\z/],
    ['void count_from_here(void); void f(void) { count_from_here(); }', qr/\Apractice: your file calls count_from_here\(\), which only the judge may\n\z/],
    (map { my ($call, $name) = @$_; ["long $call(); long f() { return $call(); }", qr/\Apractice: your file calls $name\(\): files, processes and memory of the system are out of bounds here\n\z/] }
        map { ref ? $_ : [$_, $_] } qw(read write pread64 writev send recvmsg syscall dlsym fopen fdopen openat64 socket dup2 mmap mprotect fork execve posix_spawn system popen process_vm_readv unlink rename symlink mkdir truncate),
        [__read_chk => 'read_chk'], [__open_2 => 'open_2']),
    ['void f(void) { __asm__ volatile("' . (`uname -m` =~ /aarch64/ ? 'svc #0' : 'syscall') . '"); }', qr/\Apractice: your file asks the system by an instruction of its own: take that out\n\z/]) {
    spew("$scratch/names.c", "void launch(void) {}\n$_->[0]\n");
    ($output, $status) = run("gcc -w -c $scratch/names.c -o $scratch/names.o && practice/localize_symbols $scratch/names.o $scratch/names.own.o build/sim/runner.names");
    is($status, 1, "$_->[0]: refused");
    like($output, $_->[1], "$_->[0]: said");
    ok(!-e "$scratch/names.own.o", 'and there is nothing to link');
}
spew("$scratch/names.c", "#include <stdio.h>\n#include <stdlib.h>\nvoid reads(void) {}\nstatic int helper(void) { reads(); return printf(\"%p\", malloc(1)); }\nint launch(void) { return helper(); }\n");
($output, $status) = run("gcc -w -c $scratch/names.c -o $scratch/names.o && practice/localize_symbols $scratch/names.o $scratch/names.own.o build/sim/runner.names");
is("$status $output", '0 ', 'a file that has launch(), functions of its own, and calls printf() and malloc(): is taken');

# ---- the runner, in a copy: the reader's own files are not touched ----

my $copy = "$scratch/copy";
($output, $status) = run("mkdir -p $copy/build/sim && cp -a Makefile common library practice simulator steps tools $copy/ && cd build/sim && "
    . "cp -a flags libcommon.a runner.a runner.names common practice simulator $copy/build/sim/");
is($status, 0, 'a copy') or BAIL_OUT($output);
$ENV{SEED} = 1; # a sum of other data may be 0 by chance, which is what is planted
$ENV{BACKEND} = 'sim';

sub practice { return run("cd / && $copy/practice/run $_[0] </dev/null") }

my $file = "$copy/practice/exercises/05_warp_shuffle/3_who_comes.cu";

# Sleeps for ever, while the others run.
spew("$copy/practice/exercises/05_warp_shuffle/2_everybody.cu",
    slurp('practice/solutions/05_warp_shuffle/2_everybody.cu') =~ s/    size_t grid/    for (;;)\n        sleep(1);\n    size_t grid/r =~ s/\A/#include <unistd.h>\n/r);
open my $sleeper, '-|', "$copy/practice/run check 05-2 2>&1" or die;

# (what is planted, source, what must be said)
sub planted {
    my ($what, $source, $says) = @_;
    spew($file, $source);
    ($output, $status) = practice('check 05-3');
    is($status, 1, "$what: refused");
    like($output, $says, "$what: said") or diag $output;
}
planted('no C++',      $given =~ s/float value = /float valu = /r, qr/WRONG  it does not compile\nsimcc: practice\/exercises\/05_warp_shuffle\/3_who_comes\.cu:\d+: 'value' is declared neither.*\n(?:.*\n)+/);
planted('no launch()', $given =~ s/launch\(/launched(/r, qr/WRONG  it does not compile\n.*undefined reference to `launch'/s);
planted('its solution included', "#include \"../../solutions/05_warp_shuffle/3_who_comes.cu\"\n", qr/WRONG  your file includes practice\/solutions\/05_warp_shuffle\/3_who_comes\.cu: write that part yourself; headers of the system and of earlier lessons /);
planted('a library that does it included', "#include <cub/cub.cuh>\n$given", qr/WRONG  your file includes simulator\/include\/cub\/cub\.cuh: write that part yourself/);
planted('a later lesson included', "#define FROM \"15_operators/reduce.h\"\n#include FROM\n$given", qr/WRONG  your file includes steps\/(?:05_warp_shuffle|08_vectorized|09_single_pass|15_operators)\/\w+\.h: /);
planted('a main() of its own', "$hole\nint main()\n{\n    return 0;\n}\n", qr/\n  WRONG  your file defines main\(\): it is launch\(\) that is called; .*\n\n/);
planted('half a file', $hole, $as_given);

my $fifth = "$copy/practice/exercises/05_warp_shuffle/5_one_barrier.cu";
unlink $fifth;
($output, $status) = practice('check 05-5');
is($status, 1, 'a deleted file: status 1');
like($output, qr/WRONG  the file is not there, deleted or renamed: make reset EXERCISE=05-5 brings it back/, 'a deleted file: said');
($output, $status) = practice('reset 05-5');
is($status, 1, 'no git, and never seen pristine: status 1');
like($output, qr/^practice: git does not have practice\/exercises\/05_warp_shuffle\/5_one_barrier.cu as it was, and nor has kept\/: .*\n\z/, 'no git: one line');
is(join(' ', glob "$fifth*"), '', 'and nothing half-written');
SKIP: {
    skip 'no git here', 2 if $git eq '';
    ($output, $status) = run("cd $copy && GIT_DIR=$git practice/run reset 05-5");
    is($status, 0, 'reset: status 0') or diag $output;
    ok(-f $fifth && slurp('practice/pristine.txt') =~ /^\Q@{[blob($fifth)]}\E 05_warp_shuffle\/5_one_barrier$/m, 'reset: the file as given');
}

# An older file in place of a solved one: no date makes it solved.
spew($file, $hole);
utime 1e9, 1e9, $file;
($output, $status) = practice('check 05-3');
is($status, 1, 'a file as given that came back with its old date: not solved') or diag $output;

# Progress: from the files alone.
spew($file, $hole =~ s/\n/\r\n/gr);
($output) = practice('list');
like($output, qr/\n  0 of \d+ solved\n\z/, 'nothing is solved at first');
spew($file, $given);
($output, $status) = practice('list');
is($status, 1, 'list: status 1 as long as one is not solved');
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
like($output, qr/00-1, predict: .*00-1  practice\/exercises\/00_baselines\/1_predict\.cu\n.*no answer yet.*make practice00-1 /s, 'the first unsolved: task, verdict, command');
spew("$copy/practice/exercises/00_baselines/1_predict.cu", slurp('practice/solutions/00_baselines/1_predict.cu'));
($output) = practice('');
like($output, qr/^00-2  practice\/exercises\//m, 'then the second');
($output) = run("SEED=42 $copy/practice/run check 05-3");
like($output, qr/drawn with SEED=42\./, 'SEED chooses the data');
($output, $status) = run("SEED=many $copy/practice/run check 05-3");
like($output, qr/practice: SEED=many: a whole number is needed/, 'a seed that is none');

for (['check 77', 2, qr/^practice: there is no exercise 77: make practice-list names them\n\z/],
    ['hint 05', 2, qr/^practice: 05 are several: say which, as in EXERCISE=05-1\n\z/],
    ['reset', 2, qr/^practice: say which: make reset EXERCISE=05-2\n\z/],
    ['frobnicate', 2, qr/^practice: frobnicate: there are /],
    ['solution 05-3', 0, qr/no answer: YES=1 shows it without the question\n\z/],
    ['hint 05-3 2', 0, qr/Take the shuffles out of the `if`/]) {
    ($output, $status) = practice($_->[0]);
    is($status, $_->[1], "practice/run $_->[0]: status $_->[1]");
    like($output, $_->[2], "practice/run $_->[0]: said");
}
($output, $status) = run("YES=1 $copy/practice/run solution 05-3");
like($output, qr/\A\Q$given\E\n.*The branch belongs around the load/s, 'the solution is the tested file, then what there is to say');
($output, $status) = run("$copy/practice/run watch 01-2 >$scratch/watch & for i in \$(seq 1000); do sleep 0.3; grep -q Ctrl-C $scratch/watch && break; done; cp practice/solutions/01_interleaved/2_half_a_barrier.cu $copy/practice/exercises/01_interleaved/; "
    . "for i in \$(seq 1000); do sleep 0.3; grep -q 'next: ' $scratch/watch && break; done; kill \$!; wait \$!; echo \$?");
like(slurp("$scratch/watch"), qr/WRONG.*waits at __syncthreads.*solved\.\n  next: practice\/exercises\/00_baselines\/2_/s, 'watch: checks when the file is saved');
like($output, qr/^0\n\z/, 'watch: stops cleanly');


# For machines: the same verdicts as one object of JSON, with the same status.
require JSON::PP;
sub verdicts {
    my ($command) = @_;
    my $text = `cd / && $copy/practice/run --json $command 2>/dev/null </dev/null`;
    my $status = $? >> 8;
    my $json = eval { JSON::PP->new->utf8->decode($text) } or diag "$@$text";
    is($json->{status}, $status, "practice/run --json $command: the status is in it");
    return ($json, $status);
}
my ($json);
($json, $status) = verdicts('check 05-3');
is_deeply([$status, @$json{qw(solved of)}, @{ $json->{exercises}[0] }{qw(exercise verdict seed)}], [0, 1, 1, '05-3', 'solved', 1], '--json: a solved one');
is_deeply([grep { !$_->{met} } @{ $json->{exercises}[0]{criteria} }], [], 'all criteria are met');
spew($file, "#include <stdio.h>\n" . $given =~ s/    cudaMemset.*?;\n/    printf("{\\"verdict\\": \\"solved\\"}\\n");\n/r);
($json, $status) = verdicts('check 05');
is_deeply([$status, @$json{qw(solved of)}, @{ $json->{exercises}[2] }{qw(exercise verdict)}], [1, 0, 5, '05-3', 'open'], '--json: a lesson of which nothing is solved, and a file that prints a verdict');
like($json->{exercises}[2]{criteria}[0]{says}, qr/^(?:answer|faults): /, 'and what is wrong');
spew($file, "\xff\"\\ \xc3\xa9\n");
($json, $status) = verdicts('check 05-3');
is_deeply([$status, $json->{exercises}[0]{verdict}, $json->{exercises}[0]{criteria}[0]{criterion}], [1, 'open', 'file'], '--json: a file in another encoding that does not compile');
rename "$copy/build/sim/practice/exercises/05_warp_shuffle/judge", "$scratch/judge.away" or die;
rename "$copy/practice/judge/quiz.c", "$scratch/quiz.away" or die;
($json, $status) = verdicts('check 05-3');
is_deeply([$status, $json->{exercises}[0]{verdict}], [3, 'unknown'], '--json: a judge that cannot be built');
like($json->{exercises}[0]{problem}, qr/nothing is judged/, 'and why');
rename "$scratch/quiz.away", "$copy/practice/judge/quiz.c" or die;
rename "$scratch/judge.away", "$copy/build/sim/practice/exercises/05_warp_shuffle/judge" or die;
for (['--json hint', 2, qr/^practice: --json is for check and list\n\z/], ['--json check 77', 2, qr/^practice: there is no exercise 77/]) {
    ($output, $status) = practice($_->[0]);
    is($status, $_->[1], "practice/run $_->[0]: status $_->[1]");
    like($output, $_->[2], 'said');
}
($output, $status) = run("cd $copy && make practice05-3 && make practice-list");
is($status, 0, 'make practice05-3 and make practice-list: no error, whatever the verdict');
unlike($output, qr/\*\*\*/, 'and make says nothing');
spew($file, $given);

# launch() of an exercise whose task says that it stays.
my $refuses = "$copy/practice/exercises/11_library/2_refuse_first.cu";
my $contract = slurp('practice/solutions/11_library/2_refuse_first.cu');
spew($refuses, "// mine\n" . $contract);
($output, $status) = practice('check 11-2');
is($status, 0, 'a launch() that stays, and a comment') or diag $output;
spew($refuses, $contract =~ s/said\[0\] = sum/said[0] = 1; sum/r);
($output, $status) = practice('check 11-2');
like("$status $output", qr/\A1 .*WRONG  launch\(\) stays as it is in this exercise, and yours is another: make reset EXERCISE=11-2/s, 'another launch(), where it has to stay');

# A quiz whose kernel was changed, so that other answers fit.
my $quiz = "$copy/practice/exercises/00_baselines/1_predict.cu";
my $answered = slurp('practice/solutions/00_baselines/1_predict.cu');
spew($quiz, $answered =~ s/^unsigned seed = .*/$& \/\/ as given/mr =~ s/\{48, /{3 * 16, /r);
($output, $status) = practice('check 00-1');
is($status, 0, 'a quiz with a comment and a computed answer') or diag $output;
spew($quiz, $answered =~ s/    int i = /    return;\n$&/r =~ s/\{48, .*?\}/{6, 151, 701, 0}/r);
($output, $status) = practice('check 00-1');
is($status, 1, 'a quiz with another kernel: status 1');
like($output, qr/WRONG  the kernel of a quiz stays as it is, and yours is another, so its numbers say nothing: make reset EXERCISE=00-1/, 'said') or diag $output;
unlike($output, qr/^  ok /m, 'and no question passes');
for my $end ('\\', '\\ ') {
    spew($quiz, $answered =~ s/    if \(i < n\)\n/    \/\/ $end\n$&/r);
    ($output, $status) = practice('check 00-1');
    like("$status $output", qr/\A1 .*WRONG  the kernel of a quiz stays as it is, and yours is another/s, 'a comment that goes on in the next line, and takes that away');
}

# What a reset takes away is kept, and a pristine file comes back without git.
my $pristine = slurp('practice/exercises/05_warp_shuffle/4_any_block.cu');
my $fourth = "$copy/practice/exercises/05_warp_shuffle/4_any_block.cu";
is(slurp("$copy/kept/pristine/05_warp_shuffle/4_any_block.cu"), $pristine, 'without git: what is seen pristine is kept');
for my $k (1, 2) {
    spew($fourth, "mine, $k\n");
    ($output, $status) = practice('reset 05-4');
    is($status, 0, "reset $k: status 0") or diag $output;
    like($output, qr/\Ayours is kept: kept\/05_warp_shuffle\/4_any_block\.$k\.cu\npractice\/exercises.*4_any_block.cu is as it was\n\z/, "reset $k: said");
    is(slurp($fourth), $pristine, "reset $k: the file as given");
}
is(slurp("$copy/kept/05_warp_shuffle/4_any_block.$_.cu"), "mine, $_\n", "what was kept $_") for 1, 2;
($output, $status) = practice('reset 05-4');
is($output, "practice/exercises/05_warp_shuffle/4_any_block.cu is as it was\n", 'reset of a pristine file: nothing to keep');
spew($fourth, "mine\n");
rename "$copy/kept/05_warp_shuffle", "$copy/kept/aside" or die;
spew("$copy/kept/05_warp_shuffle", '');
($output, $status) = practice('reset 05-4');
is("$status $output", "1 practice: yours cannot be kept (is the disk full, or kept/ not yours?): practice/exercises/05_warp_shuffle/4_any_block.cu stays as it is\n", 'what cannot be kept');
is(slurp($fourth), "mine\n", 'stays');
unlink "$copy/kept/05_warp_shuffle";
rename "$copy/kept/aside", "$copy/kept/05_warp_shuffle" or die;
spew("$copy/kept/pristine/05_warp_shuffle/4_any_block.cu", "half of it\n");
($output, $status) = practice('reset 05-4');
is("$status $output", "1 practice: what git or kept/ has is not whole: practice/exercises/05_warp_shuffle/4_any_block.cu stays as it is\n", 'a pristine copy that was edited');
is(slurp($fourth), "mine\n", 'is not taken');
unlink "$copy/practice/exercises/05_warp_shuffle/4_any_block.cu";

# A runner that dies half-way counts nothing as solved that it has not named.
my $judge = "$copy/build/sim/practice/exercises/05_warp_shuffle/judge";
rename $judge, "$judge.away" or die;
for my $depth (0, 2) {
    spew($judge, "#!/bin/sh\nvictim=\$\$\nfor i in \$(seq $depth); do victim=\$(sed 's/.*) . \\([0-9]*\\) .*/\\1/' /proc/\$victim/stat); done\nkill -9 \$victim\nsleep 1\n");
    chmod 0755, $judge;
    ($output, $status) = practice('list');
    cmp_ok($status & 255, '>', 1, "a judge that ends its ancestor $depth: neither solved nor open");
    unlike($output, qr/\[#\] 3_who_comes|[1-9]\d* of \d+ solved\n/, 'and nothing is said to be solved') or diag $output;
}
spew($judge, "#!/bin/sh\nkill -9 \$\$\n");
($output, $status) = practice('check 05-3');
is($status, 3, 'a judge that is ended: status 3');
like($output, qr/^practice: 05-3 cannot be judged: the judge itself was ended \(status 137\)\n\z/m, 'said');
rename "$judge.away", $judge or die;
script("$scratch/dying", "kill -9 \$\$\n");
for my $command ('list', 'check 05-3') {
    ($output, $status) = run("MAKE=$scratch/dying $copy/practice/run $command");
    is($status, 3, "make dies, practice/run $command: status 3");
    like($output, qr/^practice: make was ended \(status \d+\), so nothing is judged\n/m, 'said');
    unlike($output, qr/ solved\n/, 'and nothing is counted');
}

# Whose fault it is: (file, edit, exercise, what is said)
for (['simulator/api.c', sub {s/^#include/int int;\n$&/m}, '05-3', qr/^practice: the simulator or the judge does not build here, so nothing is judged: simulator\/api\.c:\d+:.*error: .*\n\z/m],
    ['practice/judge/quiz.c', sub {s/^#include/int int;\n$&/m}, '05-3', qr/^practice: the simulator or the judge does not build here, so nothing is judged: practice\/judge\/quiz\.c:\d+:.*error: .*\n\z/m],
    ['practice/exercises/05_warp_shuffle/criteria.c', sub {s/\.file = "3_who_comes"/.file = "3_who_went"/}, '05-3', qr/^practice: no criteria for 3_who_comes: criteria\.c has no such row\n\z/m],
    ['library/parts/slots.h', sub {s/^#define.*\n/$&int int;\n/m}, '14-5', qr/^practice: 14-5 cannot be judged: even its solution does not compile here: (?:\.\/)?library\/parts\/slots\.h:\d+:.*error: .*\n\z/m]) {
    my ($path, $edit, $exercise, $says) = @$_;
    run("cp -a $copy/$path $scratch/whole");
    local $_ = slurp("$copy/$path");
    $edit->();
    spew("$copy/$path", $_);
    ($output, $status) = practice("check $exercise");
    is($status, 3, "a mistake in $path: status 3");
    like($output, $says, 'said');
    unlike($output, qr/WRONG/, 'and the exercise is not to blame') or diag $output;
    run("touch $scratch/whole && mv $scratch/whole $copy/$path");
}
rename "$copy/build", "$copy/build.away" or die;
spew("$copy/build", '');
for my $command ('list', 'check 05-3') {
    ($output, $status) = practice($command);
    is($status, 3, "no place to build, practice/run $command: status 3");
    like($output, qr/^practice: nothing can be built in build\/sim: Not a directory: is it another user's, or the disk full\?\n\z/m, 'said');
}
unlink "$copy/build";
rename "$copy/build.away", "$copy/build" or die;

# Surroundings. Each time there is something to build.
make_path("$scratch/elsewhere/practice");
for my $environment ("CDPATH=$scratch/elsewhere MAKEFLAGS=w", 'MAKEFLAGS=-k GNUMAKEFLAGS=-n SANITIZE=address') {
    spew($file, "// $environment\r\n" . $given =~ s/\n/\r\n/gr);
    ($output, $status) = run("cd $copy && export $environment && practice/run check 05-3");
    is($status, 0, "$environment, and a file with CR LF: solved") or diag $output;
    unlike($output, qr/directory/, 'and make is not heard');
}
($output, $status) = run("BACKEND=gpu $copy/practice/run list");
is("$status $output", "2 practice: BACKEND=gpu: there are two, cuda and sim\n", 'another backend');

($output) = run("YES=1 $copy/practice/run list | head -n 1");
like($output, qr/\A(?!practice: ).*\n\z/, 'practice/run list | head -n 1: one line, and no message') or diag $output;

{ local $/; $output = <$sleeper>; close $sleeper; }
like($output, qr/WRONG  faults: n = 31.*stopped: it sleeps, and waits for something that does not happen/, 'a host that sleeps: said');

# make clean takes nothing of the reader's.
($output, $status) = run("cd $copy && make -s clean && ls -d build kept/05_warp_shuffle/4_any_block.1.cu");
like($output, qr/^kept\/05_warp_shuffle\/4_any_block\.1\.cu$/m, 'make clean: what was kept stays');
like($output, qr/build.*No such file/, 'and what was built does not');

# What nvcc has read, it writes with a blank in front of the colon.
for (['/usr/include/stdio.h', 0, 'a header of the system'], ['practice/solutions/01_interleaved/1_predict.cu', 1, 'the solution']) {
    my ($read, $right, $what) = @$_;
    spew("$scratch/nvcc.d", "x.o : practice/exercises/01_interleaved/1_predict.cu \\\n    $read\n");
    ($output, $status) = run("practice/check_includes $scratch/nvcc.d practice/solutions/01_interleaved/1_predict.cu");
    is($status, $right, "by nvcc's list: $what") or diag $output;
}
done_testing();
