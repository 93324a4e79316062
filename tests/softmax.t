#!/usr/bin/env perl
# tools/measure/compare_softmax.sh and tools/measure/time_torch.py, with stand-ins for PyTorch and for the programs
# that need a GPU: what they write, that it is all or nothing, and how they end.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $torch = 'PYTHONPATH=' . quoted("$FindBin::Bin/softmax") . " PYTHONDONTWRITEBYTECODE=1";

sub torch_times {
    my ($environment, @arguments) = @_;
    return run("env $environment python3 tools/measure/time_torch.py @arguments");
}
my ($output, $status) = torch_times($torch, "$scratch/a.csv 32,64,1024 96,128,2048");
is($status, 0, 'status 0') or diag $output;
my @rows = rows("$scratch/a.csv");
is(join(' ', map {"$_->{row}x$_->{n}"} @rows), '32x96 32x128 64x128 32x2048 64x2048 1024x2048', 'what is whole rows, and no more');
is($rows[5]{median_us} + 0, 1000, 'microseconds of the run alone: neither the flush nor the wait');
is($rows[5]{gbps} + 0, 0.016, 'eight bytes for each float');
is("$rows[0]{torch} $rows[0]{gpu} $rows[0]{runs}", '2.11.0+toy NVIDIA Toy 100', 'which PyTorch, which GPU, how many runs');

for (["$torch FAKE_TORCH=nogpu", 77, 'finds no GPU here'], ["$torch FAKE_TORCH=wrong", 1, 'a wrong answer at rows of 32, n = 96'],
     ["PYTHONPATH=$scratch/none", 77, 'PyTorch is missing']) {
    my ($environment, $wanted, $message) = @$_;
    if ($wanted == 77 && $message =~ /missing/ && system('python3 -c "import torch" 2>/dev/null') == 0) {
        pass('PyTorch is here') for 1 .. 3;
        next;
    }
    ($output, $status) = torch_times($environment, "$scratch/b.csv 32 96");
    is($status, $wanted, "$message: status $wanted");
    like($output, qr/\Atime_torch\.py: [^\n]*$message[^\n]*\n\z/, "$message: one line");
    ok(!-e "$scratch/b.csv", "$message: no file");
}
for ('', "$scratch/b.csv 32", "$scratch/b 32 96", "$scratch/b.csv 32, 96", "$scratch/b.csv 32 1K") {
    ($output, $status) = torch_times($torch, $_);
    is($status, 2, "time_torch.py $_: status 2");
    is($output =~ tr/\n//, 1, 'one line') or diag $output;
}

# A repository whose softmax and machine are scripts.
my $root = "$scratch/repository";
run("mkdir -p $root/build/cuda $root/out $root/bin && cp -r tools $root/");

sub script {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print $file $text;
    close $file;
    chmod 0755, $path;
}
script("$root/Makefile", "build/cuda/%:;\n");
script("$root/build/cuda/softmax", <<'SH');
#!/bin/sh
for last; do :; done
[ -z "$FAKE_STATUS" ] || exit $FAKE_STATUS
echo "$*" >"$last"
SH
script("$root/build/cuda/machine", "#!/bin/sh\nfor pair; do echo \$pair; done\n");
script("$root/small", "#!/bin/sh\nexec python3 \"\$1\" \"\$2\" 32 96\n"); # in place of 256M floats
script("$root/bin/nvidia-smi", "#!/bin/sh\n[ -z \"\$FAKE_NO_GPU\" ] && echo GPU 0: toy\n");
sub softmax {
    my ($environment, $folder) = @_;
    return run("cd $root && env PATH=$root/bin:\$PATH COMMIT=abc1234 PYTHON=$root/small $environment tools/measure/compare_softmax.sh $folder");
}

sub contents {
    open my $file, '<', $_[0] or return '';
    local $/;
    return scalar <$file>;
}
($output, $status) = softmax($torch, 'out');
is($status, 0, 'compare_softmax.sh: status 0') or diag $output;
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
script("$root/Makefile", "build/cuda/%:;\n");
($output, $status) = softmax("PYTHON=$root/none", 'out');
is($status, 77, 'no such PYTHON: status 77');
ok(-e "$root/out/softmax.csv" && !-e "$root/out/softmax_torch.csv", 'and ours alone');
for ('', 'nowhere') {
    ($output, $status) = softmax('', $_);
    is($status, 2, "compare_softmax.sh $_: status 2");
    is($output =~ tr/\n//, 1, 'one line');
}
done_testing();
