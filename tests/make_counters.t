#!/usr/bin/env perl
# tier: more
# tools/measure/nsight.py, which `make counters` runs on a GPU, with a stand-in for ncu: what it makes of ncu's output, and
# that it writes all or nothing. And what make counters-sim runs, with stand-ins for the programs.
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

my ($output, $status) = measured('nsight.py counters', '', "$root/out/counters.csv");
is($status, 0, 'status 0') or diag $output;
my @rows = rows("$root/out/counters.csv");
is(join(' ', map {"$_->{variant}:$_->{n}:$_->{pass}"} @rows), join(' ', (map { ("v3x2:$_:1", "v3x2:$_:2", "v6_volatile:$_:1") } 65536, 100003, 20000),
    'vote:65536:1 vote:65536:2'), 'sums at three sizes, what is wrong on purpose too; other questions at one, and what can run; no roof, no CPU, no helper');
($output, $status) = measured('nsight.py counters', '', "$root/out/some.csv vote");
is(join(' ', $status, map {"$_->{variant}:$_->{pass}"} rows("$root/out/some.csv")), '0 vote:1 vote:2', 'of one program alone');
($output, $status) = measured('nsight.py counters', '', "$root/out/none.csv step03 step99");
is($status, 2, 'a program that is not there: status 2');
like($output, qr/^nsight\.py: no program step99: [^\n]*$/m, 'and one line says so');
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

# ---- all or nothing, and one line ----

for (['a failing program', "FAKE_ERROR='no permission'", qr/step03 under ncu: exit status 3: ==ERROR== no permission/],
    ['no kernel', 'FAKE_NONE=yes', qr/step03 --check -v v3x2 .*: no kernel ran/]) {
    my ($what, $environment, $text) = @$_;
    run("rm -r $root/out; mkdir $root/out; echo earlier >$root/out/counters.csv");
    ($output, $status) = measured('nsight.py counters', $environment, "$root/out/counters.csv");
    is($status, 1, "$what: status 1");
    like($output, qr/\A(?:build\S*\n)*nsight\.py: [^\n]*$text[^\n]*\n\z/, "$what: one line") or diag $output;
    is((run("cat $root/out/counters.csv; ls $root/out"))[0], "earlier\ncounters.csv\n", "$what: nothing is written");
}
for my $command (qw(counters passes peak)) {
    ($output, $status) = run("env PATH=/usr/bin:/bin tools/measure/nsight.py $command $root/out/counters.csv");
    is($status, 77, "$command, no ncu: status 77");
    like($output, qr/\Ansight\.py: ncu is missing: install .*\n\z/, "$command, no ncu: one line");
    is((measured("nsight.py $command", '', ''))[1], 2, "$command, no file named: status 2");
}

# ---- the simulator's counts beside them ----

run("echo '{\"sm_count\": 132}' >$root/results/h200/counters.json; rm $root/log");
($output, $status) = run("cd $root && tools/measure/measure.py counters-sim out/sim.csv");
is($status, 0, 'counters-sim: status 0') or diag $output;
is((run("sed 's/ --csv .*//' $root/log"))[0], "step03 --counters --sms 132 -n 65536 -b 256\nstep03 --counters --sms 132 -n 20000 -b 128\n"
    . "vote --counters --sms 132 -n 65536 -b 256\n", 'counters-sim: kernels, at two settings; other questions at one');
is((run("wc -l <$root/out/sim.csv"))[0] + 0, 4, 'counters-sim: one header, and their rows');
($output, $status) = run("cd $root && FAKE_STATUS=9 tools/measure/measure.py counters-sim out/sim.csv");
is("$status " . ($output =~ tr/\n//), '0 2', 'counters-sim: what it has no room for is left out, and told') or diag $output;
run("echo earlier >$root/out/sim.csv");
($output, $status) = run("cd $root && FAKE_STATUS=1 tools/measure/measure.py counters-sim out/sim.csv");
is("$status $output", "1 measure.py: 03_unrolled: no\n", 'counters-sim: a failing program: one line');
is((run("cat $root/out/sim.csv"))[0], "earlier\n", 'counters-sim: and nothing is written');
is((run("tools/measure/measure.py counters-sim"))[1], 2, 'counters-sim: no file named: status 2');
done_testing();
