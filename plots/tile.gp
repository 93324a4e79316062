# tile.gp: a tile in registers, round by round. tile.awk made the numbers:
# gnuplot -e 'params="..."; data="..."; format="svg"; picture="..."' tile.gp

load params
width = 800
load "style.gp"

# From nearly white to dark blue; what is marked in orange.
between(from, to, share) = int(from + (to - from) * share)
shade(share) = 65536 * between(0xea, 0x00, share) + 256 * between(0xf2, 0x30, share) + between(0xf8, 0x60, share)
colour_of(row) = row < 0 ? 0xe69f00 : shade(row / 31.0)

set datafile separator "\t"
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 0
set xrange [0 : width]
set yrange [height : 0]
unset border
unset tics
unset grid
set style fill solid 1.0 noborder
eval heading

plot data index 0 using ($1+$3/2):($2+$4/2):($3/2):($4/2):(colour_of($5)) with boxxyerror linecolor rgb variable, \
     data index 1 using 1:2:3 with labels left font font(13), \
     data index 2 using 1:2:3 with labels left font font(11) textcolor rgb "#505050"
