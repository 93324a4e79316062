# tree.gp: trees of additions, side by side. tree.awk made the numbers:
# gnuplot -e 'params="..."; data="..."; format="svg"; picture="..."' tree.gp

load params
width = 800
load "style.gp"
subtitle = "A row of dots: the values after a round. Blue: what the sum is made of. Grey: added too, and never used."

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
eval heading

plot data index 0 using 1:2:3:4 with vectors nohead linewidth 0.8 linecolor rgb "#c4c4c4", \
     data index 2 using 1:2 with points pointtype 7 pointsize 0.3 linecolor rgb "#b0b0b0", \
     data index 1 using 1:2:3:4 with vectors nohead linewidth 1.1 linecolor rgb "#0072b2", \
     data index 3 using 1:2 with points pointtype 7 pointsize 0.4 linecolor rgb "#202020", \
     data index 4 using 1:2:3 with labels left font font(13), \
     data index 5 using 1:2:3 with labels left font font(11) textcolor rgb "#505050"
