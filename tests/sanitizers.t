#!/usr/bin/env perl
# tier: nightly
# AddressSanitizer and UndefinedBehaviorSanitizer: over the simulator's and the driver's C,
# and, the second, over the kernels too. (Kernels have the simulator's own checks of
# every address; g++ cannot have AddressSanitizer beside the instrumentation for them.)
# Every kernel of steps and toolbox runs, and a third of tests/simcc; planted faults must be found.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $both  = 'address,undefined';
my $build = "build/sim-$both";
my $simcc = 'simulator/simcc';
chomp(my $cores = `nproc`);

# Of each program what is in C, by make, and its kernels. Steps 11 to 14 call the library, which is compiled once.
my @library = map {"library/$_"} qw(sum_f32.cu sum_exact.cu sum_f32_plan.c);
my ($output, $status) = run("make -j$cores BACKEND=sim SANITIZE=$both CFLAGS='-O1 -g1' $build/libcommon.a "
    . join ' ', map { s{^(.*)\.c$}{$build/$1.o}r } grep { !m{/sum_mpi\.c$} } grep({/\.c$/} @library), map { glob "$_->{folder}/*.c" } @programs);
is($status, 0, "make SANITIZE=$both builds what is in C") or BAIL_OUT($output);
unlike($output, qr/\bwarning\b/i, 'without a warning');
my @called = map { "$build/" . s/\.cu?$/.o/r } @library;
for (grep {/\.cu$/} @library) {
    my $object = "$build/" . s/\.cu$/.o/r;
    ($output, $status) = run("$simcc -std=c++20 -g1 -fsanitize=$both -Wall -Icommon -Isimulator -Isteps -I. -c $_ -o $object");
    is("$status $output", '0 ', "$_ compiles, without a warning");
}
for (@programs) {
    my ($program, $folder) = ($_->{program} =~ s{^\.}{$build}r, $_->{folder});
    my @files = grep { !m{/(?:first\.cu|sum_mpi\.c)$} } glob "$folder/*.cu $folder/*.c";
    push @files, 'steps/15_operators/operators_check.c' if $folder =~ /_rows$/;    # its tasks
    my @objects = ((map { s{^(.*)\.c$}{$build/$1.o}r } grep {/\.c$/} @files), $folder =~ /_(?:library|types|exact|many_gpus)$/ ? @called : ());
    ($output, $status) = compile_as_one("$program.o", "-fsanitize=$both -Wall", grep {/\.cu$/} @files);
    is($status, 0, "$folder compiles") or diag $output;
    unlike($output, qr/\bwarning\b/i, "$folder: without a warning") or diag $output;
    ($output, $status) = run("\${CXX:-g++} -fsanitize=$both -fopenmp $program.o @objects $build/libcommon.a -o $program -lm");
    is($status, 0, "$folder is linked") or BAIL_OUT($output);
}

# Of the toolbox's many variants, a trace of those whose pictures the pages show.
my %traced = (transpose => 'transpose*', scan => 'scan_w*', exchange => 'butterfly*');
my %tool   = map { $_->{name} => 1 } @tools;
for (@programs) {
    my ($name, $program) = ($_->{name}, $_->{program} =~ s{^\.}{$build}r);
    my $variants = $traced{$name} ? "-v '$traced{$name}'" : '';
    for my $options ('-n 0,1,33,1000,4096,4097 --check', '-n 1000,2048 --schedule 3 --counters', '-n 1000 -b 64 --offset 3',
        "-n 1024 --trace $scratch/trace.csv $variants") {
        next if $options =~ /--trace/ && !$variants && $tool{$name};
        ($output, $status) = run("$program $options");
        next if $status == 2 && $output =~ /takes (?:blocks of|an n that)|--trace/;    # no variant takes that
        is($status, 0, "$name $options") or diag $output;
        unlike($output, qr/Sanitizer|runtime error/, "$name $options: nothing found");
    }
}

# Programs of tests/simcc: those that run lines of simulator that no step runs, by gcov, or
# headers of cooperative groups. (simcc.t runs all.) They are linked with the simulator that make has built.
my $archive = "$build/libcommon.a";
my @others = (map({"tests/simcc/$_"} qw(async_copies atomics cluster_reduce cooperative_grid cooperative_groups device_printf half_precision
    intrinsics single_pass symbols textures matrices)),
    'tests/simt/good', 'tests/simt/counts');

# (program) -> the command that makes it
sub built_with {
    my $path = "$scratch/" . $_[0] =~ s{.*/}{}r;
    return "$simcc -g1 -fsanitize=$both -c $_[0].cu -o $path.o && \${CXX:-g++} -fsanitize=$both -fopenmp $path.o $archive -o $path -lm";
}
for (@others) {
    my ($name) = m{([^/]+)$};
    run(built_with($_));
    ($output, $status) = run("$guard $scratch/$name");
    is($status, 0, "$name is right") or diag $output;
    unlike($output, qr/Sanitizer|runtime error/, "$name: nothing found");
}

# ---- planted faults ----

# (what it is, file of simulator, text, what takes its place, what must be found). The object of
# the faulty file stands before the archive that holds the right one.
run("$simcc -g1 -fsanitize=$both -c tests/simt/good.cu -o $scratch/good.o");

sub planted {
    my ($name, $file, $text, $instead, $found) = @_;
    open my $in, '<', "simulator/$file" or die;
    my $source = do { local $/; <$in> };
    is($source =~ s/\Q$text\E/$instead/, 1, "$name: $file has the place for it");
    open my $out, '>', "$scratch/$file" or die;
    print $out $source;
    close $out;
    ($output, $status) = run("\${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -g -fsanitize=$both -fno-sanitize-recover -Isimulator -Isimulator/include"
        . " -c $scratch/$file -o $scratch/faulty.o && \${CXX:-g++} -fsanitize=$both -fopenmp $scratch/faulty.o $scratch/good.o $archive"
        . " -o $scratch/planted -lm && $scratch/planted");
    isnt($status, 0, "$name: not with status 0");
    like($output, $found, "$name: found, with its place") or diag $output;
}
planted('a heap overflow in the simulator', 'shared_memory.c', 'b->written = malloc(shared_room + SHARED_ALIGN + SM_SHARED)', 'b->written = malloc(8)',
    qr/AddressSanitizer: heap-buffer-overflow.*shared_memory\.(?:c|h):\d+/s);
planted('a stack overflow on a fibre', 'warp.c', 'uint64_t results[WARP];', 'uint64_t results[WARP / 2];',
    qr/AddressSanitizer: stack-buffer-overflow.*warp\.c:\d+|warp\.c:\d+.*runtime error: index 16 out of bounds/s);
planted('a shift too far', 'warp.c', '(t->warp->mask >> l & 1)', '(t->warp->mask >> (l + 32) & 1)', qr/warp\.c:\d+:\d+: runtime error: shift exponent 32 is too large/);

# A fault in a kernel, with these sanitizers and this archive of the simulator.
in_kernels("-fsanitize=$both", $archive);
done_testing();

sub in_kernels {
    my ($sanitizer, $archive) = @_;

    # (what it is, a kernel's line, what must be found): all in one program, a kernel for each.
    my @in_kernel = (
        ['a signed overflow in a kernel', 'p[threadIdx.x] = n + (int)threadIdx.x;', 'signed integer overflow'],
        ['a shift too far in a kernel', 'p[threadIdx.x] = 1 << (threadIdx.x + 8);', 'shift exponent 32 is too large'],
        ['an array of a thread overrun', 'int a[4] = {0, 1, 2, 3}; p[threadIdx.x] = a[threadIdx.x / 4 + (n == 0)];', 'index 4 out of bounds'],
    );
    spew("$scratch/kernel.cu", join '', (map {"__global__ void k$_(int *p, int n) { $in_kernel[$_][1] }\n"} 0 .. $#in_kernel),
        "int main(int, char **argv)\n{\n    int *p;\n    cudaMallocManaged(&p, 128);\n",
        (map {"    if (argv[1][0] == '$_')\n        k$_<<<1, 32>>>(p, 2147483647);\n"} 0 .. $#in_kernel), "    return 0;\n}\n");
    run("simulator/simcc $sanitizer -c $scratch/kernel.cu -o $scratch/kernel.o && \${CXX:-g++} $sanitizer -fopenmp $scratch/kernel.o $archive -o $scratch/checked -lm");    # kernels get the second alone
    run("simulator/simcc $scratch/kernel.cu -o $scratch/unchecked");
    for (0 .. $#in_kernel) {
        my ($name, undef, $found) = @{ $in_kernel[$_] };
        my $line = $_ + 1;
        my ($output, $status) = run("$scratch/checked $_");
        isnt($status, 0, "$name: not with status 0");
        like($output, qr/kernel\.cu:$line:\d+: runtime error: $found/, "$name: found, with its line") or diag $output;
        ($output, $status) = run("$scratch/unchecked $_");
        is($status, 0, "$name: no error without the sanitizer");
    }
}
