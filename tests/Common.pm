package Common;

# What the Perl tests share: running a command, and reading the CSV of a step.
use strict;
use warnings;
use Exporter 'import';
use File::Temp qw(tempdir);
use File::Basename qw(dirname);
our @EXPORT = qw(run rows @steps @experiments $scratch $backend);

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

1;
