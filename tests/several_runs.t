#!/usr/bin/env perl
# tier: more
# tools/measure/programs.py: the CSV of several processes become one, by the rules of merged().
# tools/measure/measure.py noise: two runs beside each other. And those recorded are close enough. Its rows: step 16 alone.
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

mkdir "$scratch/$_" for 1, 2;
run("sed 's/^s,/01_s,/' $a >$scratch/1/runs.csv; sed 's/^s,/01_s,/' $b >$scratch/2/runs.csv");
($output, $status) = run("tools/measure/measure.py noise $scratch/1 $scratch/2");
is($status, 0, 'noise runs') or diag $output;
is($output, "step,variant,n,cache,launch,first_us,second_us,difference_pct\n01_s,v,1000,cold,plain,10,30,200.00\n"
    . "01_s,r,1000,cold,plain,10,10,0.00\n", 'each time of a GPU beside its twin');
for my $noise (glob 'results/*/noise.csv') {
    my @far = grep { $_->{n} >= 1 << 20 && abs $_->{difference_pct} >= 3 } rows($noise);
    is(scalar @far, 0, "$noise: two runs differ by less than 3 % from 1M elements up");
    cmp_ok(scalar rows($noise), '>=', 100, "$noise: and that is said of many times");
}

# What never ends is not read.
for (['a link to /dev/zero', 'ln -s /dev/zero', qr/is a link, not a regular file/], ['a FIFO', 'mkfifo', qr/is not a regular file/], ['a folder', 'mkdir', qr/is not a regular file/]) {
    my ($what, $plant, $why) = @$_;
    run("rm -rf $scratch/2/runs.csv; $plant $scratch/2/runs.csv");
    ($output, $status) = run("ulimit -v 1000000; $guard tools/measure/measure.py noise $scratch/1 $scratch/2");
    is($status, 1, "$what: noise: status 1");
    like($output, qr{\Ameasure\.py: \Q$scratch\E/2/runs\.csv: cannot be read: $why\n\z}, "$what: one line");
}

open my $broken, '>>', $b or die;
print $broken "s,v,cuda\n";
close $broken;
($output, $status) = run("$merge $a $b");
is($status, 1, 'a broken line stops it');

# rows puts step 16 beside what a folder has, whole or not at all. The simulator stands for a GPU.
my ($folder, $programs) = ("$scratch/rows", "$scratch/programs");
run("mkdir -p $folder $programs && cp results/h200/variants.csv $folder/ && sed -i '/^16_rows,/d' $folder/variants.csv && echo 16_rows,old,rows,1,0,0,0,0 >>$folder/variants.csv && head -n 2 results/h200/runs.csv >$folder/runs.csv && sed 's/^[^,]*,[^,]*/16_rows,old/' $folder/runs.csv | tail -n 1 >>$folder/runs.csv");
my @others = grep { !/^16_rows,/ } split /^/, slurp("$folder/variants.csv");
for my $program ("printf 'step16: a wrong sum\\n' >&2; exit 1", '') {
    if ($program ne '') {
        spew("$programs/step16", "#!/bin/sh\n$program\n");
        run("chmod +x $programs/step16; ln -s $FindBin::Bin/../build/sim/machine $programs/machine");
    } else {
        run("ln -sf $FindBin::Bin/../build/sim/step16 $programs/step16");
    }
    my ($before) = run("cat $folder/*");
    ($output, $status) = run("$guard tools/measure/measure.py rows $folder $programs 2K");
    if ($program ne '') {
        is($status, 1, 'rows: the program fails: status 1') or diag $output;
        like($output, qr/^measure\.py: timing step 16 failed: step16: a wrong sum; .*rows is as it was$/m, 'one line says what');
        is((run("cat $folder/*"))[0], $before, 'and the folder is as it was');
        next;
    }
    is($status, 0, 'rows: done') or diag $output;
    is(join('', grep { !/^16_rows,/ } split /^/, slurp("$folder/variants.csv")), join('', @others), 'the lines of other steps stay');
    is(join(' ', sort map { $_->{variant} } grep { $_->{step} eq '16_rows' } rows("$folder/variants.csv")), join(' ', sort map { $_->{variant} } variants('build/sim/step16')), 'those of step 16 are its variants');
    my %lengths = map { $_->{row} => 1 } rows("$folder/rows_map.csv");
    is(join(' ', sort keys %lengths), join(' ', sort map { 1 << $_ } 0 .. 8, 10), 'the map has rows of every length that fits') or diag slurp("$folder/rows_map.csv");
    my @runs = rows("$folder/runs.csv");
    cmp_ok(scalar(grep { $_->{step} eq '16_rows' } @runs), '>=', 20, 'runs.csv has the variants at each length');
    is(scalar(grep { $_->{step} ne '16_rows' || $_->{variant} eq 'old' } @runs), 1, 'instead of those that it had, beside the other steps');
    like(slurp("$folder/16_rows.json"), qr/"commit"/, 'and where they are from');
    like(slurp("$folder/machine.json"), qr/"only": "16_rows"/, 'a folder without the other steps holds this one alone, and says so');
    spew("$folder/machine.json", "{}\n");
    ($output, $status) = run("$guard tools/measure/measure.py rows $folder $programs 1K");
    is("$status " . slurp("$folder/machine.json"), "0 {}\n", 'one with the others keeps what is said of it') or diag $output;
}
($output, $status) = run("tools/measure/measure.py rows $scratch/none");
is($status . $output, "2measure.py: usage: tools/measure/measure.py rows FOLDER [PROGRAMS [SIZES]], a folder that is there\n", 'rows: a folder that is missing: one line, status 2');
done_testing();
