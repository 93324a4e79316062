# accesses.awk: which thread of a block touches which element, from the trace of one variant.
# A band for each round and line of the source: the threads above, the elements of an array below, as
# many in a row as there are threads, a line from each thread to each element it touches; a box is
# what one access takes, 4 bytes or more. Shuffles one after another are one band, a row after each of
# them. Between two bands a line across all threads where they came through a barrier of the block,
# its cluster or the grid, and a dashed one across a warp that waited for its own lanes alone. A word
# that a thread reads again and again until it changes is one band, which says how often. All in
# pixels, written by svg.awk; the trace is read by read_trace.awk. -v sources: the files with its
# lines, the first of several with one name. Before the trace:
#   threads=64  of a block, whole warps
#   every=8     a row only after each eighth shuffle: a thread does the same with eight registers
#   first=1     only so many bands: the others are those of other pictures
#   skip=3-6:block_sum(),9-9:warp_sum()   not these: the function named tells what they are

BEGIN {
    left = 92; right = 786 # of the threads
    gap = 10               # between two warps
    top = 58; caption = 13; threads_at = 28; fall = 30; row_height = 11; shuffle_height = 20; space = 18
    above = 4              # from a barrier's line down to the band after it
    left_out = 24
    waits = 12             # from one such line to the next
    split("block cluster grid", barrier, " ")
    name["in"] = "array"; name["scratch"] = "partial sums"; name["out"] = "the sum"; name["shared"] = "shared"
    name["other"] = "words"
    split("#0072b2 #e69f00", colour, " ") # two warps, told apart by the colour-blind and on grey paper
    style("untouched", bars("#e2e2e2"))
    for (w = 0; w <= 1; w++)
        style("line" w, "fill='none' stroke-width='0.7' stroke='" colour[w + 1] "'")
    for (w = 0; w <= 1; w++)
        style("touched" w, bars(colour[w + 1]))
    style("written", bars("#202020"))
    style("idle", dots("#707070", 6.2)) # a ring: with a smaller white dot on it
    style("hollow", dots("#ffffff", 4.8))
    for (w = 0; w <= 1; w++)
        style("busy" w, dots(colour[w + 1], 6.2))
    style("wait1", "stroke='#505050' stroke-width='1.6'")
    style("wait2", "stroke='#505050' stroke-width='3'")
    style("wait3", "stroke='#202020' stroke-width='5'")
    style("wait0", "stroke='#505050' stroke-width='1.6' stroke-dasharray='2,3'")
    style("waiting", "font-size='10'")
    style("source", "font-size='11'")
    style("summary", "font-size='11' text-anchor='end' fill='#505050'")
    style("name", "font-size='10' fill='#505050'")
}

{
    if (rows > 0 && ($1 != variant || $2 != n || $3 != block))
        broken("a picture shows one variant, one n and one block; this is of several")
    variant = $1; n = $2; block = $3
    look = $8 == "load" && $9 == "other" ? $12 SUBSEP $6 SUBSEP $7 SUBSEP $10 : ""
    if (look in band_of_look) {
        look_again(band_of_look[look], $5 + 0, $6 + 0)
        next
    }
    i = ++rows
    warp[i] = $6 + 0
    thread[i] = 32 * $6 + $7
    step[i] = $4
    kind[i] = $8
    bytes = $8 == "shuffle" ? 4 : $11
    element[i] = $8 == "shuffle" ? 32 * $6 + $10 : int($10 / (bytes / 4))
    if (thread[i] >= threads)
        broken("thread " thread[i] " of a block of " threads)
    find_band($5 + 0, $12, $9, bytes, i)
    b = band[i]
    if (look != "")
        band_of_look[look] = b
    for (k = 1; k <= 3; k++)
        if ($(12 + k) > passed[b, k])
            passed[b, k] = $(12 + k) + 0
    if (!((b, warp[i]) in since) || $5 < since[b, warp[i]])
        since[b, warp[i]] = $5 + 0
    if ($5 > until[b, warp[i]])
        until[b, warp[i]] = $5 + 0
}

END {
    if (rows == 0)
        fail(file[1] ": no accesses")
    if (!every)
        every = 1
    shown_bands = first && first < bands ? first : bands
    for (i = split(skip, gap_at, ","); i > 0; i--) {
        split(gap_at[i], part, /[-:]/)
        for (b = part[1] + 0; b <= part[2]; b++)
            skipped[b] = part[1]
        count_of[part[1] + 0] = part[2] - part[1] + 1
        function_of[part[1] + 0] = part[3]
    }
    for (b = 1; b <= bands; b++)
        find_waits(b)
    pitch = (right - left - gap * (threads / 32 - 1)) / threads
    for (i = 1; i <= rows; i++)
        if (is_shown(band[i]))
            look_at(i, band[i])
    if (most["out"] > 1)
        name["out"] = "answer"
    place_bands()
    for (b = 1; b <= shown_bands; b++) {
        if (b in skipped) {
            if (b in count_of)
                add_text("source", left, band_y[b] + caption, "… left out here: " several(count_of[b], "band") " of " function_of[b] " …")
            continue
        }
        draw_waits(b)
        draw_elements(b)
        draw_threads(b)
        draw_texts(b)
    }
    for (i = 1; i <= rows; i++)
        if (is_shown(band[i]))
            draw_line(i, band[i])
    print_svg(bottom, heading(), explanation())
}

function look_again(b, epoch, w)
{
    if (!((b, epoch) in looked)) {
        looked[b, epoch] = 1
        looks_again[b]++
    }
    if (epoch > until[b, w])
        until[b, w] = epoch
}

function is_shown(b)
{
    return b <= shown_bands && !(b in skipped)
}

# What the threads waited for between the bands before and this one: a barrier of each kind, or
# only a warp for its own lanes, which between shuffles goes without saying.
function find_waits(b,    k, w)
{
    waited[b] = 0
    for (k = 1; k <= 3; k++) {
        if (passed[b, k] > so_far[k]) {
            waited[b]++
            wait_of[b, waited[b]] = k
            times[b, k] = passed[b, k] - so_far[k]
            so_far[k] = passed[b, k]
        }
    }
    for (w = 0; w < threads / 32; w++) {
        if (!((b, w) in since))
            continue
        if (waited[b] == 0 && (w in last_band) && since[b, w] > until[last_band[w], w] && !shuffles[b] && !shuffles[last_band[w]])
            alone[b, w] = 1
        last_band[w] = b
    }
    for (w = 0; w < threads / 32; w++)
        if ((b, w) in alone)
            waited[b] = 1
}

function draw_waits(b,    j, k, w, y, label)
{
    y = band_y[b] - above - waits * (waited[b] - 1)
    for (w = 0; w < threads / 32; w++)
        if ((b, w) in alone) {
            add_line("wait0", lane_x(32 * w) - pitch / 2, y, lane_x(32 * w + 31) + pitch / 2, y)
            label = "warp waits"
        }
    add_text("waiting", 10, y, label)
    for (j = 1; j <= waited[b] && label == ""; j++) {
        k = wait_of[b, j]
        add_line("wait" k, left, y, right, y)
        add_text("waiting", 10, y, times[b, k] == 1 ? barrier[k] " barrier" : times[b, k] " barriers")
        y += waits
    }
}

function bars(colour)
{
    return "stroke='" colour "' stroke-width='" row_height - 2.4 "'"
}

function heading()
{
    return variant ": block " block " of " threads " threads, " n " elements in all" \
        (shown_bands < bands ? "; the first of " bands " bands" : "")
}

function explanation(    b, fours)
{
    for (b = 1; b <= shown_bands; b++)
        fours = fours || (below[b] == "in" && unit[b] == 4)
    return (threads == 32 ? "A dot is a thread, hollow when idle." : fours ? "Blue: warp 0, orange: warp 1, hollow: idle." : \
            "A dot is a thread: blue in warp 0, orange in warp 1, hollow when idle.") \
        " A box is an element" (fours ? ", or four of the array;" : ":") " black when written."
}

function find_band(epoch, place, array, bytes, i,    key)
{
    key = epoch SUBSEP place SUBSEP array SUBSEP bytes
    if (!(key in band_of)) {
        if (kind[i] == "shuffle" && shuffles[bands] && line[bands] == place)
            shuffles[bands]++
        else {
            bands++
            shuffles[bands] = kind[i] == "shuffle"
            line[bands] = place
            below[bands] = array
            unit[bands] = bytes / 4 # elements of a box
        }
        band_of[key] = bands
        level_of[key] = shuffles[bands]
    }
    band[i] = band_of[key]
    level[i] = level_of[key]
}

function look_at(i, b,    request, w, e)
{
    w = warp[i]
    e = element[i]
    request = b SUBSEP step[i] SUBSEP w
    busy_threads[b] += !((b, thread[i]) in busy)
    busy[b, thread[i]] = 1
    requests[b] += !(request in seen)
    seen[request] = 1
    noun[b] = kind[i] == "shuffle" || kind[i] == "atomic" ? kind[i] : "request"
    touched[b, e] = w
    if (e % threads == thread[i] && e > lowest[b, e % threads])
        lowest[b, e % threads] = e # the lowest row straight below the thread
    if ((e + 1) * unit[b] > most[below[b]])
        most[below[b]] = (e + 1) * unit[b]
    if (kind[i] == "store" || kind[i] == "atomic")
        written[b, e] = 1
    row_touched[b, int(e / threads)] = 1
    if (int(e / threads) > last_row[b])
        last_row[b] = int(e / threads)
    if (below[b] == "shared")
        add_wavefronts(b, request, e)
    else if (!((request, "sector", int(e * unit[b] / 8)) in seen)) { # 8 elements of 4 bytes
        seen[request, "sector", int(e * unit[b] / 8)] = 1
        cost[b]++
    }
}

# A bank serves one word in each wavefront, and word e lies in bank e % 32.
function add_wavefronts(b, request, e)
{
    if ((request, "word", e) in seen)
        return
    seen[request, "word", e] = 1
    if (++words[request, e % 32] > worst[request]) {
        worst[request]++
        cost[b]++
    }
}

function place_bands(    b, r)
{
    bottom = top
    for (b = 1; b <= shown_bands; b++) {
        if (is_shown(b) && waited[b] > 1)
            bottom += waits * (waited[b] - 1)
        band_y[b] = bottom
        if (b in skipped) {
            bottom += b in count_of ? left_out : 0
            continue
        }
        bottom += threads_at
        if (shuffles[b])
            bottom += shown(b) * shuffle_height
        else {
            bottom += fall
            for (r = 0; r <= last_row[b]; r++)
                if ((b, r) in row_touched) {
                    row_y[b, r] = bottom
                    bottom += row_height
                }
            bottom -= row_height
        }
        bottom += space
    }
}

function lane_x(t)
{
    return left + (t + 0.5) * pitch + gap * int(t / 32)
}

# From a thread down to the element that it touches; of a shuffle from the register that
# is read down to the lane that reads it.
function draw_line(i, b,    y, key)
{
    key = b SUBSEP level[i] SUBSEP thread[i] SUBSEP element[i]
    if (shuffles[b] && (level[i] - 1) % every > 0)
        return
    if ((key in drawn) || (element[i] % threads == thread[i] && lowest[b, thread[i]] > element[i]))
        return # there already, or part of a longer one
    drawn[key] = 1
    y = band_y[b] + threads_at
    if (shuffles[b]) {
        y += (level[i] - 1) / every * shuffle_height
        add_line("line" warp[i] % 2, lane_x(element[i]), y, lane_x(thread[i]), y + shuffle_height)
    } else
        add_line("line" warp[i] % 2, lane_x(thread[i]), y, lane_x(element[i] % threads), row_y[b, int(element[i] / threads)])
}

function draw_threads(b,    t, k, y)
{
    for (k = 0; k <= shown(b); k++)
        for (t = 0; t < threads; t++) {
            y = band_y[b] + threads_at + k * shuffle_height
            if ((b, t) in busy)
                add_dot("busy" int(t / 32) % 2, lane_x(t), y)
            else {
                add_dot("idle", lane_x(t), y)
                add_dot("hollow", lane_x(t), y)
            }
        }
}

function draw_elements(b,    e, r)
{
    for (r = 0; r <= last_row[b] && !shuffles[b]; r++)
        for (e = r * threads; e < (r + 1) * threads && ((b, r) in row_touched); e++)
            if (e < size(b))
                add_bar(((b, e) in written) ? "written" : ((b, e) in touched) ? "touched" touched[b, e] % 2 : "untouched", \
                        lane_x(e % threads) - pitch / 2 + 0.8, row_y[b, r], pitch - 1.6)
}

# How many boxes the array has; where that is not known, as many as are touched, in whole warps.
function size(b)
{
    return below[b] == "in" ? n / unit[b] : below[b] == "out" ? most["out"] / unit[b] : 32 * int((most[below[b]] / unit[b] + 31) / 32)
}

# The rows that show a band's shuffles.
function shown(b)
{
    return int((shuffles[b] + every - 1) / every)
}

function draw_texts(b,    r)
{
    add_text("source", 10, band_y[b] + caption, source_text(line[b], room_for_source(summary(b))))
    add_text("summary", right, band_y[b] + caption, summary(b))
    add_text("name", 10, band_y[b] + threads_at, "threads")
    for (r = 0; r <= last_row[b] && !shuffles[b]; r++)
        if ((b, r) in row_touched)
            add_text("name", 10, row_y[b, r], name[below[b]] (last_row[b] > 0 ? " " r * threads * unit[b] : ""))
}

# The letters that fit before the summary, if each is 0.6 of its height wide, as in wide fonts.
function room_for_source(beside)
{
    return int((right - 18) / 6.6) - length(beside)
}

# "v0.cu:31" -> the text of that line, behind its place.
function source_text(place, room,    part, text)
{
    split(place, part, ":")
    if (!(part[1] in is_read))
        read_source(part[1])
    text = code[part[1], part[2] + 0]
    sub(/[ \t]*\/[*\/].*/, "", text)
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    text = place ": " text
    return length(text) > room ? substr(text, 1, room - 1) "…" : text
}

function read_source(base,    path, count, i, text)
{
    is_read[base] = 1
    for (i = split(sources, path, " "); i > 0; i--)
        if (path[i] ~ "(^|/)" base "$")
            for (count = 0; (getline text < path[i]) > 0; )
                code[base, ++count] = text
    if (code[base, 1] == "")
        fail(file[1] ": no source file " base)
}

function summary(b,    text)
{
    text = several(busy_threads[b], "thread") " at work, " several(requests[b], noun[b])
    if (shuffles[b])
        return text (every > 1 ? ", of which " shown(b) " are drawn" : "")
    text = text ", " several(cost[b], below[b] == "shared" ? "wavefront" : "sector")
    return text (looks_again[b] ? ", and again " several(looks_again[b], "time") : "")
}

function several(count, what)
{
    return count " " what (count == 1 ? "" : "s")
}
