# read_trace.awk: reads what --trace FILE wrote, for the scripts that draw it. It goes first:
#     awk -f svg.awk -f read_trace.awk -f trees.awk title=... TRACE.csv ... >PICTURE.svg
# The rules of the next script find each access in $1 to $15. What is wrong is told in one line on
# stderr, with exit status 1.

BEGIN {
    FS = ","
    columns = "variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line,block_barriers,cluster_barriers,grid_barriers"
}

FNR == 1 {
    if ($0 != "# trace 2")
        broken("not \"# trace 2\", the first line of a trace of this version")
    file[++traces] = FILENAME
    title_of[traces] = title
    next
}

FNR == 2 {
    if ($0 != columns)
        broken("the header is not " columns)
    next
}

# What was counted, and raced: not drawn here.
/^# / {
    next
}

NF != 15 || $10 !~ /^[0-9]+$/ {
    broken("no access to an array: " $0)
}

# Shared memory of another block of the cluster: drawn as this block's.
$9 == "remote" {
    $9 = "shared"
}

# A picture is of few threads and elements; nobody waits for one of more.
{
    for (i = 2; i <= 15; i++)
        if (i != 8 && i != 9 && i != 12 && ($i !~ /^[0-9]+$/ || length($i) > 7))
            broken("no number below ten million: " $i)
}

END {
    if (failed)
        exit 1
}

function broken(why)
{
    fail(FILENAME ": line " FNR ": " why)
}

function fail(why)
{
    print why > "/dev/stderr"
    failed = 1
    exit 1
}
