# traced.awk: how a trace (--trace FILE) is read, for the scripts that draw one. It goes first:
#     awk -f traced.awk -f tree.awk ...
# What is wrong is told in one line on stderr, with exit status 1.

BEGIN {
    FS = ","
    columns = "variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line"
}

FNR == 1 && $0 != columns {
    broken("the header is not " columns)
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
