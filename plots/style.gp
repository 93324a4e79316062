# style.gp: the look that the pictures drawn by gnuplot share. The caller has set picture (the
# file to write), width and height in pixels. White on purpose: pages may be dark.

set encoding utf8
set terminal svg size width,height fixed noenhanced dashed font "sans-serif,13" background "#ffffff"
font(pixels) = sprintf(",%g", pixels)
set output picture

# A colour per step (up to 06 Okabe and Ito's, from 08 Tol's, told apart by the colour-blind
# too); grey, 0, and black, -1, for what the steps are compared with.
array colours[12] = [0x8c8c8c, 0xd55e00, 0xe69f00, 0x56b4e9, 0x0072b2, 0x009e73, 0xcc79a7, 0x7a4fa3, \
                     0x882255, 0x117733, 0x999933, 0x332288]
colour(step) = step < 0 ? 0x000000 : colours[int(step) + 1]
# The same for a name on white: 4.5:1 and more.
share(colour, shift) = int(0.66 * ((int(colour) >> shift) & 255))
darker(colour) = (share(colour, 16) << 16) + (share(colour, 8) << 8) + share(colour, 0)

set border 3 linecolor rgb "#606060"
set tics nomirror textcolor rgb "#303030"
set grid linecolor rgb "#e0e0e0" linetype 1 linewidth 1
unset key

from_top(pixels) = 1 - 1.0 * pixels / height
from_left(pixels) = 1.0 * pixels / width

# The two lines above each picture, as labels 100 and 101.
heading = 'set label 100 title at screen 0.5, screen from_top(18) center font font(15); ' . \
          'set label 101 subtitle at screen 0.5, screen from_top(37) center font font(12) textcolor rgb "#505050"'
