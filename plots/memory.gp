# memory.gp: the levels of memory. memory.awk made the numbers:
# gnuplot -e 'params="..."; data="..."; format="svg"; picture="..."' memory.gp

load params
width = 800
load "style.gp"

# From registers to device memory: the colours of steps that stand for them elsewhere.
array fills[4] = [0xcfe8dd, 0xfbe3c0, 0xd5eaf7, 0xe3e3e3]
fill(level) = level < 1 ? 0 : fills[int(level)]

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

plot data index 2 using ($1+8):($2+8):3:4 with boxxyerror fillcolor rgb "#ececec", \
     data index 2 using ($1+4):($2+4):3:4 with boxxyerror fillcolor rgb "#dcdcdc", \
     data index 2 using 1:2:3:4 with boxxyerror fillcolor rgb "#f7f7f7", \
     data index 1 using 1:2:3:4 with boxxyerror fillcolor rgb "#0072b2", \
     data index 0 using 1:2:3:4:(fill($5)) with boxxyerror fillcolor rgb variable, \
     data index 3 using 1:2:3 with labels center font font(14), \
     data index 4 using 1:2:3 with labels center font font(12) textcolor rgb "#404040", \
     data index 5 using 1:2:3 with labels left font font(12) textcolor rgb "#00517f", \
     data index 6 using 1:2:3 with labels left font font(12) textcolor rgb "#404040"
