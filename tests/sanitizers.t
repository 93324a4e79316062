#!/usr/bin/env perl
# AddressSanitizer and UndefinedBehaviorSanitizer: over the simulator's and the driver's C,
# and, the second, over the kernels too. (Kernels have the simulator's own checks of
# every address; g++ cannot have AddressSanitizer beside the instrumentation for them.)
# Every kernel of the steps and of tests/simcc runs; planted faults must be found.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $both  = 'address,undefined';
my $build = "build/sim-$both";
my $simcc = 'common/simt/simcc';
chomp(my $cores = `nproc`);

my $targets = join ' ', map {"$build/step$_->{number}"} @steps;
my ($output, $status) = run("make -j$cores BACKEND=sim SANITIZE=$both $targets");
is($status, 0, "make SANITIZE=$both builds every step") or BAIL_OUT($output);
unlike($output, qr/\bwarning\b/i, 'without a warning');
for my $step (@steps) {
    for my $options ('-n 0,1,33,1000,4097 --check', '-n 1000 --schedule 3 --counters', '-n 1000 -b 64 --offset 3',
        "-n 1000 --trace $scratch/trace.csv") {
        ($output, $status) = run("$build/step$step->{number} $options");
        next if $status == 2 && $output =~ /blocks? of|--trace/; # no variant takes that
        is($status, 0, "$step->{name} $options") or diag $output;
        unlike($output, qr/Sanitizer|runtime error/, "$step->{name} $options: nothing found");
    }
}

# The programs of tests/simcc, in all their styles.
my @programs = (map({"tests/simcc/$_"} map { m{([^/]+)\.cu$} } sort glob 'tests/simcc/*.cu'), 'tests/simt/good', 'tests/simt/counts');
open my $pipe, '|-', "xargs -P$cores -I{} sh -c 'p=$scratch/\$(basename {}); ($simcc -fsanitize=$both {}.cu -o \$p && timeout 60 \$p) >\$p.log 2>&1; echo status \$? >>\$p.log'" or die;
print $pipe "$_\n" for @programs;
close $pipe;
for (@programs) {
    my ($name) = m{([^/]+)$};
    ($output) = run("cat $scratch/$name.log");
    like($output, qr/^status 0$/m, "$name is right") or diag $output;
    unlike($output, qr/Sanitizer|runtime error/, "$name: nothing found");
}

# ---- planted faults ----

# (what it is, file of common/simt, text, what takes its place, what must be found). The object of
# the faulty file stands before the archive that holds the right one.
my ($archive) = glob "build/simcc/*address*/simt.a";
run("$simcc -fsanitize=$both -c tests/simt/good.cu -o $scratch/good.o");

sub planted {
    my ($name, $file, $text, $instead, $found) = @_;
    open my $in, '<', "common/simt/$file" or die;
    my $source = do { local $/; <$in> };
    is($source =~ s/\Q$text\E/$instead/, 1, "$name: $file has the place for it");
    open my $out, '>', "$scratch/$file" or die;
    print $out $source;
    close $out;
    ($output, $status) = run("\${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -g -fsanitize=$both -Icommon/simt -Icommon/simt/include"
        . " -c $scratch/$file -o $scratch/faulty.o && \${CXX:-g++} -fsanitize=$both $scratch/faulty.o $scratch/good.o $archive"
        . " -o $scratch/planted -lm && $scratch/planted");
    isnt($status, 0, "$name: not with status 0");
    like($output, $found, "$name: found, with its place") or diag $output;
}
planted('a heap overflow in the simulator', 'engine.c', 'b->written = malloc(shared_room + SM_SHARED)', 'b->written = malloc(8)',
    qr/AddressSanitizer: heap-buffer-overflow.*engine\.c:\d+/s);
planted('a stack overflow on a fibre', 'warp.c', 'uint64_t results[WARP];', 'uint64_t results[WARP / 2];',
    qr/AddressSanitizer: stack-buffer-overflow.*warp\.c:\d+|warp\.c:\d+.*runtime error: index 16 out of bounds/s);
planted('a shift too far', 'warp.c', '(t->mask >> l & 1)', '(t->mask >> (l + 32) & 1)', qr/warp\.c:\d+:\d+: runtime error: shift exponent 32 is too large/);

# (what it is, a kernel's line, what must be found)
sub planted_in_kernel {
    my ($name, $line, $found) = @_;
    open my $out, '>', "$scratch/kernel.cu" or die;
    print $out "__global__ void k(int *p, int n)\n{\n    $line\n}\nint main()\n{\n    int *p;\n"
        . "    cudaMallocManaged(&p, 128);\n    k<<<1, 32>>>(p, 2147483647);\n    return 0;\n}\n";
    close $out;
    ($output, $status) = run("$simcc -fsanitize=undefined $scratch/kernel.cu -o $scratch/kernel && $scratch/kernel");
    isnt($status, 0, "$name: not with status 0");
    like($output, qr/kernel\.cu:3:\d+: runtime error: $found/, "$name: found, with its line") or diag $output;
    ($output, $status) = run("$simcc $scratch/kernel.cu -o $scratch/kernel && $scratch/kernel");
    is($status, 0, "$name: unseen without the sanitizer");
}
planted_in_kernel('a signed overflow in a kernel', 'p[threadIdx.x] = n + (int)threadIdx.x;', 'signed integer overflow');
planted_in_kernel('a shift too far in a kernel', 'p[threadIdx.x] = 1 << (threadIdx.x + 8);', 'shift exponent 32 is too large');
planted_in_kernel('an array of a thread overrun', 'int a[4] = {0, 1, 2, 3}; p[threadIdx.x] = a[threadIdx.x / 4 + (n == 0)];', 'index 4 out of bounds');

done_testing();
