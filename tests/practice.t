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

# All versions of all exercises of a lesson become one program, since the compiler's time is mostly
# its own: each in a namespace, PROOF=k chooses one. What they include is included before.
sub program_of {
    my ($lesson, @files) = @_;
    my (%includes, $body, $cases, $choices) = ();
    ($body, $cases, $choices) = ('', '', '');
    my $rename = join '', map {"#define $_ ${_}_K\n"} qw(launch seed answers);
    my $undo   = join '', map {"#undef $_\n"} qw(launch seed answers);
    for my $k (0 .. $#files) {
        my $text = slurp($files[$k]);
        $includes{$1} = 1 while $text =~ /^\h*#\h*include\h*(["<][^">]+[">])/mg;
        my $path = $files[$k] =~ m{^/} ? $files[$k] : "$ENV{PWD}/$files[$k]";
        $body .= ($rename =~ s/_K/_$k/gr) . "namespace n$k {\n#include \"$files[$k]\"\n}\n$undo";
        $cases .= "    case $k: return ((void (*)(const float *, float *, size_t, unsigned))n$k\::launch_$k)(in, out, n, block);\n";
        $choices .= "    case $k: seed = n$k\::seed_$k; memcpy(answers, n$k\::answers_$k, sizeof n$k\::answers_$k); break;\n"
            if $text =~ /^double answers\[/m;
    }
    spew("$scratch/$lesson.cu", join('', map {"#include $_\n"} sort keys %includes)
        . "#include <stdlib.h>\n#include <string.h>\n$body"
        . "static int chosen() { return atoi(getenv(\"PROOF\")); }\nunsigned seed;\ndouble answers[4];\n"
        . "__attribute__((constructor)) static void choose() { switch (chosen()) {\n${choices}    default: break;\n} }\n"
        . "extern \"C\" void launch(const float *in, float *out, size_t n, unsigned block)\n{\n    switch (chosen()) {\n$cases    }\n}\n");
    my ($output, $status) = run("simulator/simcc -w -I. -Isteps -Icommon -c $scratch/$lesson.cu -o $scratch/$lesson.o && "
        . "\${CXX:-g++} -fopenmp $scratch/$lesson.o build/sim/exercises/$lesson/criteria.o build/sim/practice.a build/sim/libcommon.a -lm -o $scratch/$lesson");
    is($status, 0, "$lesson: its " . @files . ' versions compile') or diag $output;
    return "$scratch/$lesson";
}

my @lessons = map {m{/(\w+)/criteria\.c$}} sort glob 'exercises/*/criteria.c';
my ($output, $status) = run('make -s BACKEND=sim build/sim/practice.a ' . join ' ', map {"build/sim/exercises/$_/criteria.o"} @lessons);
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

sub blob {
    my $text = slurp($_[0]);
    require Digest::SHA;
    return Digest::SHA::sha1_hex('blob ' . length($text) . "\0$text");
}

done_testing();
