#!/usr/bin/env perl
# tier: more
# Every program compiles for the GPU, where nvcc is there; and without a driver it
# says so. The first step is built whole; of the others the kernels alone, to
# machine code: their host code is what the simulator's build compiles. (library.t builds the library.)
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $nvcc = nvcc();
plan skip_all => 'no nvcc here' unless $nvcc;

my $whole = 'step01';
my $build = 'build/cuda-sm_90';    # that of BACKEND=cuda may be for another GPU
# On some machines nvcc is a script that calls the real one, and no headers lie beside it. All but one program are
# compiled by such a script (Common.pm), with less optimization. make finds its headers for what is in C, too.
my $script = quick_nvcc();
for (in_tier('nightly') ? ([$nvcc, $build, $whole], [$script, "$build-by_script", 'common/machine.o', 'steps/01_interleaved/v0.o']) : ()) {
    my ($nvcc, $build, @made) = @$_;
    my ($output, $status) = run("make BACKEND=cuda ARCH=sm_90 NVCC=$nvcc BUILD=$build " . join ' ', map {"$build/$_"} @made);
    is($status, 0, "@made, by $nvcc, for sm_90") or diag $output;
    unlike($output, qr/warning/i, "@made: without a warning") or diag $output;
}
my $includes = "-D_CG_LIMIT_INCLUDED_DEPENDENCIES -Icommon -Isimulator -Isteps -I. -I" . cuda_home() . '/include/cccl';

# (what it is, file, options): without a word. CUB's many kernels only as far as PTX: a third of the time.
sub compiles {
    my ($what, $file, $kind, $options, $arch) = @_;
    $arch //= 90;
    my ($output, $status) = run("$script -std=c++20 -arch=sm_$arch @{[$options // '']} $includes -$kind $file -o $scratch/out.$kind");
    is($status, 0, "$what compiled for sm_$arch") or diag $output;
    unlike($output, qr/warning/i, "$what: without a warning") or diag $output;
}

# GPUs whose SMs hold fewer threads, or that came later; as far as this nvcc knows them.
my $known = (run("$nvcc --list-gpu-arch"))[0];
for my $arch (grep { in_tier('nightly') && $known =~ /^compute_$_$/m } 75, 86, 89, 120) {
    compiles($_, $_, 'cubin', '', $arch) for glob 'library/reduce_*.cu library/sum_{f32,exact}.cu';
}
for my $folder (map { $_->{folder} } grep { in_tier('nightly') || $_->{name} =~ /shared|masks/ } @programs) {
    spew("$scratch/all.cu", as_one(grep { !m{/(?:cub|thrust)\.cu$} } glob "$folder/*.cu"));
    compiles("$folder/*.cu", "$scratch/all.cu", 'cubin', "-I$folder");
}
compiles($_, $_, 'cubin') for in_tier('nightly') ? glob('steps/experiments/*.cu tests/broken/*.cu') : ();
my @rivals  = glob "library/compare/*.cu steps/14_many_gpus/compare/*.cu steps/00_baselines/{cub,thrust}.cu";
my %folders = map { s{/[^/]*$}{}r => 1 } @rivals;
spew("$scratch/all.cu", as_one(@rivals));
compiles("@rivals", "$scratch/all.cu", 'ptx', join ' ', '-Isteps/14_many_gpus', map {"-I$_"} sort keys %folders) if in_tier('nightly');
for my $file (glob "library/compare/*.c steps/14_many_gpus/compare/*.c") {
    my ($output, $status) = run("gcc -std=c11 -D_GNU_SOURCE -Wall -Wextra -Werror $includes -I"
        . cuda_home() . "/include -fsyntax-only $file");
    is($status, 0, "$file compiles") or diag $output;
}
SKIP: {
    skip 'there is a GPU here, or no program', 2 if !in_tier('nightly') || (run('nvidia-smi -L'))[0] =~ /^GPU/;
    my ($output, $status) = run("$build/$whole");
    is($status, 77, 'no driver: exit status 77');
    like($output, qr/\A[^\n]*driver[^\n]*make BACKEND=sim $whole\b[^\n]*\n\z/,
        'no driver: one line that says what works');
}
done_testing();
