# trace.gp: which thread touches which element, round by round. trace.awk made the numbers:
# gnuplot -e 'params="..."; data="..."; format="svg"; picture="..."' trace.gp

load params
width = 800
load "style.gp"

# Two warps, told apart by the colour-blind and on grey paper.
colour_of(w) = w == 99 ? 0x202020 : int(w) % 2 ? 0xe69f00 : 0x0072b2

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

plot data index 0 using 1:2:3:4 with boxxyerror linecolor rgb "#e2e2e2", \
     data index 4 using 1:2:($3-$1):($4-$2):(colour_of($5)) with vectors nohead linewidth 0.7 linecolor rgb variable, \
     data index 2 using 1:2:3:4:(colour_of($5)) with boxxyerror linecolor rgb variable, \
     data index 1 using 1:2 with points pointtype 7 pointsize 0.6 linecolor rgb "#ffffff", \
     data index 1 using 1:2 with points pointtype 6 pointsize 0.6 linewidth 0.6 linecolor rgb "#707070", \
     data index 3 using 1:2:(colour_of($3)) with points pointtype 7 pointsize 0.6 linecolor rgb variable, \
     data index 5 using 1:2:3 with labels left font font(12), \
     data index 6 using 1:2:3 with labels right font font(11) textcolor rgb "#505050", \
     data index 7 using 1:2:3 with labels left font font(10) textcolor rgb "#505050"
