# banks.awk: which banks of shared memory a block's tree touches, round by round, from the trace of one
# variant. A panel for each round: 32 columns, one for each bank, and a row for each 32 words. What
# the first request of each warp touches has its warp's colour; black are the words of the first
# warp's busiest bank, for a bank serves one word in each wavefront. All in pixels, written by
# svg.awk; the trace is read by read_trace.awk. Before the trace: rounds=5: no more than these.

BEGIN {
    left = 92; right = 786
    top = 78; caption = 10; rows_at = 25; row_height = 11; space = 12
    pitch = (right - left) / 32
    split("#0072b2 #e69f00", colour, " ")
    style("untouched", bars("#e2e2e2"))
    for (w = 0; w <= 1; w++)
        style("touched" w, bars(colour[w + 1]))
    style("busiest", bars("#202020"))
    style("source", "font-size='11'")
    style("summary", "font-size='11' text-anchor='end' fill='#505050'")
    style("name", "font-size='10' fill='#505050'")
    style("bank", "font-size='10' text-anchor='middle' fill='#505050'")
}

{
    if ($3 != 0 || (variant != "" && $1 != variant))
        broken("a picture shows one variant and its block 0")
    variant = $1; n = $2
}

$9 == "shared" && $8 == "load" {
    word = $10 + 0
    e = $5 + 0
    if (!((e, $6) in request)) {
        request[e, $6] = $4
        if (!(e in last_warp))
            epoch[++epochs] = e
        last_warp[e] = $6 + 0
    }
    if ($4 == request[e, $6]) {
        owner[e, word] = $6 + 1
        if ($6 == 0 && !((e, word) in counted)) {
            counted[e, word] = 1
            words[e]++
            in_bank[e, word % 32]++
            if (in_bank[e, word % 32] == 1)
                banks[e]++
            if (in_bank[e, word % 32] > worst[e]) {
                worst[e] = in_bank[e, word % 32]
                busiest[e] = word % 32
            }
        }
    }
    if (word > last_word)
        last_word = word
}

$9 == "shared" && $8 == "store" {
    is_round[$5 + 0] = 1
}

END {
    for (i = 1; i <= epochs; i++)
        if (epoch[i] in is_round)
            round[++count] = epoch[i]
    if (count == 0)
        fail(file[1] ": no rounds in shared memory")
    rows = int(last_word / 32) + 1
    shown = rounds && rounds < count ? rounds : count
    for (k = 0; k < 32; k++)
        add_text("bank", left + (k + 0.5) * pitch, top - 14, k)
    add_text("name", 10, top - 14, "bank")
    y = top
    for (i = 1; i <= shown; i++) {
        draw_round(i, round[i])
        y += rows_at + rows * row_height + space
    }
    print_svg(y, variant ": block 0 of " threads " threads, " (shown < count ? "the first " shown " of " count : count) " rounds", \
        "What a warp's first load of a round touches: blue and orange by turns. Black: the busiest bank of warp 0.")
}

function bars(colour)
{
    return "stroke='" colour "' stroke-width='" row_height - 2.4 "'"
}

function draw_round(i, e,    r, k, word)
{
    add_text("source", left, y + caption, "round " i ": " several(last_warp[e] + 1, "warp") " at work")
    add_text("summary", right, y + caption, "warp 0: " several(words[e], "word") " in " several(banks[e], "bank") ", so " \
        several(worst[e], "wavefront"))
    for (r = 0; r < rows; r++) {
        add_text("name", 10, y + rows_at + r * row_height, "word " 32 * r)
        for (k = 0; k < 32; k++) {
            word = 32 * r + k
            add_bar(!((e, word) in owner) ? "untouched" : owner[e, word] == 1 && k == busiest[e] ? "busiest" : "touched" (owner[e, word] - 1) % 2, \
                    left + k * pitch + 0.8, y + rows_at + r * row_height, pitch - 1.6)
        }
    }
}

function several(count, what)
{
    return count " " what (count == 1 ? "" : "s")
}
