#!/usr/bin/env perl
# tools/measure/time_torch.py, with a stand-in for PyTorch: what it writes, that it is all or nothing, and how it ends.
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
is("$rows[0]{torch} $rows[0]{runs}", '2.11.0+toy 100', 'which PyTorch, how many runs');

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
done_testing();
