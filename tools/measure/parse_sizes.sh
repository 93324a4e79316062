#!/usr/bin/env bash
# tools/measure/parse_sizes.sh LIST [MOST]: of a list of sizes, as in 1000,64K,16M,1<<20 (powers of 1024), those up to MOST.
# The one place where shell scripts read a size. Exit status: 2 if something is no size, after one line.
[ $# -eq 1 ] || [ $# -eq 2 ] || { echo 'usage: tools/measure/parse_sizes.sh LIST [MOST], as in 1K,64K,1M 64K' >&2; exit 2; }
exec awk 'function elements(size,    part) {
    if (size ~ /^-?[0-9]+[KMGkmg]?$/)
        return size * 2 ^ (10 * index("KMG", toupper(substr(size, length(size)))))
    split(size, part, "<<")
    return part[1] * 2 ^ part[2]
}
BEGIN {
    list = ARGV[1]
    count = split(list, size, ",")
    if (count == 0 || list ~ /^,|,,|,$/)
        wrong = "a size is missing in \"" list "\""
    for (i = 1; i <= count && wrong == ""; i++)
        if (size[i] !~ /^[0-9]+([KMGkmg]|<<[0-9]+)?$/)
            wrong = "\"" size[i] "\" is not a size; write 1000, 64K, 16M, 1G or 1<<20"
        else if (ARGC < 3 || elements(size[i]) <= elements(ARGV[2]))
            kept = kept "," size[i]
    if (wrong != "") {
        print wrong > "/dev/stderr"
        exit 2
    }
    print substr(kept, 2)
}' "$@"
