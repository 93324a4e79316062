package Common;

# What the Perl tests share: running a command, and reading the CSV of a step.
use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);
use File::Basename qw(dirname);
our @EXPORT = qw(run rows make_switch compile_switched link_switched @steps @experiments $scratch $backend);

my $root = dirname(__FILE__) . "/..";
chdir $root or die "$root: $!";
our $scratch = tempdir(CLEANUP => 1);
our $backend = $ENV{TEST_BACKEND} || 'sim';    # tests/run-gpu says cuda
our @steps   = map { m{/((\d\d)_\w+)$} ? { name => $1, number => $2, program => "./step$2" } : () }
    sort glob 'steps/*';

our @experiments = map { m{/(\w+)\.cu$} } sort glob 'experiments/*.cu';
my $programs = join '|', 'step\d\d', 'broken', @experiments;

# (command) -> (stdout and stderr together, exit status; -1 for a signal). ./step05 is
# the program of the backend under test, whatever the link in the root points to.
sub run {
    my $command = $_[0] =~ s{\./($programs)\b}{build/$backend/$1}gr;
    my $output  = `($command) 2>&1`;
    return ($output, $? & 127 ? -1 : $? >> 8);
}

# (file) -> a hash for each row, by column
sub rows {
    open my $csv, '<', $_[0] or return ();
    my @lines = <$csv>;
    chomp @lines;
    my @columns = split /,/, shift @lines // '';
    return map { my %row; @row{@columns} = split /,/, $_, -1; \%row } @lines;
}

# Mutants of one program, compiled once: in files that are copied to $scratch and changed there,
# mutated(k) is true if the environment's MUTANT is k.
sub make_switch {
    my %text = (
        c => "#include <stdlib.h>\nint mutated(int k) { static int m = -1; if (m < 0) m = atoi(getenv(\"MUTANT\")); return m == k; }\n",
        h => "extern \"C\" int mutated(int k);\n",
    );
    for my $suffix (keys %text) {
        open my $file, '>', "$scratch/switch.$suffix" or die "$scratch/switch.$suffix: $!";
        print $file $text{$suffix};
        close $file;
    }
    run("gcc -O2 -c $scratch/switch.c -o $scratch/switch.o");
}

# (file of a step, as steps/05_x/y.cu) -> output, status
sub compile_switched {
    my ($file) = @_;
    return run("simulator/simcc -Icommon -I$scratch/steps -include $scratch/switch.h -c $scratch/$file -o $scratch/$file.o");
}

# (program, folder of the step, its files that have switches) -> output, status
sub link_switched {
    my ($program, $folder, @files) = @_;
    my %replaced = map { s/\.cu$/.o/r => 1 } @files, "$folder/example.cu";
    my @others   = grep { !$replaced{ s{^build/sim/}{}r } } glob "build/sim/$folder/*.o";
    my @common   = grep { !/machine_main/ } glob('build/sim/common/*.o build/sim/simulator/*.o');
    return run("\${CXX:-g++} -fopenmp @{[map {qq($scratch/$_.o)} @files]} @others $scratch/switch.o @common -o $program -lm");
}

1;
