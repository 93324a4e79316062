#!/usr/bin/env perl
# tools/measure/counters.py, which `make counters` runs on a GPU, with a stand-in for ncu:
# what it makes of ncu's output, and that it writes all or nothing.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# A repository with one step of two variants; its ncu prints what $FAKE_ROWS says.
my $root = "$scratch/repository";
run("mkdir -p $root/results $root/steps/03_unrolled $root/bin $root/build/cuda && cp tools/measure/counters.py $root/results");

sub script {
    my ($path, $text) = @_;
    open my $file, '>', $path or die "$path: $!";
    print $file "#!/bin/sh\n$text";
    close $file;
    chmod 0755, $path;
}
my $metrics = join ',', map { "\"$_\"" } qw(l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    smsp__thread_inst_executed_per_inst_executed.ratio gpu__time_duration.sum sass__inst_executed_per_opcode);
script("$root/bin/ncu", <<"SH");
[ "\$1" = --version ] && { echo 'Version 2025.3.1.0 (build 1)'; exit; }
for last; do :; done
printf 'variant,n\\nv3x2,1\\nv6_volatile,1\\n' >"\$last" # the program's own CSV
[ -z "\$FAKE_ERROR" ] || { echo "==ERROR== \$FAKE_ERROR"; exit 3; }
echo '==PROF== Connected to process 1'
echo 'v3x2   1000 ok'
echo '"ID","Kernel Name","Block Size","Grid Size",$metrics'
echo '"","","","","","","ns","inst"'
cat <<'ROWS'
"0","spin_kernel(long long)","(1, 1, 1)","(1, 1, 1)","5","32","100","1 (BAR: 1)"
"1","void v3<(int)2>(float *, float *, unsigned long)","(256, 1, 1)","(1,024, 1, 1)","24,320","28.42","3,872","1,234 (BAR: 16,384; SHFL: 5; VOTEU: 2; BRA: 9)"
"2","void v3<(int)2>(float *, float *, unsigned long)","(256, 1, 1)","(1, 1, 1)","95","32","2,000","7 (BRA: 9)"
ROWS
echo "\$FAKE_ROWS"
SH
script("$root/build/cuda/machine", 'echo "{"; for pair; do echo "  $pair"; done; echo "}"');
my $last = '"3","void v6<(bool)1>(const float *, float *, unsigned long)","(256, 1, 1)","(7, 1, 1)","","16","1","1 (EXIT: 1)"';

sub counters {
    my ($environment, $file) = @_;
    return run("cd $root && env PATH=$root/bin:\$PATH COMMIT=abc1234 $environment tools/measure/counters.py $file");
}
my ($output, $status) = counters("FAKE_ROWS='$last'", "$root/out/counters.csv");
is($status, 0, 'status 0') or diag $output;
my @rows = rows("$root/out/counters.csv");
is(scalar @rows, 9, 'three launches at each of three sizes; the helper of the driver is none of them');
my ($first, $second, $third) = @rows;
is(join(' ', @$first{qw(step variant n block grid pass kernel)}), '03_unrolled v3x2 65536 256 1024 1 v3<2>', 'the first launch');
is(join(' ', @$first{qw(gld_requests simt_efficiency duration_us barriers shuffles votes)}), '24320 0.888125 3.872 16384 5 2',
    'its counts');
is("$second->{pass} $second->{barriers}", '2 0', 'the second pass: an opcode that is not there is 0');
is(join(' ', @$third{qw(variant pass kernel gld_requests)}), 'v6_volatile 1 v6<1> ', 'the next variant; not measured stays empty');
my ($about) = run("cat $root/out/counters.json");
like($about, qr/commit=abc1234.*ncu=2025\.3\.1\.0/s, 'counters.json says which commit and which ncu');

# Toolbox: at one n; no specimens, and nothing that this GPU or this n does not let run.
run("rmdir $root/steps/03_unrolled; mkdir $root/steps/08_tools");
script("$root/build/cuda/step08", <<'SH');
[ "$1" = --list ] || { case $3 in too_new) exit 77 ;; other_n) exit 2 ;; esac; exit 0; }
for name in vote wrong too_new other_n; do
    echo "$name   a tool"
    [ $name = wrong ] && echo '    any block; specimen: wrong on purpose' || echo '    any block'
done
SH
($output, $status) = counters("FAKE_ROWS=", "$root/out/tools.csv");
is($status, 0, 'the toolbox: status 0') or diag $output;
is(join(' ', map {"$_->{variant}:$_->{n}:$_->{pass}"} rows("$root/out/tools.csv")), 'vote:65536:1 vote:65536:2', 'the toolbox: what can run');
run("rmdir $root/steps/08_tools; mkdir $root/steps/03_unrolled; rm $root/out/tools.*");

# All or nothing, and one line.
for my $case (['a failing program', "FAKE_ERROR='no permission'", qr/step03 under ncu: exit status 3: ==ERROR== no permission/, 1],
    ['fewer kernels than variants', 'FAKE_ROWS=', qr/03_unrolled: 2 variants, but 1 kernels/, 1],
    ['more kernels than variants', "FAKE_ROWS='$last\n\"4\",\"new()\",\"(1, 1, 1)\",\"1\",\"1\",\"1\",\"1\"'",
        qr/03_unrolled: more kernels than variants: new/, 1]) {
    my ($what, $environment, $text, $expected) = @$case;
    run("echo earlier >$root/out/counters.csv");
    ($output, $status) = counters($environment, "$root/out/counters.csv");
    is($status, $expected, "$what: status $expected");
    like($output, qr/\Acounters\.py: [^\n]*$text[^\n]*\n\z/, "$what: one line") or diag $output;
    is((run("cat $root/out/counters.csv; ls $root/out"))[0], "earlier\ncounters.csv\ncounters.json\n", "$what: nothing is written");
}
($output, $status) = run("env PATH=/usr/bin:/bin tools/measure/counters.py $root/out/counters.csv");
is($status, 77, 'no ncu: status 77');
like($output, qr/\Acounters\.py: ncu is missing: install .*\n\z/, 'no ncu: one line');
is((counters('', ''))[1], 2, 'no file named: status 2');
done_testing();
