# trace.awk: the picture of one variant's trace (trace.gp), from what --trace FILE wrote:
#     awk -v sources="STEP/reduce.cu ..." -v threads=64 -v data=DATA -f traced.awk -f trace.awk TRACE.csv >PARAMS
# A band for each round and line of the source: the threads above, the elements of an
# array below, as many in a row as there are threads, a line from each thread to each
# element it touches; a box is what one access takes, 4 bytes or more. Shuffles one after another are one band,
# a row after each of them; where a thread does the same with several registers, say every=8, a row
# after the first of eight. Where the same comes again and again, say most_bands=3: only the first three.
# threads: of a block, whole warps. All in pixels. Exit status 1, with one line on stderr, when the trace cannot be drawn.

BEGIN {
    left = 92; right = 786 # of the threads
    gap = 10               # between two warps
    top = 58; caption = 16; threads_at = 34; fall = 36; row_height = 11; shuffle_height = 24; space = 18
    name["in"] = "array"; name["scratch"] = "partial sums"; name["out"] = "the sum"; name["shared"] = "shared"
    name["other"] = "words"
    every = every ? every : 1
}

FNR == 1 {
    for (i = split(sources, source, " "); i > 0; i--)
        read_source(source[i])
    next
}

{
    if (NF != 12 || $10 !~ /^[0-9]+$/)
        broken("no access to an array: " $0)
    if (rows > 0 && ($1 != variant || $2 != n || $3 != block))
        broken("a picture shows one variant, one n and one block; this is of several")
    variant = $1; n = $2; block = $3
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
}

END {
    if (failed)
        exit 1
    if (rows == 0)
        broken("no accesses")
    if (most_bands && bands > most_bands) {
        more = bands - most_bands
        bands = most_bands
    }
    pitch = (right - left - gap * (threads / 32 - 1)) / threads
    for (i = 1; i <= rows; i++)
        if (band[i] <= bands)
            look_at(i, band[i])
    place_bands()
    for (pass = 0; pass <= 1; pass++) { # idle threads and untouched elements, then the others
        for (b = 1; b <= bands; b++)
            put_elements(b, pass)
        next_block()
        for (b = 1; b <= bands; b++)
            put_threads(b, pass)
        next_block()
    }
    for (i = 1; i <= rows; i++)
        if (band[i] <= bands)
            put_line(i, band[i])
    next_block()
    put_texts()
    printf "title = \"%s: block %d of %d threads, %d elements in all%s\"\nheight = %d\n", variant, block, threads, n, (more ? "; " more " more steps like these" : ""), bottom
    for (b = 1; b <= bands; b++)
        if (below[b] == "in" && unit[b] == 4)
            box = "element, in the array four that are loaded at once"
    box = box ? box : "element"
    if (threads > 32)
        printf "subtitle = \"%s A box is an %s: black when written.\"\n", (box == "element" ? "A dot is a thread: blue in warp 0, orange in warp 1, hollow when idle." : "Blue: warp 0, orange: warp 1, hollow: idle."), box
    else
        printf "subtitle = \"A dot is a thread, hollow when idle. A box is an %s: black when written.\"\n", box
}

function read_source(path,    text, base, count)
{
    base = path
    sub(/.*\//, "", base)
    while ((getline text < path) > 0)
        code[base, ++count] = text
    if (count == 0)
        broken("cannot read " path)
}

# ---- bands ----

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
    for (b = 1; b <= bands; b++) {
        band_y[b] = bottom
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

# ---- the data of trace.gp, block by block ----

function lane_x(t)
{
    return left + (t + 0.5) * pitch + gap * int(t / 32)
}

# From a thread down to the element that it touches; of a shuffle from the register that
# is read down to the lane that reads it.
function put_line(i, b,    y, key)
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
        put(lane_x(element[i]), y, lane_x(thread[i]), y + shuffle_height, warp[i])
    } else
        put(lane_x(thread[i]), y, lane_x(element[i] % threads), row_y[b, int(element[i] / threads)], warp[i])
}

function put_threads(b, wanted,    t, k)
{
    for (k = 0; k <= shown(b); k++)
        for (t = 0; t < threads; t++)
            if (((b, t) in busy) == wanted)
                put(lane_x(t), band_y[b] + threads_at + k * shuffle_height, int(t / 32))
}

function put_elements(b, wanted,    e, r)
{
    for (r = 0; r <= last_row[b] && !shuffles[b]; r++)
        for (e = r * threads; e < (r + 1) * threads && ((b, r) in row_touched); e++)
            if (e < size(b) && ((b, e) in touched) == wanted)
                put(lane_x(e % threads), row_y[b, r], pitch / 2 - 0.8, row_height / 2 - 1.2, \
                    ((b, e) in written) ? 99 : wanted ? touched[b, e] : 0)
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

function put_texts(    b, r)
{
    if (most["out"] > 1)
        name["out"] = "answer"
    for (b = 1; b <= bands; b++)
        put_text(10, band_y[b] + caption, source_text(line[b]))
    next_block()
    for (b = 1; b <= bands; b++)
        put_text(right, band_y[b] + caption, summary(b))
    next_block()
    for (b = 1; b <= bands; b++) {
        put_text(10, band_y[b] + threads_at, "threads")
        for (r = 0; r <= last_row[b] && !shuffles[b]; r++)
            if ((b, r) in row_touched)
                put_text(10, row_y[b, r], name[below[b]] (r > 0 || last_row[b] > 0 ? " " r * threads * unit[b] : ""))
    }
}

function source_text(place,    part, text)
{
    split(place, part, ":")
    text = code[part[1], part[2] + 0]
    place = (part[1] == "reduce.cu" ? "" : part[1] ":") part[2]
    sub(/[ \t]*\/\*.*/, "", text)
    gsub(/^[ \t]+|[ \t]+$/, "", text)
    return place ": " (length(text) > 64 ? substr(text, 1, 62) "…" : text)
}

function summary(b,    text)
{
    text = several(busy_threads[b], "thread") " at work, " several(requests[b], noun[b])
    if (shuffles[b])
        return text (every > 1 ? ", of which " shown(b) " are drawn" : "")
    return text ", " several(cost[b], below[b] == "shared" ? "wavefront" : "sector")
}

function several(count, what)
{
    return count " " what (count == 1 ? "" : "s")
}

function put(a, b, c, d, e)
{
    printf "%g\t%g\t%g\t%g\t%g\n", a, b, c, d, e > data
}

function put_text(x, y, text)
{
    printf "%g\t%g\t%s\n", x, y, text > data
}

# No block may be empty, or gnuplot would not count it: a point far outside is in each.
function next_block()
{
    printf "-99\t-99\t-99\t-99\t0\n\n\n" > data
}
