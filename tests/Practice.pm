package Practice;

# What the tests of the exercises share: many versions of exercises in one program, and the command that judges one.
use strict;
use warnings;
use Exporter 'import';
use Test::More;
use Common;
use File::Basename qw(dirname);
use File::Path qw(make_path);
our @EXPORT = qw(program_of linked judged @lessons);

our @lessons = map {m{/(\w+)/criteria\.c$}} sort glob 'practice/exercises/*/criteria.c';

# (name, files) -> all these versions of exercises as one program; PROOF=k chooses one.
sub program_of {
    my ($name, @files) = @_;
    my ($cases, $choices) = ('', '');
    my $parameters = slurp($files[0]) =~ /launch\(const struct share/ ? 'const struct share *shares, unsigned gpus, unsigned block'
        : 'const float *in, float *out, size_t n, unsigned block';
    my $arguments = join ', ', $parameters =~ /(\w+)(?:,|$)/g;
    for my $k (0 .. $#files) {
        $cases .= "    case $k: return ((void (*)($parameters))n$k\::launch_$k)($arguments);\n";
        $choices .= "    case $k: seed = n$k\::seed_$k; memcpy(answers, n$k\::answers_$k, sizeof n$k\::answers_$k); break;\n"
            if slurp($files[$k]) =~ /^double answers\[/m;
    }
    spew("$scratch/$name.cu", "#include <stdlib.h>\n#include <string.h>\n" . as_one([qw(launch seed answers)], @files)
        . "static int chosen() { return atoi(getenv(\"PROOF\")); }\nunsigned seed;\ndouble answers[4];\n"
        . "__attribute__((constructor)) static void choose() { switch (chosen()) {\n${choices}    default: break;\n} }\n"
        . "extern \"C\" void launch($parameters)\n{\n    switch (chosen()) {\n$cases    }\n}\n");
    my ($output, $status) = run("simulator/simcc -w -g1 -I. -Isteps -Icommon -c $scratch/$name.cu -o $scratch/$name.o && "
        . linked("$scratch/$name.o", "$scratch/$name"));
    is($status, 0, "$name: its " . @files . ' versions compile') or diag $output;
    return "$scratch/$name";
}

# (object, program, options) -> the command that makes an exercise's program, as the Makefile does it
sub linked {
    my ($object, $program, $options) = (@_, '');
    return "practice/localize_symbols $object $program.own.o build/sim/runner.names && "
        . "$link $program.own.o $options build/sim/runner.a build/sim/libcommon.a -lm -o $program";
}

# (lesson, exercise, program, seed, judge, options) -> the command that judges it: the judge knows an exercise by the program's name
sub judged {
    my ($lesson, $name, $program, $seed, $judge, $options) = @_;
    $seed  //= '';
    $judge //= "build/sim/practice/exercises/$lesson/judge";
    my $path = "$scratch/named/$lesson/$name";
    make_path(dirname($path));
    unlink $path;
    symlink $program, $path;
    return "$judge " . ($options // '') . " $path $seed";
}

1;
