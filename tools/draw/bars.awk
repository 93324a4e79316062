# bars.awk: the numbers behind a picture of bars (bars.gp): one row per variant in
# the order of the ladder, up to four panels side by side. The script before this
# one on the command line calls bar() and sets title, subtitle and panel_title[p].
# -v data=FILE receives the bars; standard output is gnuplot text for bars.gp.
# Exit status 77, with why_not on stderr, when there is nothing to draw.

# One bar in panel p = 1, 2, ... for the row at hand, with a label at its end.
function bar(p, value, label,    r)
{
    if (!(f["variant"] in row)) {
        row[f["variant"]] = ++rows
        row_step[rows] = step_number()
    }
    r = row[f["variant"]]
    if ((p, r) in bar_value)
        return # the first row of a variant counts
    panels = p > panels ? p : panels
    bar_value[p, r] = value + 0
    bar_label[p, r] = label
    if (value + 0 > panel_max[p] + 0)
        panel_max[p] = value + 0
}

END {
    if (rows == 0) {
        print why_not > "/dev/stderr"
        exit 77
    }
    printf "title = %s\nsubtitle = %s\nrows = %d\npanels = %d\n", quoted(title), quoted(subtitle), rows, panels
    printf "array panel_title[%d]\narray panel_max[%d]\narray line_at[%d]\n", panels, panels, panels
    printf "array row_name[%d]\narray row_step[%d]\n", rows, rows
    for (v in row) {
        r = row[v]
        printf "row_name[%d] = %s\n", r, quoted(v in other_name ? other_name[v] : v)
        printf "row_step[%d] = %s\n", r, quoted(row_step[r] == row_step[r - 1] ? "" : row_step[r])
    }
    for (p = 1; p <= panels; p++) {
        if (panel_max[p] == 0)
            panel_max[p] = 1
        printf "panel_title[%d] = %s\n", p, quoted(panel_title[p])
        printf "panel_max[%d] = %g\n", p, panel_max[p]
        printf "line_at[%d] = %g\n", p, (reference in row ? bar_value[p, row[reference]] : 0)
        for (r = 1; r <= rows; r++)
            if ((p, r) in bar_value)
                printf "%g %d \"%s\" %d\n", bar_value[p, r], r, bar_label[p, r], row_step[r] > data
        printf "\n\n" > data
    }
}
