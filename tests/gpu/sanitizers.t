#!/usr/bin/env perl
# On a GPU: every step under the four tools of NVIDIA's compute-sanitizer. A kernel
# that only happens to be right is found here; the volatile specimen must be.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib "$FindBin::Bin/..";
use Common;

my $sanitizer = 'compute-sanitizer --error-exitcode 9 --print-limit 5';
for my $tool (qw(memcheck racecheck initcheck synccheck)) {
    for my $step (@steps) {
        next if $step->{number} eq '00';    # the libraries' own kernels are not ours to judge
        # The toolbox: whole tiles and rows, too. Its specimens do not run unless named.
        my $how = $step->{number} eq '08' ? '-n 0,33,4097,8192 --row 32,1K,8K' : '-n 0,33,4097,65537';
        my ($output, $status) = run("$sanitizer --tool $tool $step->{program} --check $how");
        is($status, 0, "$step->{name} under $tool") or diag $output;
    }
}
my ($output, $status) = run("$sanitizer --tool racecheck ./step04 --check -v v6_volatile -n 4096");
is($status, 9, 'racecheck reports the volatile specimen') or diag $output;
done_testing();
