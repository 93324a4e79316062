#!/usr/bin/env perl
# tier: more
# tools/measure/programs.py: the CSV of several processes become one, by the rules of merged().
# Two runs that were recorded are close enough. make results is in test_results.py.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

my $header = 'step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,gbps,'
    . 'pct_roof,rel_err,err_bound,ok,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,'
    . 'shared_st_wavefronts,atomics,barriers,shuffles,simt_efficiency,worst_conflict,bytes_per_element,row,bytes,task';

sub csv {
    my ($name, @lines) = @_;
    open my $file, '>', "$scratch/$name.csv" or die;
    print $file "$_\n" for $header, @lines;
    return "$scratch/$name.csv";
}
my $rest = ',,,,,,,,,,,,,,4000,sum';
my $a = csv('a', "s,v,cuda,G,1000,256,4,uniform,cold,plain,10,8,12,20,400,50,1e-9,1e-6,1$rest",
    "s,c,cpu,C,1000,,,uniform,,,5,5,5,3,800,,2e-9,1e-6,1$rest",
    "s,r,cuda,G,1000,256,4,uniform,cold,plain,10,8,12,20,400,100,,,$rest");
my $b = csv('b', "s,v,cuda,G,1000,256,4,uniform,cold,plain,30,9,32,15,133.3,30,3e-9,1e-6,1$rest",
    "s,r,cuda,G,1000,256,4,uniform,cold,plain,10,7,12,20,400,100,,,$rest");

my $merge = q(python3 -Bc 'import sys; sys.path.insert(0, "tools/measure"); import programs; print(programs.merged(sys.argv[1:]), end="")');
my ($output, $status) = run("$merge $a $b >$scratch/m.csv; cat $scratch/m.csv");
is($status, 0, 'it runs') or diag $output;
my ($v, $c, $r) = rows("$scratch/m.csv");
is($output =~ tr/\n//, 4, 'a header and three rows');
is($v->{median_us} + 0, 20, 'the mean of the medians');
is($v->{min_us},        8,  'the least minimum');
is($v->{p90_us} + 0,    22, 'the mean of the 90th percentiles');
is($v->{runs},          35, 'the sum of the runs');
is($v->{gbps} + 0,      200, 'the bandwidth of the mean time');
is($v->{pct_roof} + 0,  40,  'the mean share of the roof');
is($v->{rel_err}, '3e-9', 'the largest error');
is($v->{ok},      1,      'all else as it was');
is($c->{median_us} + 0, 5, 'a row of one process alone stays');
is($c->{pct_roof}, '', 'what was not measured stays empty');
is($r->{rel_err} . $r->{ok}, '', 'also errors and checks');
is($r->{min_us}, 7, 'the third row');

for my $noise (glob 'results/*/noise.csv') {
    my @apart = sort { $a <=> $b } map { abs $_->{difference_pct} } grep { $_->{n} >= 1 << 20 } rows($noise);
    cmp_ok(scalar @apart, '>=', 50, "$noise: many times were measured twice");
    ok($apart[@apart / 2] < 1 && $apart[@apart * 0.8] < 3, "$noise: from 1M elements up half of them differ by less than 1 %, four of five by less than 3 %");
}

open my $broken, '>>', $b or die;
print $broken "s,v,cuda\n";
close $broken;
($output, $status) = run("$merge $a $b");
is($status, 1, 'a broken line stops it');

# ---- make counters ----

# tools/measure/nsight.py, which `make counters` runs on a GPU, with a stand-in for ncu: what it makes of ncu's output, and
# that it writes all or nothing. And what make counters-sim runs, with stand-ins for the programs.
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
while [ "\$1" != --metrics ]; do shift; done
shift 2
"\$@" >$root/said
case \$? in 2|77) exit \$? ;; esac
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
script("$root/build/cuda/machine", q(for pair; do list="$list, \"${pair%%=*}\": \"${pair#*=}\""; done; echo "{${list#,}}"));

sub measured {
    my ($script, $environment, $file) = @_;
    return run("cd $root && env PATH=$root/bin:\$PATH COMMIT=abc1234 $environment tools/measure/$script $file");
}

# ---- counters of every kernel ----

($output, $status) = measured('nsight.py counters', '', "$root/out/counters.csv");
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
run("rm $root/out/some.*; sed -i /^some/d $root/out/parts.csv");
my ($first, $second, $third) = @rows;
is(join(' ', @$first{qw(step variant n block grid pass kernel)}), '03_unrolled v3x2 65536 256 1024 1 v3<2>', 'the first launch');
is(join(' ', @$first{qw(gld_requests simt_efficiency duration_us barriers shuffles votes)}), '24320 0.888125 3.872 16384 5 2',
    'its counts');
is("$second->{pass} $second->{barriers}", '2 0', 'the second pass: an opcode that is not there is 0');
is(join(' ', @$third{qw(variant pass kernel gld_requests)}), 'v6_volatile 1 v6<1:int> ', 'the next variant; not measured stays empty');
like(slurp("$root/out/machine.json"), qr/"commit": "abc1234".*"date": "20.*"ncu": "2025\.3\.1\.0"/s, 'machine.json says which commit, when, and which ncu');
like(slurp("$root/out/parts.csv"), qr/^counters,abc1234,[0-9a-f]{12},20\S+Z,\d+,counters\.csv\n/m, 'parts.csv has the part, and of which kernels it is');

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

run("echo '{\"sm_count\": 132}' >$root/results/h200/machine.json; rm $root/log");
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

# ---- tools/provenance.sh, tools/files.sh ----

# tools/provenance.sh: a clean tree, a changed one, COMMIT in the environment, no git. tools/files.sh: the same files
# with git and without, as in an archive that is unpacked within another repository; make format takes them.
{
    my $root = "$scratch/repository";
    run("mkdir -p $root/tools $root/steps/01_x $root/steps/toolbox $root/docs $root/bin && cp tools/provenance.sh tools/environment.sh $root/tools/"
        . " && cd $root && touch Makefile steps/01_x/v0.cu steps/01_x/README.md docs/x.c"
        . " && printf '#!/bin/sh\\necho 580.1.2\\n' >bin/nvidia-smi && chmod +x bin/nvidia-smi");

    # (what to do first, environment) -> {key}
    sub provenance {
        my ($first, $environment) = @_;
        my ($output, $status) = run("cd $root && { $first; } >/dev/null 2>&1; cd / && env -u COMMIT $environment $root/tools/provenance.sh");
        is($status, 0, "$first: status 0");
        is(scalar(grep { !/^\w+=\S+$/ } split /\n/, $output), 0, "$first: KEY=VALUE and nothing else") or diag $output;
        return { map { split /=/, $_, 2 } split /\n/, $output };
    }
    my $none = provenance('true', 'PATH=/usr/bin:/bin');
    is($none->{commit}, 'unknown', 'no git: unknown');
    like($none->{date}, qr/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/, 'the date');
    is($none->{nvidia_driver}, undef, 'no driver') if system('nvidia-smi >/dev/null 2>&1');
    is(provenance('true', "PATH=$root/bin:\$PATH")->{nvidia_driver}, '580.1.2', 'a driver');
    is(provenance('true', 'COMMIT=abc1234')->{commit}, 'abc1234', 'COMMIT says it where there is no git');
    my ($refused, $status) = run("COMMIT='a`id`' $root/tools/provenance.sh");
    is($status, 2, 'a COMMIT that is none: status 2');
    like($refused, qr/\Aprovenance.sh: COMMIT=a`id`: a commit has letters, digits and [^\n]*\n\z/, 'and one line');

    # An archive of five files, and what is built in it.
    my $archive = "$scratch/archive";
    run("mkdir -p $archive/tools $archive/a $archive/build $archive/simulator/build $archive/bin $archive/.venv $archive/a/cache");
    spew("$archive/bin/clang-format", qq(#!/bin/sh\nprintf '%s\\n' "\$@"\n));
    run("mkdir -p $archive/tools && cp -r Makefile $archive/ && cp -r tools/mk $archive/tools/ && cp tools/files.sh tools/environment.sh tools/setup.sh $archive/tools/"
        . " && cd $archive && touch 'a/it is.c' a/b.cu build/x.c simulator/build/y.c a/z.tmp .venv/v.c a/cache/c.c && ln -s a/b.cu step01"
        . " && chmod +x bin/clang-format && printf '/build/\n/simulator/build/\n*.tmp\n/step01\n/.venv/\ncache/\n' >.gitignore");
    my @files = sort('.gitignore', 'Makefile', 'a/b.cu', 'a/it is.c', "bin/clang-format", glob("tools/mk/*.mk"), 'tools/environment.sh', 'tools/files.sh', 'tools/setup.sh');
    is(join('|', sort split /\0/, (run("$archive/tools/files.sh"))[0]), join('|', @files), 'the files of an archive');
    is((run("cd $archive && PATH=$archive/bin:\$PATH make -s format | sort"))[0], "-i\na/b.cu\na/it is.c\n", 'make format takes them');
    SKIP: {
        skip 'git is missing', 1 if system('git --version >/dev/null 2>&1');
        my $git = 'git -c user.name=t -c user.email=t@t';
        provenance("git init -q $scratch; cd $scratch && $git commit -qm t --allow-empty; cd $root", 'A=1')->{commit} eq 'unknown'
            or fail('the commit of a repository around this one is not ours');
        is(join('|', sort split /\0/, (run("$archive/tools/files.sh"))[0]), join('|', @files), 'an archive within a repository');
        run("cd $archive && git init -q . && git add tools Makefile && mkdir new && touch 'new/c\"d .h ' && rm a/b.cu");
        is(join('|', sort split /\0/, (run("$archive/tools/files.sh"))[0]), join('|', sort +(grep { $_ ne 'a/b.cu' } @files), 'new/c"d .h '),
            'a repository: new files too, without those that are gone');
        # A clone on Windows.
        run("cp .gitattributes $archive/ && cd $archive && git add . && $git commit -qm t && git -c core.autocrlf=true clone -q . $scratch/windows");
        is((run("cd $scratch/windows && grep -rlI --exclude-dir=.git \"\$(printf '\\r')\" . | sort"))[0], '', 'a clone with core.autocrlf=true: no file gets CRLF');
        is((run("$scratch/windows/tools/files.sh | tr -d '\\0' | wc -c"))[1], 0, 'and scripts start');
        my $clean = provenance("git init -q . && git add . && $git commit -qm t", 'A=1')->{commit};
        like($clean, qr/^[0-9a-f]{4,40}$/, 'a clean tree: the commit');
        is(provenance('echo "// x" >>docs/x.c; echo x >>steps/01_x/README.md', 'A=1')->{commit}, $clean, 'what changes no number is no change');
        is(provenance('echo "// x" >>steps/01_x/v0.cu', 'A=1')->{commit}, "$clean+changes", 'a changed source');
        is(provenance('true', 'COMMIT=abc1234')->{commit}, 'abc1234', 'COMMIT wins');
        is(provenance('git checkout steps/01_x/v0.cu; touch steps/toolbox/new.cu', 'A=1')->{commit}, "$clean+changes", 'a new source');
    }
}
done_testing();
