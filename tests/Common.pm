package Common;

# What the Perl tests share: the programs and their variants, running a command, reading a CSV,
# kernels with a fault behind a switch.
use strict;
use warnings;
use Test::More ();
use Exporter 'import';
use File::Temp qw(tempdir);
use File::Basename qw(dirname);
use File::Path qw(make_path);
our @EXPORT = qw(run until_said refused script quoted rows slurp spew variants takes_rows nvcc quick_nvcc cuda_home same_compiler as_one compile_as_one make_switch build_switched barriers switches unseen
    @steps @tools @programs @experiments $scratch $backend $guard $link in_tier);

my $root = dirname(__FILE__) . "/..";
chdir $root or die "$root: $!";
delete @ENV{qw(CDPATH MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKELEVEL MAKEFILES)};    # as tools/environment.sh
delete @ENV{qw(LANGUAGE LC_ALL LC_MESSAGES LANG)};                                          # practice speaks Chinese where they say so
our $scratch = tempdir(CLEANUP => 1);
our $backend = $ENV{TEST_BACKEND} || 'sim';    # tests/run-gpu says cuda

# How a program of the simulator's objects is linked: as the Makefile does it.
our $link = '${CXX:-g++} -fopenmp' . (-f (`\${CXX:-g++} -print-file-name=libstdc++.a` =~ s/\n//r) ? ' -static-libstdc++' : '');

# (tiers) -> whether this run is for one of them: that of make test, make test-more, nightly. A test that is run by itself
# is for all, and so is make test-all.
sub in_tier {
    my $tier = $ENV{TESTS} // 'all';
    return $tier eq 'all' || scalar grep { $_ eq $tier } @_;
}

# Before a command that might hang for ever. It ends what hangs, and never what is only slow, on a slow machine: what
# takes seconds gets ten minutes. What something may cost is counted in work, not in seconds.
our $guard = 'timeout 600';

# The programs: of each its name (as in the column step of its CSV), its folder, and how it is run.
our @steps = map { m{^(steps/((\d\d)_\w+))/} ? { name => $2, folder => $1, program => "./step$3" } : () } sort glob 'steps/*/lesson.c';
our @tools = map { m{/(\w+)/$} ? { name => $1, folder => "steps/toolbox/$1", program => "./$1" } : () } sort glob 'steps/toolbox/*/';
our @programs    = (@steps, @tools);
our @experiments = map { m{/(\w+)\.cu$} } sort glob 'steps/experiments/*.cu';

my $names = join '|', (map { $_->{program} =~ s{^\./}{}r } @programs), 'broken', @experiments;

# ./step05 is the program of the backend under test, whatever the link in the root points to.
sub built { return $_[0] =~ s{(?<![\w/])\./($names)\b}{build/$backend/$1}gr }

# (command) -> (stdout and stderr together, exit status; -1 for a signal)
sub run {
    my $command = built($_[0]);
    my $output  = `exec 2>&1; ($command)`;    # also what the shell says of a crash
    return ($output, $? & 127 ? -1 : $? >> 8);
}

# (a command that begins with env, patterns) -> (what the last of them matched, the output so far, exit status): the command is
# ended as soon as each pattern has matched a line; its status is 1 then.
sub until_said {
    my ($command, @patterns) = @_;
    my ($found, $output) = ('', '');
    my $program = open my $out, '-|', 'exec 2>&1; exec ' . built($command) or die "$command: $!";
    while (defined(my $line = <$out>)) {
        $output .= $line;
        @patterns = grep { $line =~ $_ ? ($found = $1 // $2 // $line, 0)[1] : 1 } @patterns;
        kill('TERM', $program), last if !@patterns;
    }
    close $out;
    return ($found, $output, !@patterns ? 1 : $? & 127 ? -1 : $? >> 8);
}

# (command, status, what the one line must say)
sub refused {
    my ($command, $expected, $text) = @_;
    my ($output, $status) = run($command);
    Test::More::is($status, $expected, "$command: status $expected");
    Test::More::like($output, qr/\A[^\n]*$text[^\n]*\n\z/, "$command: one line, $text") or Test::More::diag($output);
}

# A script of the shell's: (path, its text)
sub script {
    my ($path, $text) = @_;
    make_path(dirname($path));
    spew($path, "#!/bin/sh\n$text");
    chmod 0755, $path;
}

# (lines of a CSV) -> a hash for each row, by column
sub table {
    my ($header, @lines) = @_;
    chomp(($header //= '', @lines));
    my @columns = split /,/, $header;
    return map { my %row; @row{@columns} = split /,/, $_, -1; \%row } @lines;
}

# A word that the shell takes as it stands.
sub quoted { return "'" . $_[0] =~ s/'/'\\''/gr . "'" }

# (file) -> its rows
sub rows {
    die "$_[0]: not a regular file of at most 8 MiB\n" if -e $_[0] && (!-f _ || -s _ > 8 << 20);    # results/ may hold a stranger's
    open my $csv, '<', $_[0] or return ();
    return table(<$csv>);
}

sub slurp {
    my ($path) = @_;
    open my $file, '<', $path or die "$path: $!";
    local $/;
    return scalar <$file>;
}

sub spew {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print $file $text;
    close $file or die "$path: $!";
}

# (program, as ./step05) -> its variants, as --list --csv tells them. Where this GPU is too old for
# one, it is none that runs here, either.
my ($capability, %variants);

sub variants {
    my ($program) = @_;
    return @{ $variants{$program} //= do {
        my @list = table(split /^/, `@{[built($program)]} --list --csv -`);
        $capability //= `build/$backend/machine` =~ /"compute_capability": "(\d+)\.(\d+)"/ ? 10 * $1 + $2 : 0;
        $_->{runs_here} &&= $_->{capability} <= $capability for @list;
        \@list;
    } };
}

# Whether some variant of the program works on the rows of a matrix.
sub takes_rows { return scalar grep { $_->{max_row} > 0 } variants($_[0]) }

# nvcc, if there is one.
sub nvcc { return (grep {-x} map {"$_/nvcc"} split(/:/, $ENV{PATH}), '/usr/local/cuda/bin')[0] }

# A script that calls it for code that nobody runs: with less optimization, in half of the time. nvcc before 12.9 has no
# option for that. Its place is always the same, since the Makefile compiles all again for another compiler.
sub quick_nvcc {
    my $nvcc = nvcc() // return;
    my ($script, $text) = ('build/quick/nvcc', "#!/bin/sh\nexec $nvcc @{[`$nvcc --help` =~ /^--Ofast-compile/m ? '-Ofc=max' : '']} \"\$@\"\n");
    return $script if -x $script && slurp($script) eq $text;
    make_path('build/quick');
    spew("$script.$$", $text);
    chmod 0755, "$script.$$";
    rename "$script.$$", $script or die "$script: $!";    # another test may be running it
    return $script;
}

# The folder of its toolkit, which has include/ and lib64/, as the Makefile finds it. (BUILD: where no other make writes.)
sub cuda_home { my ($home) = run(qq(make -s BACKEND=cuda BUILD=$scratch/none) . q( --eval='home:;@echo $(CUDA_HOME)' home)); return $home =~ s/\s+\z//r }

# Whether the kernels were compiled by the compiler that results/sim was recorded with. Another one may make a store more
# or fewer in a thousand, and divides a kernel into other basic blocks, by which SIMT efficiency is counted.
sub same_compiler {
    my ($here, $recorded) = map { /"kernel_compiler": "\D*(\d+)/ } scalar `build/$backend/machine`, slurp('results/sim/machine.json');
    return $here == $recorded;
}

# (files with kernels) -> one source that holds them all, since the compiler's time is mostly that of its own
# headers: each in a namespace, and what they include is included before, if it is there. A list before the files
# has names that all define: NAME_k in file k.
sub as_one {
    my @shared = ref $_[0] ? @{ shift() } : ();
    my ($k, $body, %includes) = (0, '');
    for my $file (@_) {
        my $text = slurp($file);
        $includes{$1} = 1 while $text =~ /^\h*#\h*include\h*(["<][^">]+[">])/mg;
        my @macros = $text =~ /^\h*#\h*define\h+(\w+)/mg;
        $body .= join '', (map {"#define $_ ${_}_$k\n"} @shared), (map {"#pragma push_macro(\"$_\")\n#undef $_\n"} @macros),
            "namespace n$k {\n#include \"$file\"\n}\n", (map {"#pragma pop_macro(\"$_\")\n"} @macros), map {"#undef $_\n"} @shared;
        $k++;
    }
    return join('', map {"#if __has_include($_)\n#include $_\n#endif\n"} sort keys %includes) . $body;
}

# (object, options of simcc, files) -> output, status. All are compiled as one, and C finds their data in it.
# -g1: lines, and no more of what debuggers want.
sub compile_as_one {
    my ($object, $options, @files) = @_;
    my %folders = map { s{/[^/]*$}{}r => 1 } @files;
    spew("$object.cu", as_one(@files));
    return run("simulator/simcc -std=c++20 -g1 $options @{[map {qq(-I$_)} sort keys %folders]} -Icommon -Isimulator -Isteps -I. -c $object.cu -o $object && "
        . "nm $object | sed -n 's/.* [A-Z] \\(_ZN[0-9]*n[0-9]*\\([a-z][a-z0-9_]*\\)E\\)\$/\\1 \\2/p' >$object.names && objcopy --redefine-syms=$object.names $object");
}

# Mutants of one program, compiled once: in files that are copied to $scratch and changed there,
# mutated(k) is true if the environment's MUTANT is k.
sub make_switch {
    spew("$scratch/switch.c", "#include <stdlib.h>\n"
        . "int mutated(int k) { static int m = -1; if (m < 0) m = atoi(getenv(\"MUTANT\")); return m == k; }\n");
    spew("$scratch/switch.h", "extern \"C\" int mutated(int k);\n");
    run("gcc -O2 -c $scratch/switch.c -o $scratch/switch.o");
}

# (new program, folder of the old one, its files that have switches, as steps/05_x/y.cu) -> output, status
sub build_switched {
    my ($program, $folder, @files) = @_;
    my ($output, $status) = compile_as_one("$program.o", "-I$scratch/steps -I$scratch -include $scratch/switch.h", map {"$scratch/$_"} @files);
    return ($output, $status) if $status != 0;
    my %replaced = map { s/\.cu$/.o/r => 1 } @files, "$folder/first.cu", "$folder/sum_mpi.cu";
    my @others   = map {"build/sim/$_"} grep { !$replaced{$_} } map { s/\.cu?$/.o/r } glob "$folder/*.c $folder/*.cu";
    push @others, map {"build/sim/$_"} grep { !$replaced{$_} } map {"library/$_.o"} qw(sum_f32 sum_exact sum_f32_plan)
        if $folder =~ /_(library|types|exact|many_gpus)$/;    # which call the library
    push @others, 'build/sim/steps/15_operators/operators_check.o' if $folder =~ /16_rows/;
    return run("$link $program.o @others $scratch/switch.o build/sim/libcommon.a -o $program -lm");
}

# ---- barriers that can be taken out ----

# __syncthreads(), __syncwarp(mask), __threadfence(), group.sync(), cluster.barrier_wait(), full[k].wait_parity(p),
# __cluster_barrier_arrive_relaxed(), asm volatile("fence...") ...
my $object  = qr/[\w:]+(?:\(\)|\[\w+\])?\s*\.\s*|cg::/;
my $named   = qr/__syncthreads\w*|__syncwarp|__threadfence\w*|__cluster_barrier_\w+|cudaGridDependencySynchronize|asm\s+volatile(?=\("(?:fence|membar|bar))|(?:$object)?(?:sync|wait_parity|barrier_(?:arrive|wait))/;
my $barrier = qr/\b$named\s*\((?:[^()]|\([^()]*\))*\)/;
my $skipped = qr{/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"}s;

# (source) -> of each barrier: its offset, its length, its text, its line, and what stands there
sub barriers {
    my ($source) = @_;
    my @found;
    while ($source =~ /$skipped|($barrier)/g) {
        next if !defined $1 || $1 =~ /^__syncthreads_(?:count|and|or)/;    # whose value is needed
        my $line = 1 + (substr($source, 0, $-[1]) =~ tr/\n//);
        push @found, { offset => $-[1], length => $+[1] - $-[1], text => $1, line => $line, from => substr($source, $-[1], 200) };
    }
    return @found;
}

# (file, k): puts a switch around each of its barriers, in its copy in $scratch. Returns the barriers, which get the numbers from k on.
sub switches {
    my ($path, $k) = @_;
    my $source   = slurp("$scratch/$path");
    my @barriers = barriers($source);
    for my $i (reverse 0 .. $#barriers) {
        my ($offset, $length, $text) = @{ $barriers[$i] }{qw(offset length text)};
        my $taken_out = 'mutated(' . ($k + $i) . ')';
        substr($source, $offset, $length) = $text =~ /^asm/ ? "if (!$taken_out) $text" : "($taken_out ? (void)0 : (void)$text)";
    }
    spew("$scratch/$path", $source);
    return @barriers;
}

# (barrier) -> whether taking it out is not seen: '' if it is; 'elsewhere' if tests/library.t sees it; or 'nowhere', which
# docs/robustness.md must name.
sub unseen {
    my ($text, $from) = @{ $_[0] }{qw(text from)};
    # No pattern has floats far from the window, which go to limbs by atomics. Only these need these barriers.
    return 'elsewhere' if $from =~ m{\A__syncwarp\(\); /\* in front of the atomics of all lanes};
    return 'elsewhere' if $from =~ m{\A__syncthreads\(\); /\* after the sums, for the flags};
    return 'nowhere' if $from =~ m{\A__syncwarp\(\); /\* after the atomics of all lanes};
    return 'nowhere' if $from =~ m{\Acluster\.barrier_wait\(\); /\* no block writes here any more};
    return $text =~ /fence\.proxy\.async|GridDependency/ ? 'nowhere' : '';
}

1;
