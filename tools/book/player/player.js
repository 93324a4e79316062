/*
 * player.js: shows a kernel as it ran. It reads what --trace FILE wrote (docs/traces.md), counts requests,
 * sectors and wavefronts as simulator/requests.c does, and draws each step: who touches what.
 *
 * One classic script, no module: a browser refuses modules to a page that it opened from disk.
 *   1. reading a trace   2. counting   3. frames   4. words   5. drawing   6. the clock   7. the player
 */
(function () {
    "use strict";

    const VERSION = 2;
    const MOST_BYTES = 32 << 20; /* of a trace: some 600,000 accesses; a browser shows no more of use */
    const WARP = 32, SECTOR = 32, WORD = 4; /* lanes, bytes, bytes */
    const COLUMNS = "variant,n,block,step,epoch,warp,lane,kind,array,element,bytes,line," +
        "block_barriers,cluster_barriers,grid_barriers";
    const KINDS = ["load", "store", "atomic", "shuffle"];
    const ARRAYS = ["shared", "remote", "in", "other", "scratch", "out", "lane"]; /* near the threads first */
    const COUNTS = {
        gld_requests: "load requests", gld_sectors: "sectors loaded",
        gst_requests: "store requests", gst_sectors: "sectors stored",
        shared_ld_wavefronts: "shared loads, wavefronts", shared_st_wavefronts: "shared stores, wavefronts",
        remote_ld_requests: "requests to other blocks", remote_st_requests: "stores to other blocks",
        shuffles: "shuffles", atomics: "atomics", barriers: "barriers",
    };

    /* ---- 1. Reading a trace ---- */

    /* What is wrong with a trace, in one line. */
    class TraceError extends Error {}

    function broken(line, why) {
        throw new TraceError(`line ${line}: ${why}`);
    }

    function number(text, line, what) {
        if (!/^\d{1,15}$/.test(text))
            broken(line, `${what} is no whole number: "${text.slice(0, 40)}"`);
        return Number(text);
    }

    function checkVersion(lines) {
        const version = /^# trace (\d+)$/.exec(lines[0]);
        if (lines[0] === COLUMNS)
            throw new TraceError(`a trace of version 1, of an older program: make it anew with --trace, version ${VERSION}`);
        if (!version)
            throw new TraceError(`no trace: its first line is not "# trace ${VERSION}"; ./step02 --trace my.csv writes one`);
        if (Number(version[1]) !== VERSION)
            throw new TraceError(`a trace of version ${version[1]}; this player reads version ${VERSION}`);
        if (lines[1] !== COLUMNS)
            broken(2, "not the columns of a trace");
    }

    /* "# block v0,64,0: threads=64 grid=1 ..." */
    function readBlock(text, line) {
        const [, key, rest] = /^# block ([^,]+,\d+,\d+): (.*)$/.exec(text) || broken(line, "a line # block that is cut off");
        const fields = Object.fromEntries(rest.split(" ").map(field => field.split("=")));
        for (const name of ["threads", "grid", "in_at", "out_at", ...Object.keys(COUNTS)])
            fields[name] = number(fields[name] || "", line, name);
        if (fields.threads < 1 || fields.threads > 1024)
            broken(line, `a block of ${fields.threads} threads`);
        const [variant, n, block] = key.split(",");
        return {
            key, variant, n: Number(n), block: Number(block), threads: fields.threads, grid: fields.grid,
            warps: Math.ceil(fields.threads / WARP), at: {in: fields.in_at, out: fields.out_at}, counts: fields,
            steps: [], races: [],
        };
    }

    /* "# race v6_volatile,512,0: shared,1 0,1,writes,v6.cu:37 0,0,read,v6.cu:37 | TEXT" */
    function readRace(text, line) {
        const parts = /^# race ([^,]+,\d+,\d+): (\w+),(\d+) (\d+),(\d+),(\w+),(\S+) (\d+),(\d+),(\w+),(\S+) \| (.*)$/.exec(text);
        if (!parts)
            broken(line, "a line # race that is cut off");
        const who = i => ({block: Number(parts[i]), thread: Number(parts[i + 1]), verb: parts[i + 2], line: parts[i + 3]});
        return {key: parts[1], array: parts[2], word: Number(parts[3]), after: who(4), before: who(8), text: parts[12]};
    }

    function readAccess(fields, run, line) {
        const [, , , step, epoch, warp, lane, kind, array, element, bytes, place, block, cluster, grid] = fields;
        if (!KINDS.includes(kind) || !ARRAYS.includes(array))
            broken(line, `no access: ${kind} of ${array}`.slice(0, 80));
        const access = {
            step: number(step, line, "step"), epoch: number(epoch, line, "epoch"), warp: number(warp, line, "warp"),
            lane: number(lane, line, "lane"), kind, array, word: number(element, line, "element"),
            bytes: number(bytes, line, "bytes"), place,
            barriers: [block, cluster, grid].map(count => number(count, line, "a count of barriers")),
        };
        if (access.lane >= WARP || access.warp * WARP + access.lane >= run.threads)
            broken(line, `lane ${access.lane} of warp ${access.warp} in a block of ${run.threads} threads`);
        if (![1, 2, 4, 8, 16].includes(access.bytes))
            broken(line, `an access of ${access.bytes} bytes`);
        if (kind === "shuffle" && access.word >= WARP)
            broken(line, `a shuffle reads lane ${access.word}`);
        return access;
    }

    /* The accesses of one step, warp by warp: each warp's are one request. */
    function addAccess(run, access, line) {
        let step = run.steps[run.steps.length - 1];
        if (step && access.step < step.number)
            broken(line, `step ${access.step} after step ${step.number}`);
        if (!step || access.step > step.number) {
            step = {number: access.step, kind: access.kind, place: access.place, barriers: [0, 0, 0], warps: new Map()};
            run.steps.push(step);
        }
        if (access.kind !== step.kind)
            broken(line, `a ${access.kind} in a step of ${step.kind}s`);
        step.barriers = step.barriers.map((count, kind) => Math.max(count, access.barriers[kind]));
        if (!step.warps.has(access.warp))
            step.warps.set(access.warp, []);
        step.warps.get(access.warp).push(access);
    }

    /* The text of a trace -> its runs: a variant, an n and a block each. Throws a TraceError. */
    function readTrace(text) {
        const lines = text.split("\n"), runs = new Map();
        checkVersion(lines.map(line => line.replace(/\r$/, "")).slice(0, 2));
        if (lines.pop() !== "")
            broken(lines.length + 1, "the file is cut off here");
        let run;
        for (let i = 2; i < lines.length; i++) {
            const line = lines[i].replace(/\r$/, "");
            if (line.startsWith("# block ")) {
                run = readBlock(line, i + 1);
                if (runs.has(run.key))
                    broken(i + 1, `the second block ${run.key}`);
                runs.set(run.key, run);
            } else if (line.startsWith("# race ")) {
                const race = readRace(line, i + 1);
                if (!run || race.key !== run.key)
                    broken(i + 1, "a race without its line # block");
                run.races.push(race);
            } else if (!line.startsWith("#")) {
                const fields = line.split(",");
                if (fields.length !== 15)
                    broken(i + 1, `no access: "${line.slice(0, 40)}"`);
                if (!run || fields.slice(0, 3).join() !== run.key)
                    broken(i + 1, `an access of ${fields.slice(0, 3).join()} without its line # block`.slice(0, 120));
                addAccess(run, readAccess(fields, run, i + 1), i + 1);
            }
        }
        const whole = [...runs.values()].filter(one => one.steps.length > 0);
        if (whole.length === 0)
            throw new TraceError("a trace without accesses");
        whole.forEach(makeFrames);
        return whole;
    }

    /* ---- 2. Counting, as simulator/requests.c does ---- */

    /* Where its first word would be if its array began with a sector. */
    function position(run, access) {
        return access.word + (run.at[access.array] || 0) / WORD;
    }

    function wordsOf(access) {
        return Math.max(1, access.bytes / WORD);
    }

    function sectorsOf(run, request) {
        const sectors = new Set();
        for (const access of request)
            for (let k = 0; k < wordsOf(access); k++)
                sectors.add(access.array + Math.floor((position(run, access) + k) * WORD / SECTOR));
        return sectors;
    }

    /* Of accesses that go together: for each bank the words that it must give. */
    function banksOf(words, each) {
        const banks = Array.from({length: WARP}, () => new Set());
        for (const first of words)
            for (let k = 0; k < each; k++)
                banks[(first + k) % WARP].add(first + k);
        return banks;
    }

    /* 8-byte accesses go half a warp at a time, 16-byte ones a quarter; a lane that wants just what
       another wants comes with it. */
    function wavefrontsOf(request) {
        const each = wordsOf(request[0]), group = WARP / each;
        const together = request[0].bytes === 16 ? WARP / 2 : WARP;
        let total = 0;
        for (let begin = 0; begin < request.length; begin += together) {
            const words = [...new Set(request.slice(begin, begin + together).map(access => access.word))];
            for (let first = 0; first < words.length; first += group)
                total += Math.max(1, ...banksOf(words.slice(first, first + group), each).map(bank => bank.size));
        }
        return total;
    }

    /* One shuffle of a warp may be at two places of the program, some lanes at each: two steps of one
       epoch, and no lane in both. */
    function isOtherHalf(run, request) {
        const {warp, epoch} = request[0], before = run.shuffled.get(warp);
        const other = before && before.epoch === epoch && !request.some(access => before.lanes.has(access.lane));
        const lanes = new Set([...(other ? before.lanes : []), ...request.map(access => access.lane)]);
        run.shuffled.set(warp, {epoch, lanes});
        return other;
    }

    function countRequest(run, request, counts) {
        const {kind, array} = request[0];
        if (kind === "shuffle")
            counts.shuffles += isOtherHalf(run, request) ? 0 : 1;
        else if (kind === "atomic")
            counts.atomics += request.length;
        else if (array === "shared")
            counts[kind === "load" ? "shared_ld_wavefronts" : "shared_st_wavefronts"] += wavefrontsOf(request);
        else if (array === "remote")
            counts[kind === "load" ? "remote_ld_requests" : "remote_st_requests"]++;
        else {
            counts[kind === "load" ? "gld_requests" : "gst_requests"]++;
            counts[kind === "load" ? "gld_sectors" : "gst_sectors"] += sectorsOf(run, request).size;
        }
    }

    /* ---- 3. Frames: what is shown, one after another: the steps, and between them the barriers ---- */

    const BARRIERS = ["block", "cluster", "grid"];

    /* The warps that waited for their own lanes alone before this step: their epoch is a later one, no barrier of
       the block has ended it, and no shuffle, where that goes without saying. */
    function findWaits(before, step, passed) {
        const waiting = [];
        for (const [warp, [{epoch, kind}]] of step.warps) {
            const last = before.get(warp);
            if (last && epoch > last.epoch && !passed && kind !== "shuffle" && last.kind !== "shuffle")
                waiting.push(warp);
            before.set(warp, {epoch, kind});
        }
        return waiting;
    }

    /* Has each of its lanes read this word here before? Then it looks whether the word has changed. */
    function looksAgain(looks, step) {
        const accesses = [...step.warps.values()].flat();
        if (step.kind !== "load" || accesses.some(access => access.array !== "other"))
            return null;
        const names = accesses.map(access => [step.place, ...step.warps.keys(), access.lane, access.word].join());
        const first = looks.get(names[0]);
        if (first && names.every(name => looks.get(name) === first))
            return first;
        const look = {again: 0};
        names.forEach(name => looks.set(name, look));
        step.look = look;
        return null;
    }

    function makeFrames(run) {
        const so_far = [0, 0, 0];
        const counts = Object.fromEntries(Object.keys(COUNTS).map(name => [name, 0]));
        run.frames = [];
        run.shuffled = new Map(); /* of each warp its last shuffle */
        const add = frame => run.frames.push({...frame, counts: {...counts}});
        const addBarriers = upTo => BARRIERS.forEach((of, kind) => {
            for (; so_far[kind] < upTo[kind]; so_far[kind]++) {
                counts.barriers += kind === 0;
                add({barrier: of});
            }
        });
        const before = new Map(), looks = new Map();
        for (const step of run.steps) {
            const again = looksAgain(looks, step);
            if (again) { /* shown once, with how often it was */
                again.again++;
                for (const request of step.warps.values())
                    countRequest(run, request, counts);
                for (const [warp, [{epoch, kind}]] of step.warps)
                    before.set(warp, {epoch, kind});
                continue;
            }
            const passed = step.barriers.some((count, kind) => count > so_far[kind]);
            const waiting = findWaits(before, step, passed);
            addBarriers(step.barriers);
            if (waiting.length > 0)
                add({barrier: "warp", warps: waiting});
            for (const request of step.warps.values())
                countRequest(run, request, counts);
            add({step});
        }
        addBarriers([run.counts.barriers, 0, 0]); /* after the last access */
        run.races.forEach(race => placeRace(run, race));
        run.elements = new Set(run.steps.flatMap(step => [...step.warps.values()].flat())
            .filter(access => access.array === "in").flatMap(access => Array.from({length: wordsOf(access)}, (_, k) => access.word + k))).size;
    }

    /* The frames in which the two meet: the first access, and the first after it that races with it. */
    function placeRace(run, race) {
        const frameOf = (who, from) => run.frames.findIndex((frame, i) => i >= from && frame.step && who.block === run.block &&
            frame.step.place === who.line && ((frame.step.kind === "load") === who.verb.startsWith("read")) &&
            (frame.step.warps.get(Math.floor(who.thread / WARP)) || []).some(access =>
                access.lane === who.thread % WARP && access.array === race.array &&
                access.word <= race.word && race.word < access.word + wordsOf(access)));
        race.first = frameOf(race.before, 0);
        race.second = frameOf(race.after, Math.max(0, race.first));
        if (race.second < 0) /* the lanes of a step run one after another: it may have been the same */
            race.second = frameOf(race.after, 0);
    }

    /* ---- 4. Words ---- */

    /* say`${3} of ${5}`: in the language of the page. The Chinese pages bring {"{} of {}": "{1} 之 {0}"}, of tools/book/chinese.csv. There a
       space stands between a number or a name and Chinese: "线程 3" and "写入" make "线程 3 写入". */
    function say(parts, ...values) {
        const chinese = (window.playerWords || {})[parts.join("{}")];
        return chinese ? chinese.replace(/\{(\d)\}/g, (_, k) => values[k]).replace(/(\w)(?=[\u4e00-\u9fff])/g, "$1 ") : parts.reduce((text, part, k) => text + values[k - 1] + part);
    }

    /* The same of words that are given as a whole. */
    function saying(words) {
        return say([words]);
    }

    const format = new Intl.NumberFormat("en");
    const number_text = value => format.format(value);

    /* 1 sector, 2 sectors */
    function several(count, what, plural = what + "s") {
        return say(["", count === 1 ? ` ${what}` : ` ${plural}`], number_text(count));
    }

    const ARRAY_NAMES = {
        in: "the array", scratch: "the partial sums", out: "the result", other: "memory of its own",
        shared: "shared memory", remote: "the shared memory of other blocks",
    };

    function costText(run, step) {
        const requests = [...step.warps.values()], array = requests[0][0].array;
        if (step.kind === "atomic" || array === "remote")
            return "";
        if (array === "shared") {
            const waves = requests.map(wavefrontsOf), total = waves.reduce((a, b) => a + b, 0);
            return say`: ${several(requests.length, "request")}, ${several(total, "wavefront")}` +
                (Math.max(...waves) > 1 ? say`, up to ${Math.max(...waves)} for one request: a bank conflict` : "");
        }
        const sectors = requests.map(request => sectorsOf(run, request).size).reduce((a, b) => a + b, 0);
        const words = requests.reduce((sum, request) => sum + new Set(request.flatMap(
            access => Array.from({length: wordsOf(access)}, (_, k) => access.array + (access.word + k)))).size, 0);
        return say`: ${several(requests.length, "request")}, ${several(sectors, "sector")}, ${Math.round(100 * words / (8 * sectors))} % of their bytes asked for`;
    }

    function frameText(run, frame) {
        if (frame.barrier === "warp")
            return frame.warps.length === 1 ? say`Warp ${frame.warps[0]} waits for its own lanes: __syncwarp(), or a vote.`
                : say`${number_text(frame.warps.length)} warps wait for their own lanes: __syncwarp(), or a vote.`;
        if (frame.barrier)
            return saying(`Barrier: all threads of the ${frame.barrier} wait for each other.`);
        const step = frame.step, lanes = [...step.warps.values()].reduce((sum, request) => sum + request.length, 0);
        const who = say(["", lanes === 1 ? " lane of " : " lanes of ", ""], number_text(lanes),
            step.warps.size === 1 ? say`warp ${[...step.warps.keys()][0]}` : several(step.warps.size, "warp"));
        const idle = run.warps - step.warps.size;
        const others = idle > 0 ? (idle === 1 ? say` One warp has nothing to do here.` : say` ${number_text(idle)} warps have nothing to do here.`) : "";
        const array = saying(ARRAY_NAMES[[...step.warps.values()][0][0].array]);
        const what = lanes === 1 ? {
            load: say`${who} loads from ${array}`, store: say`${who} stores to ${array}`, atomic: say`${who} adds to ${array} by an atomic`,
            shuffle: say`${who} reads another lane's register: ${several(step.warps.size, "shuffle")}`,
        }[step.kind] : {
            load: say`${who} load from ${array}`, store: say`${who} store to ${array}`, atomic: say`${who} add to ${array} by an atomic`,
            shuffle: say`${who} read another lane's register: ${several(step.warps.size, "shuffle")}`,
        }[step.kind];
        const again = step.look && step.look.again > 0 ? say` And again ${several(step.look.again, "time")}.` : "";
        return say`${what}${step.kind === "shuffle" ? "" : costText(run, step)}.${again}${others}`;
    }

    /* What tells two runs apart: {name, counts}; and of several counts, what each is called. */
    const MEASURES = [
        {name: "sector", counts: ["gld_sectors", "gst_sectors"]},
        {name: "wavefront", counts: ["shared_ld_wavefronts", "shared_st_wavefronts"]},
        {name: "request", counts: ["gld_requests", "gst_requests"]},
        {name: "barrier", counts: ["barriers"]},
    ];
    const PARTS = {
        gld_sectors: ["sector loaded", "sectors loaded"], gst_sectors: ["sector stored", "sectors stored"],
        shared_ld_wavefronts: ["wavefront of loads", "wavefronts of loads"], shared_st_wavefronts: ["wavefront of stores", "wavefronts of stores"],
        gld_requests: ["load request", "load requests"], gst_requests: ["store request", "store requests"],
    };

    function measured(measure, counts) {
        return measure.counts.reduce((sum, name) => sum + counts[name], 0);
    }

    /* Blocks that read different numbers of elements are compared by the element. */
    function shareOf(panel, panels) {
        const alike = panels.every(one => one.run.elements === panel.run.elements || one.run.elements === 0);
        return alike ? 1 : panel.run.elements || 1;
    }

    /* What tells two runs apart most: {counts, name, better, worse, ratio, of}: of loads and stores, the larger part. */
    function compare(left, right) {
        const found = names => {
            const of = panel => measured({counts: names}, panel.run.counts) / shareOf(panel, [left, right]);
            const [better, worse] = of(left) <= of(right) ? [left, right] : [right, left];
            return {counts: names, of, better, worse, ratio: of(worse) / of(better)};
        };
        let best = null;
        for (const measure of MEASURES) {
            const all = found(measure.counts);
            if (!(all.of(all.better) > 0 && all.ratio > 1.04 && (!best || all.ratio > best.ratio * 1.01)))
                continue;
            const part = measure.counts.map(name => found([name])).sort((a, b) => b.of(b.worse) - a.of(a.worse))[0];
            best = {...part, name: PARTS[part.counts[0]] || [measure.name]};
        }
        return best;
    }

    /* What one has and the other has not. */
    function unlike(left, right) {
        const measures = [{name: "shuffle", counts: ["shuffles"]}, {name: "atomic", counts: ["atomics"]}, ...MEASURES]
            .filter(measure => measured(measure, left.run.counts) !== measured(measure, right.run.counts));
        if (measures.length === 0)
            return say`${left.entry.label} and ${right.entry.label} cost the same here.`;
        return [left, right].map(panel => say`${panel.entry.label}: ${measures.map(measure =>
            several(measured(measure, panel.run.counts), measure.name)).join(say`, `)}.`).join(" ");
    }

    function verdict(found, left, right) {
        if (!found)
            return unlike(left, right);
        const {name, better, worse, ratio, of} = found;
        const by_element = shareOf(left, [left, right]) !== 1;
        const digits = value => value < 10 ? Number(value.toPrecision(2)) : Math.round(value);
        const amount = panel => by_element ? say`${several(digits(1000 * of(panel)), ...name)} for 1,000 elements`
            : several(of(panel), ...name);
        return say`${worse.entry.label}: ${amount(worse)}. ${better.entry.label}: ${amount(better)}, ${ratio.toFixed(1)} times fewer.`;
    }

    /* ---- 5. Drawing ---- */

    const HEADING = 17, LABELS = document.documentElement.lang === "zh" ? 62 : 52, /* "warp 0", "线程束 0" */
         FALL = 54, GAP = 2, MOST_ROWS = 64;

    /* The canvas of one run. A column is a lane, a word, or a bank: so neighbours stand above each
       other, and an access that reaches far is seen at once. All in CSS pixels. */
    class Picture {
        constructor(canvas, run) {
            this.canvas = canvas;
            this.run = run;
            this.context = canvas.getContext("2d");
            this.findArrays();
        }

        /* Of each array the rows of 32 words that are touched: there may be gaps between them. */
        findArrays() {
            const rows = new Map();
            for (const step of this.run.steps)
                for (const request of step.warps.values())
                    for (const access of request)
                        if (access.array !== "lane") {
                            if (!rows.has(access.array))
                                rows.set(access.array, new Set());
                            for (let k = 0; k < wordsOf(access); k++)
                                rows.get(access.array).add(Math.floor((position(this.run, access) + k) / WARP));
                        }
            this.arrays = ARRAYS.filter(name => rows.has(name)).map(name => ({name, touched: [...rows.get(name)].sort((a, b) => a - b)}));
        }

        /* Chooses sizes for this width and height, and draws what stays the same. */
        layout(width, height, colours) {
            const scale = window.devicePixelRatio || 1;
            this.width = width;
            this.colours = colours;
            this.pitch = (width - LABELS - 2 - 3 * GAP) / WARP;
            for (this.squeeze = 1.4; this.place() > height && this.squeeze > 0.2; this.squeeze *= 0.85);
            this.height = this.place();
            this.canvas.style.height = this.height + "px";
            this.canvas.width = Math.round(width * scale);
            this.canvas.height = Math.round(this.height * scale);
            this.context.setTransform(scale, 0, 0, scale, 0, 0);
            this.background = document.createElement("canvas");
            this.background.width = this.canvas.width;
            this.background.height = this.canvas.height;
            this.drawBackground(scale);
        }

        /* Where everything stands: how high it all is. */
        place() {
            let y = HEADING;
            this.rowHeight = Math.max(3, this.squeeze * Math.min(12, this.pitch, this.run.warps > 16 ? 5 : 12));
            this.threadsAt = y;
            y += this.run.warps * (this.rowHeight + 2) + 4;
            this.rulerAt = this.run.warps > 1 ? y + 6 : this.threadsAt;
            this.fallAt = this.rulerAt + this.rulerHeight() + 2;
            this.fall = Math.max(30, this.squeeze * FALL);
            y = this.fallAt + this.fall;
            for (const array of this.arrays)
                y = this.placeArray(array, y);
            return y;
        }

        rulerHeight() {
            return this.run.warps > 1 ? Math.max(8, Math.min(14, this.pitch)) : this.rowHeight;
        }

        placeArray(array, y) {
            array.columns = WARP;
            while (array.name !== "shared" && this.rowsOf(array).length > (this.squeeze < 0.4 ? MOST_ROWS / 2 : MOST_ROWS))
                array.columns *= 2;
            array.rows = new Map(this.rowsOf(array).map((row, i) => [row, i]));
            const rows = array.rows.size;
            array.height = Math.max(1, this.squeeze * (rows <= 8 ? Math.min(12, Math.max(7, this.pitch)) : rows <= 16 ? 6 : rows <= 32 ? 4 : 2));
            array.at = y + HEADING + (array.name === "shared" ? 12 : 0);
            return array.at + rows * (array.height + 1) + 6;
        }

        rowsOf(array) {
            return [...new Set(array.touched.map(row => Math.floor(row * WARP / array.columns)))];
        }

        /* The left edge of a column. Eight words are a sector, and stand together. */
        x(column, columns = WARP) {
            const pitch = this.pitch * WARP / columns;
            return LABELS + column * pitch + Math.floor(column * WARP / columns / 8) * GAP;
        }

        cellWidth(columns = WARP) {
            const pitch = this.pitch * WARP / columns;
            return pitch > 4 ? pitch - 1 : pitch;
        }

        /* The box of a word, or of several in a row: [x, y, width, height]. */
        box(array, first, words = 1) {
            const column = first % array.columns, row = array.rows.get(Math.floor(first / array.columns));
            const width = this.x(column + words - 1, array.columns) + this.cellWidth(array.columns) - this.x(column, array.columns);
            return [this.x(column, array.columns), array.at + row * (array.height + 1), Math.max(1.5, width), array.height];
        }

        drawBackground(scale) {
            const c = this.background.getContext("2d");
            c.setTransform(scale, 0, 0, scale, 0, 0);
            c.font = "11px system-ui, sans-serif";
            c.textBaseline = "middle";
            this.text(c, say`${several(this.run.threads, "thread")}: a row is a warp, a column a lane`, LABELS, HEADING / 2);
            for (let warp = 0; warp < this.run.warps; warp += this.everyRow(this.rowHeight + 2))
                this.label(c, say`warp ${warp}`, this.threadsAt + warp * (this.rowHeight + 2) + this.rowHeight / 2);
            for (const array of this.arrays)
                this.drawArray(c, array);
        }

        drawArray(c, array) {
            const shared = array.name === "shared";
            if (shared)
                for (const bank of [0, 8, 16, 24, 31])
                    this.text(c, String(bank), this.x(bank) + this.cellWidth() / 2, array.at - 6, "center");
            if (shared)
                this.label(c, say`bank`, array.at - 6);
            for (const [row, i] of array.rows) {
                c.fillStyle = this.colours.empty;
                const cells = Math.min(array.columns, 4 * WARP); /* more of them would not be seen one by one */
                for (let column = 0; column < cells; column++)
                    c.fillRect(this.x(column, cells), array.at + i * (array.height + 1), this.cellWidth(cells), array.height);
                if (i % this.everyRow(array.height + 1) === 0 && !(shared && i === 0 && array.height < 8)) /* the word bank stands there */
                    this.label(c, number_text(Math.max(0, row * array.columns - (this.run.at[array.name] || 0) / WORD)),
                        array.at + i * (array.height + 1) + array.height / 2);
            }
        }

        /* So many rows have one label, and labels do not touch. */
        everyRow(height) {
            return 2 ** Math.max(0, Math.ceil(Math.log2(12 / height)));
        }

        arrayTitle(array) {
            const words = saying(ARRAY_NAMES[array.name]);
            if (array.name === "shared" || array.name === "remote")
                return say`${words}: 4 bytes a cell, a column is a bank`;
            return array.columns === WARP ? say`${words}: 4 bytes a cell, 8 cells a sector` : say`${words}: 4 bytes a cell`;
        }

        /* Over the lines that cross them. A bank conflict stands in place of the title. */
        drawTitles(conflict) {
            const c = this.context;
            c.strokeStyle = this.colours.ground;
            c.lineWidth = 4;
            c.textAlign = "left";
            c.lineJoin = "round";
            for (const array of this.arrays) {
                const y = array.at - (array.name === "shared" ? 12 : 0) - HEADING / 2, alarm = conflict && array.name === "shared";
                const words = alarm ? conflict.words : this.arrayTitle(array);
                c.strokeText(words, LABELS, y, this.width - LABELS);
                this.text(c, words, LABELS, y, "left", alarm ? this.colours.alarm : this.colours.label);
            }
        }

        text(c, words, x, y, align = "left", colour = this.colours.label) {
            c.fillStyle = colour;
            c.textAlign = align;
            c.fillText(words, x, y, align === "left" ? this.width - x : undefined);
        }

        label(c, words, y) {
            this.text(c, words, LABELS - 6, y, "right");
        }

        /* t, from 0 to 1: how far what is read or written has come. */
        draw(frame, t, focus, finished) {
            const c = this.context;
            c.clearRect(0, 0, this.width, this.height);
            c.drawImage(this.background, 0, 0, this.width, this.height);
            c.font = "11px system-ui, sans-serif";
            c.textBaseline = "middle";
            this.drawThreads(frame, focus);
            if (frame.barrier)
                this.drawBarrier(frame);
            else
                this.drawStep(frame.step, t, focus);
            const conflict = frame.step && this.findConflict(frame.step.warps.get(focus));
            this.drawTitles(conflict);
            if (conflict)
                this.drawConflict(conflict);
            const race = this.run.races.find(one => this.run.frames[one.second] === frame || this.run.frames[one.first] === frame);
            if (race)
                this.drawRace(race);
            if (finished)
                this.text(c, say`finished`, this.width - 4, HEADING / 2, "right", this.colours.strong);
        }

        threadBox(thread) {
            return [this.x(thread % WARP), this.threadsAt + Math.floor(thread / WARP) * (this.rowHeight + 2), this.cellWidth(), this.rowHeight];
        }

        drawThreads(frame, focus) {
            const c = this.context, active = new Set();
            const waits = thread => frame.barrier && (!frame.warps || frame.warps.includes(Math.floor(thread / WARP)));
            if (frame.step)
                for (const [warp, request] of frame.step.warps)
                    request.forEach(access => active.add(warp * WARP + access.lane));
            const colour = frame.step ? this.colours[frame.step.kind] : this.colours.wait;
            c.strokeStyle = this.colours.idle;
            c.lineWidth = 1;
            for (let thread = 0; thread < this.run.threads; thread++)
                this.drawThread(this.threadBox(thread), active.has(thread) || waits(thread), colour);
            if (this.run.warps === 1)
                return;
            c.strokeStyle = this.colours.strong;
            const [x, y, , height] = this.threadBox(focus * WARP);
            c.strokeRect(x - 2.5, y - 1.5, this.x(WARP - 1) + this.cellWidth() - x + 5, height + 3);
            this.label(c, say`warp ${focus}`, this.rulerAt + this.rulerHeight() / 2);
            c.strokeStyle = this.colours.idle;
            for (let lane = 0; lane < WARP && focus * WARP + lane < this.run.threads; lane++)
                this.drawThread([this.x(lane), this.rulerAt, this.cellWidth(), this.rulerHeight()],
                    active.has(focus * WARP + lane) || waits(focus * WARP + lane), colour);
        }

        /* At work: filled. Idle: hollow. */
        drawThread([x, y, width, height], busy, colour) {
            const c = this.context;
            if (busy) {
                c.fillStyle = colour;
                c.fillRect(x, y, width, height);
            } else {
                c.strokeRect(x + 0.5, y + 0.5, width - 1, height - 1);
            }
        }

        drawBarrier(frame) {
            const c = this.context, y = this.fallAt + 10, right = this.x(WARP - 1) + this.cellWidth();
            c.fillStyle = this.colours.strong;
            c.fillRect(LABELS, y, right - LABELS, {warp: 1, block: 2}[frame.barrier] || 4);
            const words = frame.warps ? say`a warp waits for its own lanes` : saying(`barrier: all threads of the ${frame.barrier} wait`);
            this.text(c, words, (LABELS + right) / 2, y + 18, "center", this.colours.strong);
        }

        drawStep(step, t, focus) {
            const request = step.warps.get(focus);
            for (const one of step.kind === "shuffle" ? [] : step.warps.values())
                this.drawWords(one);
            if (!request)
                this.text(this.context, say`warp ${focus} has nothing to do in this step`, (LABELS + this.width) / 2, this.fallAt + this.fall / 2, "center");
            else if (step.kind === "shuffle")
                request.forEach(access => this.drawArc(access, t));
            else
                this.drawRequest(request, t);
        }

        /* The sectors that move, pale, and in them the words that were asked for. */
        drawWords(request) {
            const c = this.context, colour = this.colours[request[0].kind];
            const byName = name => this.arrays.find(array => array.name === name);
            const global = !["shared", "remote"].includes(request[0].array);
            c.fillStyle = colour;
            if (global && request[0].kind !== "atomic") {
                c.globalAlpha = 0.3;
                for (const first of this.firstWords(request))
                    c.fillRect(...this.box(byName(first.array), first.word, 8));
                c.globalAlpha = 1;
            }
            for (const access of request)
                for (let k = 0; k < wordsOf(access); k++)
                    c.fillRect(...this.box(byName(access.array), position(this.run, access) + k));
        }

        /* Of each sector that a request touches. */
        firstWords(request) {
            const seen = new Map();
            for (const access of request)
                for (let k = 0; k < wordsOf(access); k++) {
                    const word = Math.floor((position(this.run, access) + k) / 8) * 8;
                    seen.set(access.array + word, {array: access.array, word});
                }
            return seen.values();
        }

        /* A line for each lane of the chosen warp, and on it a dot: data in flight. */
        drawRequest(request, t) {
            const c = this.context, colour = this.colours[request[0].kind];
            c.strokeStyle = c.fillStyle = colour;
            c.lineWidth = 1.1;
            const lines = request.map(access => this.lineOf(access));
            c.globalAlpha = 0.6;
            c.beginPath();
            for (const [x1, y1, x2, y2] of lines) {
                c.moveTo(x1, y1);
                c.lineTo(x2, y2);
            }
            c.stroke();
            c.globalAlpha = 1;
            const way = request[0].kind === "load" ? 1 - t : t; /* from 0, the lane, to 1, the word */
            for (const [x1, y1, x2, y2] of lines)
                this.dot(x1 + (x2 - x1) * way, y1 + (y2 - y1) * way);
        }

        lineOf(access) {
            const array = this.arrays.find(one => one.name === access.array);
            const [x, y, width] = this.box(array, position(this.run, access), wordsOf(access));
            return [this.x(access.lane) + this.cellWidth() / 2, this.fallAt - 2, x + width / 2, y];
        }

        dot(x, y) {
            this.context.beginPath();
            this.context.arc(x, y, 2.4, 0, 2 * Math.PI);
            this.context.fill();
        }

        /* The busiest banks of a request, if they must give several words each. */
        findConflict(request) {
            if (!request || request[0].array !== "shared" || request[0].kind === "atomic" || request[0].bytes > WORD)
                return null;
            const banks = banksOf(request.map(access => access.word), 1).map(bank => bank.size), most = Math.max(...banks);
            const busiest = [...banks.keys()].filter(bank => banks[bank] === most);
            const who = busiest.length === 1 ? say`bank ${busiest[0]} gives ${most} words` : say`${busiest.length} banks give ${most} words each`;
            return most < 2 ? null : {busiest, words: say`${who}: ${several(most, "wavefront")}`};
        }

        drawConflict({busiest}) {
            const c = this.context, array = this.arrays.find(one => one.name === "shared");
            c.strokeStyle = this.colours.alarm;
            c.lineWidth = 1.5;
            for (const bank of busiest)
                c.strokeRect(this.x(bank) - 1, array.at - 1, this.cellWidth() + 2, array.rows.size * (array.height + 1) + 1);
        }

        /* From the lane whose register is read to the one that reads it. */
        drawArc(access, t) {
            const c = this.context, from = this.x(access.word) + this.cellWidth() / 2, to = this.x(access.lane) + this.cellWidth() / 2;
            const depth = from === to ? 0 : 8 + Math.min(this.fall * 1.5, Math.abs(from - to) * 0.35), y = this.fallAt - 1;
            c.strokeStyle = c.fillStyle = this.colours.shuffle;
            c.lineWidth = 1.1;
            c.globalAlpha = 0.6;
            c.beginPath();
            c.moveTo(from, y);
            c.quadraticCurveTo((from + to) / 2, y + depth, to, y);
            c.stroke();
            c.globalAlpha = 1;
            this.dot((1 - t) * (1 - t) * from + 2 * t * (1 - t) * (from + to) / 2 + t * t * to, y + 2 * t * (1 - t) * depth);
        }

        /* The two threads, and the word where they meet. */
        drawRace(race) {
            const c = this.context, array = this.arrays.find(one => one.name === race.array);
            c.strokeStyle = this.colours.alarm;
            c.lineWidth = 2.5;
            const outline = ([x, y, width, height]) => c.strokeRect(x - 1.5, y - 1.5, width + 3, height + 3);
            for (const who of [race.before, race.after])
                if (who.block === this.run.block)
                    outline(this.threadBox(who.thread));
            if (array)
                outline(this.box(array, race.word + (this.run.at[race.array] || 0) / WORD));
        }
    }

    /* ---- 6. The clock: which frame each panel shows at a tick ---- */

    const CLOCKS = [
        {name: "step by step"},
        {name: "by sectors moved", of: counts => counts.gld_sectors + counts.gst_sectors},
        {name: "by wavefronts", of: counts => counts.shared_ld_wavefronts + counts.shared_st_wavefronts},
        {name: "by requests", of: counts => counts.gld_requests + counts.gst_requests},
    ];

    /* One clock for all panels. A step takes one tick, or as many as it costs. */
    class Clock {
        constructor(runs, of) {
            this.ends = runs.map(run => run.frames.map((frame, i) => of ? of(frame.counts) : i + 1));
            this.ticks = Math.max(...this.ends.map(ends => ends[ends.length - 1]));
        }

        /* The first frame that ends after this tick; or the last of all. */
        frame(panel, tick) {
            const ends = this.ends[panel];
            if (tick >= this.ticks - 1)
                return ends.length - 1;
            let low = 0, high = ends.length - 1;
            while (low < high) {
                const middle = (low + high) >> 1;
                if (ends[middle] > tick)
                    high = middle;
                else
                    low = middle + 1;
            }
            return low;
        }

        finished(panel, tick) {
            const ends = this.ends[panel];
            return tick >= this.ticks - 1 || tick >= ends[ends.length - 1];
        }

        /* The nearest tick, in this direction, at which some panel shows another frame. */
        neighbour(tick, direction) {
            const now = this.ends.map((_, panel) => this.frame(panel, tick)).join();
            let next = tick + direction;
            while (next > 0 && next < this.ticks - 1 && this.ends.map((_, panel) => this.frame(panel, next)).join() === now)
                next += direction;
            return Math.min(Math.max(next, 0), this.ticks - 1);
        }

        /* The first tick at which a panel shows a frame. */
        tickOf(panel, frame) {
            return frame === 0 ? 0 : Math.min(this.ends[panel][frame - 1], this.ticks - 1);
        }
    }

    /* ---- 7. The player ---- */

    const STEPS_A_SECOND = 2;
    const script = document.currentScript;
    const still = window.matchMedia("(prefers-reduced-motion: reduce)");

    /* element("p", {class: "x"}, "words", another) */
    function element(name, attributes = {}, ...children) {
        const made = document.createElement(name);
        for (const [key, value] of Object.entries(attributes))
            if (key.startsWith("on"))
                made.addEventListener(key.slice(2), value);
            else if (value !== false)
                made.setAttribute(key, value === true ? "" : value);
        made.append(...children);
        return made;
    }

    /* Drawn, for not every font has these signs. */
    const ICONS = {
        play: "M4 2l9 6-9 6z", pause: "M3 2h4v12H3zM9 2h4v12H9z", back: "M11 2v12L3 8z", next: "M5 2v12l8-6z",
        begin: "M2 2h2v12H2zM14 2v12L5 8z", end: "M12 2h2v12h-2zM2 2v12l9-6z",
    };
    function icon(sign) {
        const picture = document.createElementNS("http://www.w3.org/2000/svg", "svg");
        const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
        picture.setAttribute("viewBox", "0 0 16 16");
        picture.setAttribute("aria-hidden", "true");
        path.setAttribute("d", ICONS[sign]);
        picture.append(path);
        return picture;
    }

    /* Base64 of gzip -> text. */
    async function unpack(packed) {
        if (!window.DecompressionStream)
            throw new TraceError("this browser is too old to unpack traces: take Firefox 113, Chrome 80, Safari 16.4 or a later one");
        const bytes = Uint8Array.from(atob(packed), character => character.charCodeAt(0));
        return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).text();
    }

    /* Loads traces/NAME.js once; a page from disk may load scripts, and nothing else. */
    const loading = new Map();
    function loadTraces(name) {
        if (!loading.has(name))
            loading.set(name, new Promise((resolve, reject) => {
                const file = element("script", {src: new URL(`traces/${name}.js`, script.src).href});
                file.onload = () => resolve(name === "names" ? window.playerNames : window.playerTraces[name]);
                file.onerror = () => reject(new TraceError(`no traces/${name}.js beside the player: make player writes it`));
                document.head.append(file);
            }));
        return loading.get(name);
    }

    /* What can be chosen: a variant at one n and one block size, and how to come by its run. */
    function builtIn(one) {
        let run;
        return {
            label: one.variant, program: one.program, what: one.what, n: one.n, threads: one.threads, block: one.block,
            run: () => run = run || unpack(one.packed).then(text => readTrace(text)[0]),
        };
    }

    function ofOwn(run, file) {
        return {
            label: `${run.variant} (${file})`, program: null, what: "", n: run.n, threads: run.threads, block: run.block,
            run: () => Promise.resolve(run),
        };
    }

    class Player {
        constructor(root) {
            this.root = root;
            this.entries = [];
            this.sources = {};
            this.panels = [];
            this.tick = 0;
            this.since = 1; /* how much of the way to the next frame has passed: 0 to 1 */
            this.focus = 0;
            this.speed = 1;
            this.playing = false;
            this.drawn = {times: 0, ms: 0};
            this.build();
            this.listen();
        }

        /* ---- what it is made of ---- */

        build() {
            const button = (sign, label, action) => element("button", {type: "button", "aria-label": saying(label), title: saying(label), onclick: action}, icon(sign));
            const choice = (label, name, action) => this[name] = element("select", {"aria-label": saying(label), onchange: action});
            this.playButton = button("play", "play", () => this.toggle());
            this.slider = element("input", {type: "range", min: 0, max: 0, value: 0, "aria-label": say`position`,
                                            oninput: () => this.go(Number(this.slider.value))});
            this.where = element("span", {class: "player-where"});
            this.file = element("input", {type: "file", multiple: true, accept: ".csv,.cu,.cuh,.h,.c", class: "player-file",
                                          "aria-label": say`open a trace of your own`, onchange: () => this.open([...this.file.files])});
            this.choices = element("div", {class: "player-choices"},
                element("label", {}, say`show`, " ", choice("variant", "left", () => this.choose())),
                element("label", {}, say`beside`, " ", choice("variant beside it", "right", () => this.choose())),
                element("label", {}, say`with`, " ", choice("n, threads of a block, block", "size", () => this.choose())),
                this.clockLabel = element("label", {}, say`clock`, " ", choice("clock", "clockChoice", () => this.setClock())),
                element("label", {class: "player-open"}, say`open a trace …`, this.file));
            for (const [i, clock] of CLOCKS.entries())
                this.clockChoice.append(element("option", {value: i}, saying(clock.name)));
            const speed = element("select", {"aria-label": say`speed`, onchange: () => this.speed = Number(speed.value)});
            for (const factor of [0.25, 0.5, 1, 2, 4])
                speed.append(element("option", {value: factor, selected: factor === 1}, `${factor} ×`));
            this.bar = element("div", {class: "player-bar"},
                button("begin", "to the beginning", () => this.go(0)), button("back", "one step back", () => this.move(-1)), this.playButton,
                button("next", "one step on", () => this.move(1)), button("end", "to the end", () => this.go(this.clock.ticks - 1)),
                this.slider, this.where, speed);
            this.error = element("p", {class: "player-error", role: "alert", hidden: true});
            this.note = element("p", {class: "player-note", hidden: true});
            this.verdict = element("p", {class: "player-verdict"});
            this.stage = element("div", {class: "player-stage", tabindex: 0, role: "group",
                                         "aria-label": say`the kernel, step by step. Keys: space plays and pauses, left and right step, up and down choose a warp, Home and End`});
            this.race = element("div", {class: "player-race", hidden: true});
            this.counts = element("table", {class: "player-counts"});
            this.kinds = KINDS.map(kind => element("span", {class: "player-is-" + kind}, saying(kind)));
            this.legend = element("p", {class: "player-legend"}, ...this.kinds,
                element("span", {class: "player-is-moved"}, say`moved with it: the rest of its sector`), element("span", {class: "player-is-idle"}, say`idle`),
                element("span", {class: "player-keys"}, say`keys: space, ← →, Home, End; ↑ ↓ or a click: another warp`));
            this.code = element("div", {class: "player-sources"});
            this.parts = [this.choices, this.error, this.note, this.verdict, this.bar, element("div", {class: "player-body"},
                element("div", {class: "player-main"}, this.stage, this.legend, this.race),
                element("div", {class: "player-side"}, this.counts, this.code)), ...this.root.querySelectorAll(":scope > p")]; // a picture, for paper
            this.root.setAttribute("role", "region");
            this.root.setAttribute("aria-label", say`player: the kernel as it ran on the simulator`);
        }

        /* All at once, when there is something to show: so nothing moves. */
        appear() {
            if (!this.stage.isConnected)
                this.root.replaceChildren(...this.parts);
        }

        listen() {
            this.root.addEventListener("keydown", event => this.key(event));
            this.root.addEventListener("dragover", event => {
                event.preventDefault();
                this.root.classList.add("player-drop");
            });
            this.root.addEventListener("dragleave", () => this.root.classList.remove("player-drop"));
            this.root.addEventListener("drop", event => {
                event.preventDefault();
                this.root.classList.remove("player-drop");
                this.open([...event.dataTransfer.files]);
            });
            new ResizeObserver(() => this.resize()).observe(this.stage);
            new MutationObserver(() => this.resize()).observe(document.body, {attributeFilter: ["data-md-color-scheme"]});
            window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.resize());
        }

        key(event) {
            const sideways = event.key === "ArrowLeft" || event.key === "ArrowRight"; /* no field needs these for itself */
            const in_field = !sideways && (/^(SELECT|INPUT)$/.test(event.target.tagName) || (event.key === " " && event.target.tagName === "BUTTON"));
            const actions = {
                " ": () => this.toggle(), ArrowLeft: () => this.move(-1), ArrowRight: () => this.move(1), Home: () => this.go(0),
                End: () => this.go(this.clock.ticks - 1), ArrowUp: () => this.setFocus(this.focus - 1), ArrowDown: () => this.setFocus(this.focus + 1),
            };
            if (!actions[event.key] || in_field || event.ctrlKey || event.altKey || event.metaKey || !this.clock)
                return;
            event.preventDefault();
            actions[event.key]();
        }

        /* ---- which runs ---- */

        /* names: of files in traces/; wanted: variants to begin with. */
        async load(name, wanted) {
            try {
                const data = await loadTraces(name);
                this.entries = data.runs.map(builtIn);
                this.sources = data.sources;
                const missing = wanted.find(variant => !this.entries.some(entry => entry.label === variant));
                if (missing)
                    throw new TraceError(`no trace of ${missing} here`);
                this.fillVariants(wanted[0] || this.entries[0].label, wanted[1] || "");
                await this.choose();
            } catch (problem) {
                this.complain(problem);
            }
        }

        fillVariants(left, right) {
            const labels = [...new Set(this.entries.map(entry => entry.label))];
            for (const [select, chosen, none] of [[this.left, left, false], [this.right, right, true]]) {
                select.replaceChildren(...labels.map(label => element("option", {value: label}, label)));
                if (none)
                    select.prepend(element("option", {value: ""}, say`nothing`));
                select.value = chosen;
            }
        }

        sizeText(entry) {
            return say`n = ${number_text(entry.n)}, ${entry.threads} threads, block ${entry.block}`;
        }

        /* The sizes that were traced of what is chosen; the last choice stays, where it can. */
        fillSizes() {
            const of = label => this.entries.filter(entry => entry.label === label).map(entry => this.sizeText(entry));
            const lists = [this.left.value, this.right.value].filter(label => label !== "").map(of);
            const common = lists[0].filter(size => lists.every(list => list.includes(size)));
            const sizes = common.length > 0 ? common : lists[0], before = this.size.value;
            this.size.replaceChildren(...sizes.map(size => element("option", {value: size}, size)));
            this.size.value = sizes.includes(before) ? before : sizes[0];
        }

        entry(label) {
            const its = this.entries.filter(entry => entry.label === label);
            return its.find(entry => this.sizeText(entry) === this.size.value) || its[0];
        }

        /* Shows what the choices say. */
        async choose() {
            this.pause();
            this.fillSizes();
            const entries = [this.left.value, this.right.value].filter(label => label !== "").map(label => this.entry(label));
            try {
                this.show(entries, await Promise.all(entries.map(entry => entry.run())));
            } catch (problem) {
                this.complain(problem);
            }
        }

        show(entries, runs) {
            this.appear();
            this.error.hidden = true;
            this.clock = null; /* of other runs */
            this.panels = runs.map((run, i) => this.makePanel(entries[i], run));
            this.stage.replaceChildren(...this.panels.map(panel => panel.figure));
            this.code.replaceChildren(...this.panels.map(panel => element("div", {}, panel.place, panel.code)));
            this.root.classList.toggle("player-two", runs.length === 2);
            this.clockLabel.hidden = runs.length < 2;
            const difference = runs.length === 2 ? compare(...this.panels) : null;
            this.telling = difference ? difference.counts : [];
            this.verdict.textContent = runs.length === 2 ? verdict(difference, ...this.panels) : this.panels[0].entry.what;
            this.focus = Math.min(this.focus, ...runs.map(run => run.warps - 1));
            KINDS.forEach((kind, i) => { this.kinds[i].hidden = !runs.some(run => run.steps.some(step => step.kind === kind)); });
            this.fillCounts();
            this.fillRaces();
            const two = runs.length === 2;
            for (const [i, option] of [...this.clockChoice.options].entries())
                option.disabled = i > 0 && !(two && this.panels.every(panel => CLOCKS[i].of(panel.run.counts) > 0));
            if (!two || this.clockChoice.selectedOptions[0].disabled)
                this.clockChoice.value = 0;
            this.resize();
            this.setClock();
        }

        makePanel(entry, run) {
            const canvas = element("canvas", {role: "img", onclick: event => this.clickWarp(panel, event)});
            const says = element("p", {class: "player-says", "aria-live": "polite"});
            const code = element("pre", {class: "player-code", "aria-label": say`the source, with the line of this step marked`, tabindex: 0});
            const place = element("span", {class: "player-place"});
            const size = run.grid > 1 ? say` n = ${number_text(run.n)}, block ${run.block} of ${number_text(run.grid)}` : say` n = ${number_text(run.n)}, block ${run.block}`;
            const title = element("figcaption", {}, element("b", {}, entry.label), size);
            const panel = {entry, run, canvas, says, code, place, picture: new Picture(canvas, run), shown: null, lines: [],
                           figure: element("figure", {}, title, says, element("div", {class: "player-picture"}, canvas))};
            return panel;
        }

        /* ---- files of one's own: traces, and the sources that belong to them ---- */

        async open(files) {
            const runs = [];
            this.note.textContent = say`reading ${files.map(file => file.name).join(", ")} …`;
            this.note.hidden = false;
            await new Promise(shown => setTimeout(shown)); /* a large one takes seconds */
            try {
                for (const file of files) {
                    if (file.size > MOST_BYTES)
                        throw new TraceError(`${file.name}: ${Math.round(file.size / 1e6)} MB are more than the player shows ` +
                            `(${MOST_BYTES >> 20} MiB): trace fewer elements, as in -n 64K, or one variant with -v`);
                    const text = await file.text();
                    if (/\.(cu|cuh|h|c)$/.test(file.name))
                        this.sources["own/" + file.name] = {path: file.name, text};
                    else
                        runs.push(...this.readOwn(file.name, text));
                }
            } catch (problem) {
                this.complain(problem);
                return;
            } finally {
                this.note.hidden = true;
                this.file.value = "";
            }
            if (runs.length > 0)
                await this.showOwn(runs);
            else if (this.clock)
                await this.choose(); /* with the new sources */
        }

        readOwn(name, text) {
            try {
                return readTrace(text).map(run => ofOwn(run, name));
            } catch (problem) {
                if (problem instanceof TraceError)
                    throw new TraceError(`${name}: ${problem.message}`);
                throw problem;
            }
        }

        async showOwn(entries) {
            const mine = new Set(entries.map(entry => entry.label));
            this.entries = [...entries, ...this.entries.filter(entry => !mine.has(entry.label))];
            const labels = [...mine];
            this.fillVariants(labels[0], labels[1] || "");
            await this.choose();
            this.note.hidden = false;
            this.note.textContent = say`${labels.join(", ")}: opened. Add the .cu file to see its lines, or choose a variant of the page beside it.`;
            this.stage.focus({preventScroll: true});
        }

        complain(problem) {
            if (!(problem instanceof TraceError))
                throw problem;
            this.appear();
            this.error.textContent = problem.message;
            this.error.hidden = false;
        }

        /* ---- counters ---- */

        fillCounts() {
            const there = Object.keys(COUNTS).filter(name => this.panels.some(panel => panel.run.counts[name] > 0));
            const names = [...there.filter(name => this.telling.includes(name)), ...there.filter(name => !this.telling.includes(name))];
            const rows = names.map(name => {
                const most = Math.max(...this.panels.map(panel => panel.run.counts[name] / shareOf(panel, this.panels)));
                const cells = this.panels.map(panel => this.makeCount(panel, name, most));
                return element("tr", {"data-count": name, class: this.telling.includes(name) ? "player-telling" : ""},
                    element("th", {scope: "row"}, saying(COUNTS[name])), element("td", {}, ...cells));
            });
            const by_element = this.panels.some(panel => shareOf(panel, this.panels) !== 1);
            const caption = say`What this block has asked for up to here; pale: what the simulator counts in the end` + (by_element
                ? say`. Bars: for each element, for ${this.panels.map(panel => say`${panel.entry.label} reads ${number_text(panel.run.elements)}`).join(say`, `)}` : "");
            this.counts.replaceChildren(element("caption", {}, caption), element("tbody", {}, ...rows));
        }

        /* A bar that grows over the pale one: the simulator's figure. */
        makeCount(panel, name, most) {
            const total = panel.run.counts[name];
            const bar = element("span", {class: "player-now"}), text = element("span", {class: "player-count"});
            const ghost = element("span", {class: "player-total", style: `width: ${100 * total / shareOf(panel, this.panels) / most}%`}, bar);
            panel.counters = panel.counters || {};
            panel.counters[name] = {bar, text, total};
            const letters = Math.min(20, Math.max(...this.panels.map(one => one.entry.label.length)) + 1);
            const who = element("span", {class: "player-who", title: panel.entry.label, style: `width: ${letters}ch`}, panel.entry.label);
            return element("div", {class: "player-row"}, this.panels.length > 1 ? who : "", element("span", {class: "player-track"}, ghost), text);
        }

        updateCounts(panel, frame, last) {
            for (const [name, {bar, text, total}] of Object.entries(panel.counters)) {
                const now = frame.counts[name];
                bar.style.transform = `scaleX(${total > 0 ? Math.min(1, now / total) : 0})`;
                text.textContent = !last ? say`${number_text(now)} of ${number_text(total)}`
                    : now === total ? number_text(total) : say`${number_text(now)} drawn, ${number_text(total)} counted`;
            }
        }

        /* ---- races ---- */

        fillRaces() {
            const lines = this.panels.flatMap((panel, i) => panel.run.races.map(race => this.raceText(panel, i, race)));
            this.race.replaceChildren(...lines);
            this.race.hidden = lines.length === 0;
        }

        raceWords(panel, race) {
            const who = one => one.block === panel.run.block ? say`thread ${one.thread}` : say`thread ${one.thread} of block ${one.block}`;
            return say`${who(race.after)} ${saying(race.after.verb)} word ${race.word} of ${saying(ARRAY_NAMES[race.array])}, which ${who(race.before)} ${saying(race.before.verb)}`;
        }

        raceText(panel, i, race) {
            const go = element("button", {type: "button", onclick: () => {
                this.setFocus(Math.floor(race.after.thread / WARP));
                this.go(this.clock.tickOf(i, race.second));
            }}, say`show`);
            return element("p", {}, element("b", {}, say`Race: `), say`${this.raceWords(panel, race)}, and nothing orders the two. `,
                ...(race.second >= 0 ? [go] : []), element("br"), element("small", {}, say`simulator: ${race.text}`));
        }

        /* ---- the clock ---- */

        setClock() {
            this.clock = new Clock(this.panels.map(panel => panel.run), CLOCKS[Number(this.clockChoice.value)].of);
            this.slider.max = this.clock.ticks - 1;
            this.go(0);
        }

        go(tick) {
            this.pause();
            this.jump(tick);
        }

        jump(tick) {
            this.tick = Math.max(0, Math.min(tick, this.clock.ticks - 1));
            this.since = 1;
            this.update();
        }

        move(direction) {
            if (this.tick === this.clock.ticks - 1 && direction > 0)
                return;
            this.pause();
            this.jump(this.clock.neighbour(this.tick, direction));
            if (direction > 0 && !still.matches)
                this.glide();
        }

        /* The last bit of one step, without going on. */
        glide() {
            this.since = 0;
            this.run(() => false);
        }

        toggle() {
            if (this.playing)
                return this.pause();
            if (this.tick >= this.clock.ticks - 1)
                this.tick = 0;
            this.playing = true;
            this.since = 0;
            this.update();
            this.showPlaying();
            this.run(() => this.playing);
        }

        pause() {
            this.playing = false;
            this.loop = null;
            this.showPlaying();
        }

        /* While it plays, a screen reader would never come to an end. */
        showPlaying() {
            const action = this.playing ? "pause" : "play";
            this.playButton.replaceChildren(icon(action));
            this.playButton.setAttribute("aria-label", saying(action));
            this.playButton.title = saying(action);
            this.panels.forEach(panel => panel.says.setAttribute("aria-live", this.playing ? "off" : "polite"));
        }

        /* Whatever the clock: a run takes as long as its steps do one by one. */
        ticksASecond() {
            const frames = Math.max(...this.panels.map(panel => panel.run.frames.length));
            return this.speed * STEPS_A_SECOND * this.clock.ticks / frames;
        }

        /* Draws until the step is over; then, as long as it shall go on, takes the next. */
        run(goes_on) {
            let before = performance.now();
            const loop = now => {
                if (this.loop !== loop)
                    return;
                const ticks = Math.min(now - before, 250) / 1000 * this.ticksASecond();
                before = now;
                this.advance(ticks, goes_on());
                if (this.since < 1 || (goes_on() && this.tick < this.clock.ticks - 1))
                    requestAnimationFrame(loop);
                else if (this.playing)
                    this.pause();
            };
            this.loop = loop;
            requestAnimationFrame(loop);
        }

        advance(ticks, goes_on) {
            this.since += ticks;
            const whole = goes_on ? Math.min(Math.floor(this.since), this.clock.ticks - 1 - this.tick) : 0;
            this.tick += whole;
            this.since = whole > 0 ? this.since - whole : Math.min(this.since, 1);
            this.update();
        }

        /* ---- showing ---- */

        setFocus(warp) {
            this.focus = Math.max(0, Math.min(warp, Math.max(...this.panels.map(panel => panel.run.warps)) - 1));
            this.update(true);
        }

        clickWarp(panel, event) {
            const y = event.offsetY - panel.picture.threadsAt, warp = Math.floor(y / (panel.picture.rowHeight + 2));
            if (y >= 0 && warp < panel.run.warps)
                this.setFocus(warp);
        }

        /* Draws all anew: another size, or other colours. */
        resize() {
            const colours = this.colours();
            for (const panel of this.panels) {
                const {clientWidth: width, clientHeight: height} = panel.canvas.parentElement;
                if (width > 0)
                    panel.picture.layout(width, height, colours);
            }
            if (this.clock)
                this.update();
        }

        colours() {
            const style = getComputedStyle(this.root);
            const names = [...KINDS, "ground", "empty", "idle", "label", "strong", "wait", "alarm"];
            return Object.fromEntries(names.map(name => [name, style.getPropertyValue("--player-" + name).trim()]));
        }

        update() {
            if (!this.clock || this.panels.some(panel => !panel.picture.background))
                return;
            const started = performance.now(); /* for those who ask how long a frame takes */
            this.panels.forEach((panel, i) => this.updatePanel(panel, i));
            this.slider.value = this.tick;
            const where = `${number_text(this.tick + 1)} / ${number_text(this.clock.ticks)}`;
            if (this.where.textContent !== where) {
                this.where.textContent = where;
                this.slider.setAttribute("aria-valuetext", `${where}. ${this.panels.map(panel => panel.says.textContent).join(" ")}`);
            }
            this.root.dataset.tick = this.tick;
            this.drawn.times++;
            this.drawn.ms += performance.now() - started;
        }

        updatePanel(panel, i) {
            const at = this.clock.frame(i, this.tick), frame = panel.run.frames[at];
            const focus = Math.min(this.focus, panel.run.warps - 1), finished = this.clock.finished(i, this.tick);
            const t = still.matches ? 1 : Math.min(1, this.since * 1.6);
            panel.picture.draw(frame, ease(t), focus, finished && this.panels.length > 1);
            if (panel.shown === frame)
                return;
            panel.shown = frame;
            const races = panel.run.races.filter(race => race.second === at).map(race => say` Race: ${this.raceWords(panel, race)}.`);
            panel.says.textContent = say`Step ${at + 1} of ${panel.run.frames.length}. ${frameText(panel.run, frame)}${races.join("")}`;
            panel.canvas.setAttribute("aria-label", panel.says.textContent);
            this.updateCounts(panel, frame, at === panel.run.frames.length - 1);
            if (frame.step)
                this.markLine(panel, frame.step.place);
        }

        /* ---- the source ---- */

        /* Only as far to the right as the line needs. */
        scrollTo(code, line) {
            const c = this.panels[0].picture.context;
            c.font = getComputedStyle(code).font;
            const letter = c.measureText("0").width, hidden = (line.length + 1) * letter - code.clientWidth;
            code.scrollLeft = Math.max(0, Math.min(hidden, (line.search(/\S/) - 2) * letter));
        }

        markLine(panel, place) {
            const [, name, line] = /^(.*):(\d+)$/.exec(place) || [null, place, "0"];
            const source = this.sources["own/" + name] || this.sources[`${panel.entry.program}/${name}`] ||
                Object.entries(this.sources).filter(([key]) => key.endsWith("/" + name)).map(([, one]) => one)[0];
            panel.place.textContent = source ? `${source.path}:${line}` : say`${place}: open the file, too, to see the line`;
            if (panel.source !== source) {
                panel.source = source;
                panel.code.hidden = !source;
                panel.lines = source ? source.text.split("\n").map(text => element("code", {}, text + "\n")) : [];
                panel.code.replaceChildren(element("span", {}, ...panel.lines));
                panel.marked = null;
            }
            if (panel.marked)
                panel.marked.removeAttribute("aria-current");
            panel.marked = panel.lines[Number(line) - 1];
            if (!panel.marked)
                return;
            panel.marked.setAttribute("aria-current", "true");
            this.scrollTo(panel.code, panel.marked.textContent);
            const line_at = panel.marked.getBoundingClientRect(), code_at = panel.code.getBoundingClientRect();
            panel.code.scrollTop += line_at.top - code_at.top - (code_at.height - line_at.height) / 2;
        }
    }

    function ease(t) {
        return t * t * (3 - 2 * t);
    }

    /* ---- the page ---- */

    function start(root) {
        const player = root.player = new Player(root);
        const words = (root.dataset.variants || "").split(/\s+/).filter(word => word !== "");
        if (root.dataset.traces)
            player.load(root.dataset.traces, words);
        else
            chooseLesson(player);
    }

    /* A player with a choice of the lessons; page.html#02_sequential v1 v2 begins with these. Arrow keys are its own. */
    async function chooseLesson(player) {
        const names = await loadTraces("names").catch(() => []);
        player.verdict.textContent = say`Open or drop a trace: ./step02 --trace my.csv writes one.`;
        addEventListener("keydown", event => {
            if (event.target === document.body)
                player.key(event);
        });
        if (names.length === 0)
            return player.appear();
        const choice = element("select", {"aria-label": say`lesson`, onchange: () => { location.hash = choice.value; }}, ...names.map(name => new Option(name)));
        const show = () => {
            const [name, ...variants] = decodeURIComponent(location.hash.slice(1)).split(" ");
            choice.value = names.includes(name) ? name : names[0];
            player.load(choice.value, variants);
        };
        player.choices.prepend(element("label", {}, say`lesson`, " ", choice));
        addEventListener("hashchange", show);
        show();
    }

    /* Only when it comes near: most readers never reach the last one of a page. */
    function startAll() {
        const near = new IntersectionObserver(entries => {
            for (const entry of entries)
                if (entry.isIntersecting) {
                    near.unobserve(entry.target);
                    start(entry.target);
                }
        }, {rootMargin: "0px"});
        document.querySelectorAll(".player").forEach(root => near.observe(root));
    }

    window.kernelPlayer = {readTrace, loadTraces, start};
    if (document.readyState === "loading")
        document.addEventListener("DOMContentLoaded", startAll);
    else
        startAll();
})();
