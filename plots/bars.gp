# bars.gp: bars in panels side by side, one row per variant, and their numbers right of all bars,
# where no line crosses them. tools/draw/layout.py made the numbers:
# gnuplot -e 'params="..."; data="..."; picture="..."' bars.gp

load params
width = 800
height = 88 + 23 * rows
load "style.gp"

left = from_left(178)
panel_width = (from_left(width - 4) - left) / panels

set multiplot
set border 2
unset tics
unset grid
set yrange [rows + 0.6 : 0.4]
set tmargin at screen from_top(74)
set bmargin at screen 10.0 / height
set style fill solid 1.0 noborder

eval heading
do for [r = 1 : rows] {
    set label 200 + 2 * r row_step[r] at screen from_left(10), first r left
    set label 201 + 2 * r row_name[r] at screen from_left(36), first r left
}

do for [p = 1 : panels] {
    set lmargin at screen left + (p - 1) * panel_width
    set rmargin at screen left + p * panel_width - from_left(24)
    full = panel_max[p] * (panels < 4 ? 1.38 : 1.6)
    set xrange [0 : full]
    set label 102 panel_title[p] at graph 0, screen from_top(62) left font font(13)
    if (line_at[p] > 0) {
        set arrow 1 from line_at[p], graph 0 to line_at[p], graph 1 nohead linecolor rgb "#a0a0a0" dashtype 2 back
    }
    plot data index (p - 1) using ($1/2):2:($1/2):(0.36):(colour($4)) with boxxyerror linecolor rgb variable, \
         data index (p - 1) using (full):2:3 with labels right
    unset arrow
    unset label # title and names are drawn once
}
unset multiplot
