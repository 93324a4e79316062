/* interaction.js: figures that a reader moves: lanes of a warp, and the sectors, banks or lanes that they reach. book.js fetches
   it where a page has one. build.py makes <div class="interaction" data-kind="sectors" data-at="stride=3 offset=0"> of a
   marker; data-at is the position that is asked first. The reader says a number, then the answer is shown, and the sliders
   move freely. At the top are the rules; tests/book/test_interaction.py compares them with the simulator at all positions. */
"use strict";

const WARP = 32, SECTOR = 32, BANKS = 32, BLOCK = 256; /* a sector in bytes */
const LANES = [...Array(WARP).keys()];

const interactionRules = {
    /* The sectors that a request touches, ascending. Lane l loads `width` bytes at offset + l * stride, all in bytes. */
    sectors(stride, offset, width) {
        const first = lane => Math.floor((offset + lane * stride) / SECTOR);
        const last = lane => Math.floor((offset + lane * stride + width - 1) / SECTOR);
        return [...new Set(LANES.flatMap(lane => [first(lane), last(lane)]))].sort((a, b) => a - b);
    },

    /* A load of `width` bytes must begin at a multiple of them. */
    misaligned: (offset, width) => offset % width !== 0,

    /* A warp reads 512 bytes from `offset` on, `width` bytes a lane: the sectors of each of its requests. */
    wide(offset, width) {
        const requests = 512 / (WARP * width);
        return [...Array(requests).keys()].map(k => interactionRules.sectors(width, offset + k * WARP * width, width));
    },

    /* Lane l wants word l * stride of shared memory. A wavefront serves one word of each bank, to all lanes that want it:
       wavefronts of {bank: lanes}. */
    wavefronts(stride) {
        const found = [], words = [...new Set(LANES.map(lane => lane * stride))], served = Array(BANKS).fill(0);
        for (const word of words) {
            const bank = word % BANKS, row = served[bank]++;
            (found[row] ??= {})[bank] = LANES.filter(lane => lane * stride === word);
        }
        return found;
    },

    /* The threads of a block that add in the round of this stride, in v0 and in v1. */
    atWork(variant, stride) {
        const works = variant === "v0" ? thread => thread % (2 * stride) === 0 : thread => 2 * stride * thread + stride < BLOCK;
        return [...Array(BLOCK).keys()].filter(works);
    },

    warps: threads => new Set(threads.map(thread => Math.floor(thread / WARP))).size,

    /* The lane whose value each lane gets from __shfl_down_sync: beyond the warp, its own. */
    shuffleDown: delta => LANES.map(lane => lane + delta < WARP ? lane + delta : lane),

    /* Each of an SM's 2048 threads has so many loads of 4 bytes in flight: KB. And the blocks, a tree in each, for 64K elements. */
    kbInFlight: loads => 2048 * loads * 4 / 1024,
    trees: loads => Math.ceil(65536 / (BLOCK * loads)),
};

(() => {
    const rules = interactionRules, zh = document.documentElement.lang === "zh";
    const say = (english, chinese) => zh ? chinese : english;
    const many = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
    const range = (from, to, step = 1) => [...Array(Math.floor((to - from) / step) + 1)].map((_, k) => from + k * step);
    const percent = part => `${Math.round(1000 * part) / 10} %`;

    /* ---- drawing: 640 units wide; "a" and "b" are colours, "idle" and "empty" greys, "pale" makes light ---- */

    const box = (x, y, width, height, kind, words = "") =>
        `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="1.5" class="${kind}"/>`
        + (words === "" ? "" : `<text x="${x + width / 2}" y="${y + height / 2}" class="${kind}">${words}</text>`);
    const line = (x1, y1, x2, y2, kind) => `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" class="${kind}"/>`;
    const note = (x, y, words) => `<text x="${x}" y="${y}" class="note">${words}</text>`;
    const colour = k => k % 2 ? "b" : "a";

    /* Memory from byte 0 on, eight sectors a row; pieces are [byte, bytes, colour, words]. */
    function memory(top, touched, pieces) {
        const rows = Math.max(3, Math.floor((touched.at(-1) ?? 0) / 8) + 1);
        const at = byte => [Math.floor(byte / SECTOR) % 8 * 80 + 2 + byte % SECTOR / 4 * 9.5, top + Math.floor(byte / SECTOR / 8) * 20];
        const sectors = range(0, 8 * rows - 1).map(k => {
            const [x, y] = at(k * SECTOR);
            return box(x - 1.5, y, 79, 17, touched.includes(k) ? "touched" : "empty");
        });
        return [top + 20 * rows, sectors.join("") + pieces.map(([byte, bytes, kind, words]) => box(at(byte)[0] + .5, at(byte)[1] + 2, bytes / 4 * 9.5 - 1, 13, kind, words)).join("")];
    }

    const lanesRow = (y, kind, words = lane => lane) => LANES.map(lane => box(lane * 20 + .5, y, 19, 17, kind(lane), words(lane))).join("");

    function drawSectors({stride, offset}) {
        const touched = rules.sectors(4 * stride, 4 * offset, 4);
        const kind = lane => colour(touched.indexOf(Math.floor((offset + lane * stride) / 8)));
        const [height, cells] = memory(58, touched, LANES.map(lane => [4 * (offset + lane * stride), 4, kind(lane), ""]));
        return [height, note(0, 9, say("the lanes", "泳道")) + lanesRow(16, kind) + note(0, 51, say("memory, in sectors of 8 floats", "内存，每个扇区 8 个 float")) + cells];
    }

    function drawWide({width, offset}) {
        if (rules.misaligned(offset, width))
            return memory(0, [], []);
        const touched = rules.wide(offset, width);
        const pieces = touched.flatMap((_, k) => LANES.map(lane => [offset + (k * WARP + lane) * width, width, colour(k), width > 4 ? lane : ""]));
        return memory(0, touched.flat(), pieces);
    }

    function drawBanks({stride}) {
        const rows = rules.wavefronts(stride);
        const row = (served, k) => LANES.map(bank => served[bank]
            ? box(bank * 20 + .5, 36 + 18 * k, 19, 17, colour(k), served[bank].length > 1 ? say("all", "全") : served[bank][0]) : box(bank * 20 + .5, 36 + 18 * k, 19, 17, "empty")).join("");
        return [36 + 18 * rows.length, note(0, 9, say("the banks, and in each row the lanes of a wavefront", "存储体；每行是一个波前所服务的泳道")) + lanesRow(15, () => "head") + rows.map(row).join("")];
    }

    function drawWork({stride}) {
        const block = (variant, left) => {
            const works = new Set(rules.atWork(variant, stride));
            const busy = new Set([...works].map(thread => Math.floor(thread / WARP)));
            return note(left, 9, variant) + range(0, BLOCK - 1).map(thread => box(left + thread % WARP * 9.7, 16 + Math.floor(thread / WARP) * 16, 8.7, 12,
                works.has(thread) ? "a" : busy.has(Math.floor(thread / WARP)) ? "idle" : "empty")).join("");
        };
        return [144, block("v0", 0) + block("v1", 330)];
    }

    function drawShuffle({delta}) {
        const from = rules.shuffleDown(delta), middle = lane => lane * 20 + 10;
        return [130, note(0, 9, say("a lane's own value", "各泳道自己的值")) + lanesRow(16, lane => from.indexOf(lane) < 0 ? "empty" : "a")
            + from.map((source, lane) => line(middle(source), 34, middle(lane), 92, source === lane ? "dashed" : "")).join("")
            + lanesRow(93, lane => from[lane] === lane ? "b" : "a", lane => from[lane]) + note(0, 124, say("the value that it gets", "它得到的值"))];
    }

    function drawLoads({loads}) {
        return [105, note(0, 9, say("in flight on an SM, 8 KB a box; the line: 32 KB, which are enough", "SM 上的在途字节，每格 8 KB；竖线处是 32 KB，已经足够"))
            + range(0, 15).map(k => box(k * 40 + 1, 18, 38, 17, k < loads ? "a" : "empty")).join("") + line(160, 13, 160, 40, "limit")
            + note(0, 56, say("trees for 64K elements", "64K 个元素所需的求和树")) + range(0, 255).map(k => box(k % 64 * 10, 64 + Math.floor(k / 64) * 10, 8.5, 8.5, k < rules.trees(loads) ? "b" : "empty")).join("")];
    }

    /* ---- the kinds: sliders {name: [label, values]}; what is asked, and its answer; the counts in words; the picture ---- */

    const KINDS = {
        work: {
            title: say("A round of the tree: who works?", "求和树的一轮：哪些线程在工作？"),
            sliders: {stride: [say("stride", "跨度"), [1, 2, 4, 8, 16, 32, 64, 128]]},
            ask: say("How many of the 8 warps of a block are at work in v0?", "v0 中，线程块的 8 个线程束有几个在工作？"),
            answer: ({stride}) => rules.warps(rules.atWork("v0", stride)),
            counts: ({stride}) => ["v0", "v1"].map(variant => {
                const threads = rules.atWork(variant, stride), warps = rules.warps(threads);
                return say(`${variant}: ${many(warps, "warp")} at work, ${percent(threads.length / warps / WARP)} of their lanes; ${2 * warps} load requests.`,
                    `${variant}：${warps} 个线程束在工作，其中 ${percent(threads.length / warps / WARP)} 的泳道在工作；${2 * warps} 次加载请求。`);
            }).join("\n"),
            legend: [["a", say("adds", "做加法")], ["idle", say("idle, in a warp that works", "空闲，但所在线程束在工作")], ["empty", say("its whole warp only waits", "整个线程束都在等待")]],
            draw: drawWork,
        },
        sectors: {
            title: say("A load of a warp", "线程束的一次加载"),
            sliders: {stride: [say("from lane to lane, in floats", "相邻泳道的距离（float）"), range(1, 32)], offset: [say("start of lane 0, in floats", "泳道 0 的起点（float）"), range(0, 31)]},
            ask: say("How many sectors do you expect?", "你估计有多少个扇区？"),
            answer: ({stride, offset}) => rules.sectors(4 * stride, 4 * offset, 4).length,
            counts: at => {
                const count = KINDS.sectors.answer(at), useful = percent(WARP * 4 / (count * SECTOR));
                return say(`1 request, ${many(count, "sector")}: useful bytes ${useful}.`, `1 次请求，${count} 个扇区：有用的字节占 ${useful}。`);
            },
            legend: [["a", say("neighbours of one colour share a sector", "颜色相同的相邻泳道共用一个扇区")], ["touched", say("a sector that is moved", "被搬运的扇区")]],
            draw: drawSectors,
        },
        wide: {
            title: say("512 bytes that a warp reads", "线程束读取的 512 字节"),
            sliders: {width: [say("bytes of a load", "每次加载的字节数"), [4, 8, 16]], offset: [say("start, in bytes", "起点（字节）"), range(0, 32, 4)]},
            ask: say("How many sectors do you expect, of all requests together?", "所有请求加起来，你估计有多少个扇区？"),
            answer: ({width, offset}) => rules.wide(offset, width).reduce((sum, touched) => sum + touched.length, 0),
            counts: ({width, offset}) => {
                const requests = 512 / (WARP * width), sectors = KINDS.wide.answer({width, offset});
                return rules.misaligned(offset, width)
                    ? say(`${offset} is no multiple of ${width}: misaligned. The kernel ends with an error.`, `${offset} 不是 ${width} 的倍数：地址未对齐，核函数出错终止。`)
                    : say(`${many(requests, "request")}, ${many(sectors, "sector")}.`, `${requests} 次请求，${sectors} 个扇区。`);
            },
            legend: [["a", say("one request", "一次请求")], ["b", say("the next", "下一次请求")], ["touched", say("a sector that is moved; once for each request", "被搬运的扇区；每次请求各算一次")]],
            draw: drawWide,
        },
        banks: {
            title: say("A load from shared memory", "从共享内存加载一次"),
            sliders: {stride: [say("from lane to lane, in words", "相邻泳道的距离（字）"), range(0, 33)]},
            ask: say("How many wavefronts do you expect?", "你估计有多少个波前？"),
            answer: ({stride}) => rules.wavefronts(stride).length,
            counts: ({stride}) => say(`${many(rules.wavefronts(stride).length, "wavefront")}; banks at work: ${Object.keys(rules.wavefronts(stride)[0]).length}.`,
                `${rules.wavefronts(stride).length} 个波前；在工作的存储体：${Object.keys(rules.wavefronts(stride)[0]).length} 个。`),
            legend: [],
            draw: drawBanks,
        },
        shuffle: {
            title: "__shfl_down_sync",
            sliders: {delta: ["offset", range(0, 31)]},
            ask: say("How many lanes get their own value back?", "有多少个泳道拿回自己的值？"),
            answer: ({delta}) => rules.shuffleDown(delta).filter((source, lane) => source === lane).length,
            counts: ({delta}) => {
                const own = KINDS.shuffle.answer({delta});
                return say(`1 shuffle: ${many(WARP - own, "lane")} with the value of another lane, ${own} with their own.`, `1 次洗牌：${WARP - own} 个泳道得到别的泳道的值，${own} 个得到自己的值。`);
            },
            legend: [["a", say("from another lane", "来自别的泳道")], ["b", say("its own", "自己的值")]],
            draw: drawShuffle,
        },
        loads: {
            title: say("Loads of a thread before it adds", "线程在相加之前发出的加载"),
            sliders: {loads: [say("loads at once, for each thread", "每个线程同时发出的加载"), range(1, 16)]},
            ask: say("How many KB are in flight on an SM with 2048 threads, at most?", "一个 SM 有 2048 个线程，最多有多少 KB 在途？"),
            answer: ({loads}) => rules.kbInFlight(loads),
            counts: ({loads}) => say(`${rules.kbInFlight(loads)} KB in flight at most; ${many(rules.trees(loads), "tree")} for 64K elements.`,
                `最多 ${rules.kbInFlight(loads)} KB 在途；64K 个元素需要 ${rules.trees(loads)} 棵求和树。`),
            legend: [],
            draw: drawLoads,
        },
    };

    /* ---- a figure on the page ---- */

    const element = (tag, properties = {}, ...children) => {
        const made = Object.assign(document.createElement(tag), properties);
        made.append(...children);
        return made;
    };

    function build(place, number) {
        const kind = KINDS[place.dataset.kind], at = {}, sliders = element("fieldset", {disabled: true});
        const counts = element("p", {className: "interaction-counts"}), picture = element("div", {className: "interaction-picture"});
        const legend = element("p", {className: "interaction-legend"});
        sliders.append(element("legend", {textContent: kind.title}));
        for (const [word, value] of place.dataset.at.split(" ").map(pair => pair.split("=")))
            at[word] = Number(value);
        for (const [name, [label, values]] of Object.entries(kind.sliders)) {
            const slider = element("input", {type: "range", min: 0, max: values.length - 1, id: `interaction-${number}-${name}`}), shown = element("output", {htmlFor: slider.id});
            const moved = () => {
                at[name] = values[slider.value];
                shown.textContent = at[name];
                slider.setAttribute("aria-valuetext", at[name]);
            };
            slider.value = values.indexOf(at[name]);
            slider.addEventListener("input", () => { moved(); draw(); });
            moved();
            sliders.append(element("label", {htmlFor: slider.id, textContent: label}), slider, shown);
        }

        function draw() {
            const [height, shapes] = kind.draw(at);
            counts.textContent = kind.counts(at);
            picture.innerHTML = `<svg viewBox="0 -8 640 ${height + 8}" role="img">${shapes}</svg>`;
            picture.firstChild.setAttribute("aria-label", `${kind.title}: ${counts.textContent}`);
        }

        const guess = element("input", {type: "number", min: 0, inputMode: "numeric", id: `interaction-${number}-guess`});
        const ask = element("form", {className: "interaction-ask"}, element("label", {htmlFor: guess.id, textContent: kind.ask}), guess, element("button", {textContent: say("Show", "看答案")}));
        const waits = element("p", {className: "interaction-waits", textContent: say("The sliders move when you have answered, or pressed Show.", "作答或按“看答案”之后，滑块才能拖动。")});
        const said = element("p", {className: "interaction-said"});
        for (const line of [said, counts])
            line.setAttribute("role", "status");
        ask.addEventListener("submit", event => {
            event.preventDefault();
            const answer = kind.answer(at), place = Object.values(at).join(say(" and ", " 和 "));
            said.textContent = (guess.value === "" ? say(`At ${place} the count is ${answer}.`, `${place} 时是 ${answer}。`)
                : Number(guess.value) === answer ? say(`At ${place} the count is ${answer}, as you said.`, `${place} 时是 ${answer}，与你说的一样。`)
                : say(`At ${place} you said ${guess.value}; the count is ${answer}.`, `${place} 时你说 ${guess.value}，实际是 ${answer}。`)) + say(" Now move the slider.", "现在拖动滑块。");
            ask.hidden = true;
            waits.remove();
            sliders.disabled = false;
            draw();
            legend.innerHTML = kind.legend.map(([colours, words]) => `<span><i class="${colours}"></i>${words}</span>`).join(" ");
            sliders.querySelector("input").focus({preventScroll: true});
        });
        place.replaceChildren(sliders, ask, waits, said, counts, picture, legend, ...place.querySelectorAll(":scope > p")); /* the picture for paper stays */
    }

    document.querySelectorAll(".interaction").forEach(build);
})();
