# svg.awk: writes SVG, for the scripts here that work out each pixel themselves. All that has one
# style is one element of the file, and so the file is small. In order:
#     style(), for each style, in the order in which they are painted
#     add_box(), add_bar(), add_line(), add_dot() and add_text(), any number of times
#     print_svg()

BEGIN {
    width = 800
    style("title", "font-size='15' text-anchor='middle'")
    style("subtitle", "font-size='12' text-anchor='middle' fill='#505050'")
}

function style(name, attributes)
{
    style_name[++styles] = name
    attributes_of[name] = attributes
}

function add_box(name, x, y, wide, high)
{
    gather(name, "M" px(x) "," px(y) "h" px(wide) "v" px(high) "h" px(-wide) "z")
}

# A box as high as its style's line is wide: less to write. y is its middle.
function add_bar(name, x, y, wide)
{
    gather(name, "M" px(x) "," px(y) "h" px(wide))
}

function add_line(name, x1, y1, x2, y2)
{
    gather(name, "M" px(x1) "," px(y1) "L" px(x2) "," px(y2))
}

# A line of no length: its round ends, which dots() asks for, are what one sees.
function add_dot(name, x, y)
{
    gather(name, "M" px(x) "," px(y) "h0")
}

# The attributes of dots.
function dots(colour, diameter)
{
    return "stroke='" colour "' stroke-width='" diameter "' stroke-linecap='round'"
}

# The middle of its letters is at y, as of a box or a dot beside it.
function add_text(name, x, y, words)
{
    if (words == "")
        return
    gsub(/&/, "\\&amp;", words)
    gsub(/</, "\\&lt;", words)
    is_text[name] = 1
    gather(name, "<text x='" px(x) "' y='" px(y + 4) "'>" words "</text>")
}

function print_svg(height, title, subtitle,    i, name)
{
    add_text("title", width / 2, 18, title)
    add_text("subtitle", width / 2, 37, subtitle)
    printf "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' font-family='sans-serif'>\n", width, height, width, height
    print "<rect width='100%' height='100%' fill='#ffffff'/>" # pages may be dark
    for (i = 1; i <= styles; i++) {
        name = style_name[i]
        if (!(name in body))
            continue
        if (is_text[name])
            print "<g " attributes_of[name] ">" body[name] "\n</g>"
        else
            print "<path " attributes_of[name] " d='" body[name] "'/>"
    }
    print "</svg>"
}

# Lines of about a hundred characters.
function gather(name, piece)
{
    if (is_text[name] || room[name] < length(piece)) {
        body[name] = body[name] "\n"
        room[name] = 100
    }
    body[name] = body[name] piece
    room[name] -= length(piece)
}

# To a tenth of a pixel.
function px(x)
{
    x = sprintf("%.1f", x)
    sub(/\.0$/, "", x)
    return x
}
