#!/usr/bin/env perl
# kept() of Common.pm: what a command made is taken for what it would make now as long as all that it reads is the same;
# if a source, a header of a header, an option, the compiler or the simulator changes, it runs again.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

# A compiler that counts how often it is called. Its name has this process in it: no earlier run has kept that.
my $compiler = "$scratch/compiler$$";
spew($compiler, "#!/bin/sh\n[ \"\$1\" = --version ] && { echo version 1; exit; }\necho >>$scratch/calls\nexec gcc \"\$@\"\n");
chmod 0755, $compiler;
mkdir "$scratch/$_" for qw(headers first);
spew("$scratch/main.c",      "#include \"one.h\"\n#include <stdio.h>\nint main(void) { puts(WORD); return 3; }\n");
spew("$scratch/headers/one.h", "#include \"two.h\"\n");
spew("$scratch/headers/two.h", "#define WORD \"two\"\n");

my $command = "$compiler -I$scratch/first -I$scratch/headers $scratch/main.c -o $scratch/main && $scratch/main";

# (what has changed, whether it must run again, what must be printed)
sub expect {
    my ($what, $again, $word) = @_;
    my $before = -s "$scratch/calls" // 0;
    unlink "$scratch/main";
    my ($output, $status) = kept($command);
    is((-s "$scratch/calls" // 0) - $before, $again, "$what: " . ($again ? 'it runs' : 'it does not run'));
    is("$status $output", "3 $word\n", "$what: what it says, and its status");
    is((run("$scratch/main"))[0], "$word\n", "$what: the file that it made");
}
expect('the first time',       1, 'two');
expect('nothing',              0, 'two');
spew("$scratch/headers/two.h", "#define WORD \"three\"\n");
expect('a header of a header', 1, 'three');
spew("$scratch/headers/two.h", "#define WORD \"two\"\n");
expect('as it was before',     0, 'two');
spew("$scratch/first/two.h",   "#define WORD \"another\"\n");
spew("$scratch/headers/one.h", "#include <two.h>\n");
expect('a header of the same name that comes first', 1, 'another');
unlink "$scratch/first/two.h";
expect('and it is gone',       1, 'two');
spew("$scratch/main.c", slurp("$scratch/main.c") =~ s/puts\(WORD\)/puts(WORD "!")/r);
expect('the source',           1, 'two!');
$command =~ s/ -o / -O1 -o /;
expect('an option',            1, 'two!');
spew($compiler, slurp($compiler) =~ s/version 1/version 2/r);
expect('the compiler',         1, 'two!');
$ENV{SIMT_SCHEDULE} = 5;
expect('a setting of the simulator', 1, 'two!');
delete $ENV{SIMT_SCHEDULE};
expect('and without it',       0, 'two!');

# What is read apart: CC, and the simulator's own files, of which simcc is made.
my $simcc = 'echo simcc';
my $key   = Common::key($simcc);
is(Common::key($simcc), $key, 'the key is the same twice');
{
    local $ENV{CC} = $compiler;
    isnt(Common::key($simcc), $key, 'CC: another key');
}
local $Common::folder_text{simulator} = 'another text';
isnt(Common::key($simcc), $key, 'the simulator: another key');

# A large file is not read again as long as it is the same one: two of one length, one after the other in one place.
{
    my $large = "$scratch/large";
    my %keys;
    for my $letter ('a', 'b', 'a') {
        spew($large, $letter x 300000);
        my @twice = map { Common::key("cat $large", $large) } 1 .. 2;
        is($twice[0], $twice[1], "a large file of $letter: the key is the same twice");
        $keys{$letter}{ $twice[0] } = 1;
        select undef, undef, undef, 0.02;    # a file system's clock ticks every few milliseconds
    }
    is_deeply([map { scalar keys %$_ } @keys{qw(a b)}], [1, 1], 'a large file: its text makes the key');
    isnt((keys %{ $keys{a} })[0], (keys %{ $keys{b} })[0], 'and another text of the same length makes another');
}

# What was ended from outside, or by a full disk, is not kept.
for ('exit 137', 'exit 124', 'echo No space left on device; exit 1') {
    my $ended = "sh -c 'echo >>$scratch/ended$$; $_'";
    unlink "$scratch/ended$$";
    kept($ended) for 1, 2;
    is(-s "$scratch/ended$$", 2, "$_: it runs again");
}

# A file that changes while the command runs: what was made may be of either.
my $meanwhile = "cp $scratch/main.c $scratch/copy.c; echo >>$scratch/main.c; $compiler -I$scratch/headers $scratch/copy.c -o $scratch/main";
my $before = -s "$scratch/calls";
kept($meanwhile);
my $text = slurp("$scratch/main.c") =~ s/\n\z//r;
spew("$scratch/main.c", $text);
unlink "$scratch/copy.c";
kept($meanwhile);
is((-s "$scratch/calls") - $before, 2, 'a source that changes meanwhile: it runs again');

# Several at once keep the same as one after another.
my @several = map {"echo said $_ $$"} 1 .. 5;
ahead(@several);
is((kept($_))[0], $_ =~ s/^echo //r . "\n", "ahead: $_") for @several;
done_testing();
