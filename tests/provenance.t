#!/usr/bin/env perl
# tier: test
# tools/provenance.sh: a clean tree, a changed one, COMMIT in the environment, no git. tools/files.sh: the same files
# with git and without, as in an archive that is unpacked within another repository; make format takes them.
use strict;
use warnings;
use Test::More;
use FindBin;
use lib $FindBin::Bin;
use Common;

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
done_testing();
