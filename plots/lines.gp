# lines.gp: curves over n, named at their right ends. tools/draw/layout.py made the numbers:
# gnuplot -e 'params="..."; data="..."; picture="..."' lines.gp

width = 800
height = 510
load "style.gp"
load params

top = 52 + 20 * (strlen(panel_title[1]) > 0)
left(p) = from_left(66 + (p - 1) * (pixels_wide + names_wide))

set multiplot
eval heading
set tmargin at screen from_top(top)
set bmargin at screen from_top(top + pixels_high)
set label 103 y_title at screen from_left(15), screen from_top(top + 0.5 * pixels_high) center rotate
set xlabel x_title offset 0,0.3

do for [p = 1 : panels] {
    set lmargin at screen left(p)
    set rmargin at screen left(p) + from_left(pixels_wide)
    set label 102 panel_title[p] at graph 0, screen from_top(top - 14) left font font(13)
    do for [i = first_curve[p] : last_curve[p]] {
        if (strlen(beside[i]) > 0) {
            eval sprintf("set label i name[i] at graph end_x[i], graph end_y[i] %s offset %d,0", beside[i], beside[i] eq "left" ? 1 : -1)
        } else { if (strlen(name[i]) > 0) {
            set label i name[i] at graph 1.0 + 18.0 / pixels_wide, graph name_y[i] left textcolor rgb darker(name_colour[i])
            if (!keyed[i]) {
                set arrow i from graph end_x[i], graph end_y[i] to graph 1.0 + 15.0 / pixels_wide, graph name_y[i] nohead back linecolor rgb name_colour[i] linewidth 0.8
            } else { # a piece of it beside the name
                set arrow i from graph 1.0 + 1.0 / pixels_wide, graph name_y[i] to graph 1.0 + 15.0 / pixels_wide, graph name_y[i] nohead back linecolor rgb name_colour[i] dashtype name_dash[i] linewidth 1.6
                if (name_mark[i] > 0) {
                    set label 400 + i "" at graph 1.0 + 8.0 / pixels_wide, graph name_y[i] point linetype 1 pointtype name_mark[i] pointsize 0.6 linecolor rgb name_colour[i]
                }
            }
        } }
    }
    eval "plot " . bands[p] . "for [i = first_curve[p] : last_curve[p]] data index (i - 1) using 1:2 with linespoints linestyle i"
    unset label
    unset arrow
    eval blank_tics
}
unset multiplot
