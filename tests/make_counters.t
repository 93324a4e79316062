#!/usr/bin/env perl
# tools/measure/profile_kernels.py, which `make counters` runs on a GPU, passes.py and memory_peak.py, with a
# stand-in for ncu: what they make of ncu's output, and that they write all or nothing.
# And count_on_simulator.sh, with stand-ins for the programs.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# A repository with two steps and a topic; its ncu prints the launches of the variant after -v, and ends
# as the program does: with 1 where a sum is wrong on purpose.
my $root = "$scratch/repository";
run("mkdir -p $root/steps/00_baselines $root/steps/03_unrolled $root/steps/toolbox/vote $root/bin $root/results/h200 && touch $root/steps/00_baselines/lesson.c $root/steps/03_unrolled/lesson.c $root/steps/toolbox/vote/lesson.c && cp -r tools $root/");

sub script {
    my ($path, $text) = @_;
    run("mkdir -p \$(dirname $path)");
    open my $file, '>', $path or die "$path: $!";
    print $file "#!/bin/sh\n$text";
    close $file;
    chmod 0755, $path;
}
my %list = (
    step00 => "00_baselines,cpu,sum,1,0,1,0,0\n00_baselines,read,roof,1,0,0,1,0\n",
    step03 => "03_unrolled,v3x2,sum,1,0,0,0,0\n03_unrolled,v6_volatile,sum,1,1,0,0,0\n",
    vote   => join('', map {"vote,$_,0\n"} 'vote,vote,1,0,0,0', 'wrong,vote,1,1,0,0', 'too_new,vote,0,0,0,0', 'other_n,vote,1,0,0,0', 'newer,vote,1,0,0,0'),
);
for my $backend (qw(cuda sim)) {
    script("$root/build/$backend/$_", <<"SH") for keys %list;
[ "\$1" != --list ] || { printf 'step,variant,task,runs_here,known_wrong,on_cpu,roof,max_row\\n$list{$_}'; exit; }
echo "\$(basename \$0) \$*" >>$root/log
case "\$* \$FAKE_STATUS" in *'-v other_n'*) exit 2 ;; *'-v newer'*) exit 77 ;; *'-n 65536'*\\ 9) echo "simulator: more than 9 threads cannot be there at once" >&2; exit 1 ;; *\\ 1) echo no >&2; exit 1 ;; esac
for last; do :; done
case \$last in *.csv) echo step,variant >\$last; echo \$(basename \$0),\$* >>\$last ;; esac
SH
}
my $metrics = join ',', map { "\"$_\"" } qw(l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum
    smsp__thread_inst_executed_per_inst_executed.ratio gpu__time_duration.sum sass__inst_executed_per_opcode);
script("$root/bin/ncu", <<"SH");
[ "\$1" = --version ] && { echo 'Version 2025.3.1.0 (build 1)'; exit; }
[ -z "\$FAKE_ERROR" ] || { echo "==ERROR== \$FAKE_ERROR"; exit 3; }
echo '==PROF== Connected to process 1'
echo 'v3x2   1000 ok'
long=\$(printf '%140000s' ')')
if [ -n "\$FAKE_PEAK" ]; then
    echo "\$*" >>$root/asked
    metrics=\$(echo "\$*" | sed 's/.*--metrics \\([^ ]*\\) .*/\\1/; s/,/","/g')
    echo '"ID","Kernel Name","'"\$metrics"'"'
    echo '"","","ns","byte/s","%","%","%"'
    echo '"0","read_kernel(const float *)","34,180","3,927,800,000,000","83.094","2.19","7.53","1,234","1","2","3","4","5","6","7","12","5,678"'
    exit
fi
echo '"ID","Kernel Name","Block Size","Grid Size",$metrics'
echo '"","","","","","","ns","inst"'
[ -z "\$FAKE_NONE" ] || exit 0
case "\$*" in
*'-v v6_volatile'*) echo '"3","void v6<(bool)1, int>(const float *, float *, unsigned long)","(256, 1, 1)","(7, 1, 1)","","16","1","1 (EXIT: 1)"'; exit 1 ;;
*) cat <<ROWS
"0","spin_kernel(long long)","(1, 1, 1)","(1, 1, 1)","5","32","100","1 (BAR: 1)"
"1","void v3<(int)2>(float *, float *, unsigned long)","(256, 1, 1)","(1,024, 1, 1)","24,320","28.42","3,872","1,234 (BAR: 16,384; SHFL: 5; VOTEU: 2; BRA: 9)"
"2","void v3<(int)2>(float *, float *, unsigned long)","(256, 1, 1)","(1, 1, 1)","95","32","2,000","7 (BRA: 9\$long"
ROWS
esac
SH
script("$root/build/cuda/machine", 'echo "{"; for pair; do echo "  $pair"; done; echo "}"');

sub measured {
    my ($script, $environment, $file) = @_;
    return run("cd $root && env PATH=$root/bin:\$PATH COMMIT=abc1234 $environment tools/measure/$script $file");
}

# ---- counters of every kernel ----

my ($output, $status) = measured('profile_kernels.py', '', "$root/out/counters.csv");
is($status, 0, 'status 0') or diag $output;
my @rows = rows("$root/out/counters.csv");
is(join(' ', map {"$_->{variant}:$_->{n}:$_->{pass}"} @rows), join(' ', (map { ("v3x2:$_:1", "v3x2:$_:2", "v6_volatile:$_:1") } 65536, 100003, 20000),
    'vote:65536:1 vote:65536:2'), 'sums at three sizes, what is wrong on purpose too; other questions at one, and what can run; no roof, no CPU, no helper');
($output, $status) = measured('profile_kernels.py', '', "$root/out/some.csv vote");
is(join(' ', $status, map {"$_->{variant}:$_->{pass}"} rows("$root/out/some.csv")), '0 vote:1 vote:2', 'of one program alone');
($output, $status) = measured('profile_kernels.py', '', "$root/out/none.csv step03 step99");
is($status, 2, 'a program that is not there: status 2');
like($output, qr/^profile_kernels\.py: no program step99: [^\n]*$/m, 'and one line says so');
ok(!-e "$root/out/none.csv", 'and nothing is written');
run("rm $root/out/some.*");
my ($first, $second, $third) = @rows;
is(join(' ', @$first{qw(step variant n block grid pass kernel)}), '03_unrolled v3x2 65536 256 1024 1 v3<2>', 'the first launch');
is(join(' ', @$first{qw(gld_requests simt_efficiency duration_us barriers shuffles votes)}), '24320 0.888125 3.872 16384 5 2',
    'its counts');
is("$second->{pass} $second->{barriers}", '2 0', 'the second pass: an opcode that is not there is 0');
is(join(' ', @$third{qw(variant pass kernel gld_requests)}), 'v6_volatile 1 v6<1:int> ', 'the next variant; not measured stays empty');
my ($about) = run("cat $root/out/counters.json");
like($about, qr/commit=abc1234.*date=20.*ncu=2025\.3\.1\.0/s, 'counters.json says which commit, when, and which ncu');

# ---- the launches of a sum; the memory's peak ----

($output, $status) = measured('passes.py', '', "$root/out/passes.csv");
is($status, 0, 'passes.py: status 0') or diag $output;
is((run("head -n 3 $root/out/passes.csv; grep -c . $root/out/passes.csv"))[0],
    "step,kernel,n,pass,grid,duration_us\n03,v3x2,1M,1,1024,3.872\n03,v3x2,1M,2,1,2\n7\n", 'passes.py: each launch at three sizes');
($output, $status) = measured('memory_peak.py', 'FAKE_PEAK=yes', "$root/out/profile.csv");
is($status, 0, 'memory_peak.py: status 0') or diag $output;
is((run("head -n 2 $root/out/profile.csv; grep -c . $root/out/profile.csv"))[0],
    "kernel,n,us,gbps,pct_of_peak,l2_hit_pct,issue_pct\nsum_f32,33554432,34.18,3927.8,83.09,2.19,7.53\n13\n", 'memory_peak.py: three kernels at four sizes');
($output, $status) = measured('memory_peak.py', 'FAKE_PEAK=yes', "$root/out/exact.csv exact");
is((run("sed -n 2p $root/out/exact.csv; grep -c . $root/out/exact.csv"))[0],
    "sum_f32,1024,34.18,3927.8,83.09,2.19,7.53,1234,1.00,2.00,3.00,4.00,5.00,6.00,7.00,12,5678\n19\n", 'memory_peak.py exact: three kernels at six sizes');
like(slurp("$root/asked"), qr/step13 -v sum_f32_exact --check -n 1024 --pattern wide$/m, 'and numbers of all exponents are among them');

# ---- all or nothing, and one line ----

for (['profile_kernels.py', 'a failing program', "FAKE_ERROR='no permission'", qr/step03 under ncu: exit status 3: ==ERROR== no permission/],
    ['profile_kernels.py', 'no kernel', 'FAKE_NONE=yes', qr/step03 --check -v v3x2 .*: no kernel ran/],
    ['passes.py', 'a failing program', "FAKE_ERROR='no permission'", qr/step03 under ncu: exit status 3/],
    ['memory_peak.py', 'no kernel', 'FAKE_NONE=yes', qr/step11 -v sum_f32 under ncu: no kernel many_blocks ran/]) {
    my ($script, $what, $environment, $text) = @$_;
    run("rm -r $root/out; mkdir $root/out; echo earlier >$root/out/counters.csv");
    ($output, $status) = measured($script, $environment, "$root/out/counters.csv");
    is($status, 1, "$script, $what: status 1");
    like($output, qr/\A(?:build\S*\n)*\Q$script\E: [^\n]*$text[^\n]*\n\z/, "$script, $what: one line") or diag $output;
    is((run("cat $root/out/counters.csv; ls $root/out"))[0], "earlier\ncounters.csv\n", "$script, $what: nothing is written");
}
for my $script (qw(profile_kernels.py passes.py memory_peak.py)) {
    ($output, $status) = run("env PATH=/usr/bin:/bin tools/measure/$script $root/out/counters.csv");
    is($status, 77, "$script, no ncu: status 77");
    like($output, qr/\A\Q$script\E: ncu is missing: install .*\n\z/, "$script, no ncu: one line");
    is((measured($script, '', ''))[1], 2, "$script, no file named: status 2");
}

# ---- the simulator's counts beside them ----

run("echo '  \"sm_count\": 132,' >$root/results/h200/counters.json; rm $root/log");
($output, $status) = run("cd $root && tools/measure/count_on_simulator.sh out/sim.csv");
is($status, 0, 'count_on_simulator.sh: status 0') or diag $output;
is((run("sed 's/ --csv .*//' $root/log"))[0], "step03 --counters --sms 132 -n 65536 -b 256\nstep03 --counters --sms 132 -n 20000 -b 128\n"
    . "vote --counters --sms 132 -n 65536 -b 256\n", 'count_on_simulator.sh: kernels, at two settings; other questions at one');
is((run("wc -l <$root/out/sim.csv"))[0] + 0, 4, 'count_on_simulator.sh: one header, and their rows');
($output, $status) = run("cd $root && FAKE_STATUS=9 tools/measure/count_on_simulator.sh out/sim.csv");
is("$status " . ($output =~ tr/\n//), '0 2', 'count_on_simulator.sh: what it has no room for is left out, and told') or diag $output;
run("echo earlier >$root/out/sim.csv");
($output, $status) = run("cd $root && FAKE_STATUS=1 tools/measure/count_on_simulator.sh out/sim.csv");
is("$status $output", "1 count_on_simulator.sh: 03_unrolled: no\n", 'count_on_simulator.sh: a failing program: one line');
is((run("cat $root/out/sim.csv"))[0], "earlier\n", 'count_on_simulator.sh: and nothing is written');
is((run("tools/measure/count_on_simulator.sh"))[1], 2, 'count_on_simulator.sh: no file named: status 2');
done_testing();
