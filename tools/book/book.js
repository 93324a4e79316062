/* book.js: what the pages of the book do besides the generator's own: the search is fetched when it is opened, the switch
   to the other language stays on the place, arrow keys turn pages, and a term shows what it means. */
"use strict";

(() => {
    /* ---- the search ---- */

    const dialog = document.querySelector(".book-search");
    let asked = false;

    function openSearch() {
        if (!dialog.open)
            dialog.showModal();
        dialog.querySelector("input").select();
        if (!asked)
            for (const name of ["script", "index"]) /* the index is handed to the script */
                document.head.append(Object.assign(document.createElement("script"), {
                    src: dialog.dataset[name], async: false,
                    onerror: () => { dialog.querySelector("[role=status]").textContent = dialog.querySelector("[role=status]").dataset.failed; },
                }));
        asked = true;
    }

    document.querySelector(".book-search-open").addEventListener("click", openSearch);
    dialog.addEventListener("click", event => {
        if (event.target === dialog) /* beside it */
            dialog.close();
    });

    /* ---- the player: fetched when one comes near, with its words of the page's language ---- */

    const zh = document.documentElement.lang === "zh", players = document.querySelectorAll(".player");

    function fetchPlayer() {
        const top = dialog.dataset.top + "/player/";
        document.head.append(Object.assign(document.createElement("link"), {rel: "stylesheet", href: top + "player.css"}),
            ...[...(zh ? ["words.zh.js"] : []), "player.js"].map(name => Object.assign(document.createElement("script"), {src: top + name, async: false})));
    }

    if (players.length > 0) {
        const near = new IntersectionObserver(entries => {
            if (entries.some(entry => entry.isIntersecting)) {
                near.disconnect();
                fetchPlayer();
            }
        }, {rootMargin: "400px"});
        const wide = new IntersectionObserver(() => { /* the contents make way */
            document.body.classList.toggle("book-wide", [...players].some(player => player.getBoundingClientRect().top < innerHeight * 0.7 && player.getBoundingClientRect().bottom > innerHeight * 0.2));
        }, {threshold: [0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1]});
        for (const player of players) {
            near.observe(player);
            wide.observe(player);
        }
    }

    /* ---- figures that the reader moves ---- */

    if (document.querySelector(".interaction"))
        document.head.append(Object.assign(document.createElement("script"), {src: dialog.dataset.top + "/interaction.js"}));

    /* ---- keys ---- */

    /* Does what has the focus want the arrows for itself? */
    function takesKeys(element) {
        if (element.closest("input, select, textarea, dialog, .player, .interaction, .explorer, [contenteditable], [role=slider]"))
            return true;
        for (let box = element; box && box !== document.body; box = box.parentElement)
            if (box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible")
                return true;
        return false;
    }

    document.addEventListener("keydown", event => {
        const {key} = event, busy = takesKeys(event.target);
        if ((key === "k" && (event.ctrlKey || event.metaKey)) || (key === "/" && !busy)) {
            event.preventDefault();
            openSearch();
        } else if (!busy && !document.querySelector(".player[data-choose]") && !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey) {
            const rel = {ArrowLeft: "prev", ArrowRight: "next"}[key];
            document.querySelector(`.book-pager a[rel=${rel || "none"}]`)?.click();
        }
    });

    /* ---- the other language ---- */

    /* The heading that is read: the one the address names, if it is in sight; or the last above the middle. */
    function placeOf() {
        const headings = [...document.querySelectorAll("article [data-twin]")].filter(heading => heading.offsetParent);
        const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        if (headings.includes(named) && named.getBoundingClientRect().bottom > 0 && named.getBoundingClientRect().top < innerHeight)
            return named;
        return headings.filter(heading => heading.getBoundingClientRect().top < innerHeight / 3).pop();
    }

    const other = document.querySelector(".book-switch");
    other.addEventListener("click", () => {
        const place = placeOf();
        if (place && scrollY > 0)
            other.hash = place.dataset.twin;
    });

    /* ---- a link to a fold opens it ---- */

    function openFold() {
        const fold = document.getElementById(decodeURIComponent(location.hash.slice(1)));
        if (fold?.tagName === "DETAILS")
            fold.open = true;
    }
    addEventListener("hashchange", openFold);
    openFold();

    /* ---- predictions: what a lesson foretells in bold is covered until the reader has said something, or nothing ---- */

    /* The bold words of an item, but not those that it begins with, which name it, and no terms. */
    const foretold = item => [...item.querySelectorAll("strong")].filter(bold => {
        const before = document.createRange();
        before.setStart(item, 0);
        before.setEndBefore(bold);
        return !bold.closest("a") && before.toString().trim() !== "";
    });

    const number = text => Number(text.replaceAll(",", ""));

    /* What a reader's number is, beside what was counted or measured. */
    function judged(said, {how, is, unit}) {
        const off = Math.round(100 * (number(said) / number(is) - 1)), what = unit ? `${is} ${unit}` : is;
        const far = number(said) === number(is) ? (zh ? "与你说的一样" : "as you said") : Math.abs(off) < 1 ? (zh ? "与你说的相差不到 1%" : "less than 1 % from what you said")
            : zh ? `你说 ${said}，${off > 0 ? "高" : "低"}了 ${Math.abs(off)}%` : `you said ${said}, ${Math.abs(off)} % too ${off > 0 ? "high" : "low"}`;
        return zh ? `${how === "counted" ? "计数" : "实测"}是 ${what}：${far}。` : `${how === "counted" ? "Counted" : "Measured"}: ${what}; ${far}.`;
    }

    /* Each answer of an item gets a field in its place: for a number, with its unit, or for words. What is revealed is what was counted
       or measured, and beside it what we had said. */
    let forms = 0;
    function cover(item) {
        const answers = foretold(item), form = document.createElement("form");
        if (answers.length === 0)
            return [];
        form.id = `book-guess-${++forms}`;
        const covered = answers.map(answer => {
            const found = answer.nextSibling?.className === "book-answer" ? answer.nextSibling.dataset : null;
            const is = found && {how: found.how, is: found.is ?? answer.textContent.match(/[\d.,]*\d/)[0], unit: found.unit ?? ""};
            const field = Object.assign(document.createElement("input"), is ? {type: "number", step: "any", inputMode: "decimal"} : {type: "text", autocomplete: "off"});
            const mark = Object.assign(document.createElement("span"), {className: "book-covered"});
            field.setAttribute("form", form.id);
            field.setAttribute("aria-label", (zh ? "你的预测" : "your prediction") + (is?.unit ? `, ${is.unit}` : ""));
            mark.append(field, is?.unit ? ` ${is.unit}` : "");
            answer.before(mark);
            answer.hidden = true;
            return {answer, mark, field, is};
        });
        const said = Object.assign(document.createElement("span"), {className: "book-said"});
        const reveal = () => {
            for (const {answer, mark, is} of covered.filter(one => one.mark.isConnected)) {
                if (is?.how === "measured") {
                    const result = Object.assign(document.createElement("strong"), {className: "book-result", textContent: is.unit ? `${is.is} ${is.unit}` : is.is});
                    answer.before(result, zh ? "（实测；我们预测的是" : " (measured; we had predicted: ");
                    answer.after(zh ? "）" : ")");
                }
                mark.remove();
                answer.hidden = false;
            }
            form.remove();
            answersShown();
        };
        said.setAttribute("role", "status");
        form.className = "book-guess";
        form.append(Object.assign(document.createElement("button"), {textContent: zh ? "比较" : "Compare"}));
        form.addEventListener("submit", event => {
            event.preventDefault();
            const words = covered.filter(({field, is}) => field.value.trim() !== "").map(({field, is}) =>
                is ? judged(field.value, is) : zh ? `你的预测：${field.value.trim()}。` : `You said: ${field.value.trim()}.`);
            reveal();
            said.textContent = words.join(" ");
            item.tabIndex = -1;
            item.focus({preventScroll: true}); /* the form that had the focus is gone */
        });
        item.append(form, said);
        return [reveal];
    }

    /* What stands in the section after the predictions answers them: a player, a fold. It waits for the last of them. */
    const predict = document.querySelector("article > h2:is(#predict, #预测)"), items = [], waiting = [];
    for (let next = predict?.nextElementSibling; next && next.tagName !== "H2"; next = next.nextElementSibling)
        if (/^[OU]L$/.test(next.tagName))
            items.push(...next.children);
        else if (items.length > 0 && next.matches("details, .player"))
            waiting.push(next);
    const reveals = items.flatMap(cover), all = Object.assign(document.createElement("button"), {className: "book-reveal"});

    function answersShown() {
        if (document.querySelector(".book-covered"))
            return;
        waiting.forEach(one => one.classList.remove("book-waits"));
        all.remove();
    }

    if (reveals.length > 0) {
        waiting.forEach(one => one.classList.add("book-waits"));
        all.textContent = (zh ? "显示全部答案" : "Show all answers") + (waiting.some(one => one.matches(".player")) ? (zh ? "和播放器" : ", and the player") : "");
        all.addEventListener("click", () => reveals.forEach(reveal => reveal()));
        items.at(-1).parentElement.after(all);
    }

    /* ---- exercises: what is ticked as solved, of each lesson; this browser keeps it ---- */

    function keepTicks(list) {
        const links = [...list.querySelectorAll("a")], line = list.previousElementSibling, heading = line.previousElementSibling;
        const bar = Object.assign(document.createElement("progress"), {max: links.length}), said = document.createElement("span");
        const show = () => {
            bar.value = list.querySelectorAll("input:checked").length;
            said.textContent = zh ? `已解出 ${bar.value} / ${links.length}` : `${bar.value} of ${links.length} solved`;
        };
        bar.setAttribute("aria-label", heading.firstChild.textContent);
        for (const link of links) {
            const name = `solved ${heading.id}/${link.textContent.split(/[:：]/)[0]}`, box = Object.assign(document.createElement("input"), {type: "checkbox"});
            box.setAttribute("aria-label", (zh ? "已解出：" : "solved: ") + link.textContent);
            try {
                box.checked = localStorage.getItem(name) === "yes";
            } catch { /* no storage: ticks last as long as the page */ }
            box.addEventListener("change", () => {
                show();
                try {
                    localStorage.setItem(name, box.checked ? "yes" : "no");
                } catch { /* as above */ }
            });
            link.before(box);
        }
        line.append(bar, " ", said);
        show();
    }

    document.querySelectorAll(".book-exercises ul").forEach(keepTicks);

    /* What practice/run --json list wrote: the exercises that are solved there are ticked; no tick is taken away. */
    function bring(text) {
        const solved = JSON.parse(text).exercises.filter(one => one.verdict === "solved").map(one => one.file.match(/exercises\/(\w+)\/(\w+)\.cu$/).slice(1));
        const boxes = solved.map(([folder, name]) => [...document.querySelectorAll(`h2[id="${folder.replaceAll("_", "-")}"] ~ ul`)][0]
            ?.querySelectorAll("li") ?? []).map((lines, k) => [...lines].find(line => line.querySelector("a").textContent.split(/[:：]/)[0] === solved[k][1])?.querySelector("input"));
        for (const box of boxes.filter(box => box && !box.checked))
            box.click();
        return boxes.filter(box => box).length;
    }

    for (const line of document.querySelectorAll(".book-bring")) {
        const label = document.createElement("label"), field = Object.assign(document.createElement("input"), {type: "file", accept: ".json"}), said = document.createElement("span");
        said.setAttribute("role", "status");
        label.append(zh ? " 打开 solved.json：" : " Open solved.json: ", field);
        field.addEventListener("change", async () => {
            try {
                const count = bring(await field.files[0].text());
                said.textContent = zh ? `文件中解出 ${count} 道，已打勾。` : ` ${count} solved in that file, and ticked.`;
            } catch {
                said.textContent = zh ? "这不是 practice/run --json list 写出的文件。" : " That is no file of practice/run --json list.";
            }
        });
        line.append(label, said);
    }

    /* ---- terms ---- */

    const card = Object.assign(document.createElement("div"), {className: "book-means", id: "book-means", hidden: true});
    card.setAttribute("role", "tooltip");
    document.body.append(card);

    function showMeaning(term) {
        card.textContent = term.dataset.means;
        card.hidden = false;
        term.setAttribute("aria-describedby", card.id);
        const at = term.getBoundingClientRect(), width = Math.min(420, innerWidth - 16);
        card.style.width = width + "px";
        card.style.left = Math.max(8, Math.min(at.left, innerWidth - width - 8)) + "px";
        const above = at.bottom + card.offsetHeight + 8 > innerHeight;
        card.style.top = (above ? at.top - card.offsetHeight - 6 : at.bottom + 6) + "px";
    }

    function hideMeaning() {
        card.hidden = true;
        document.querySelector(".term[aria-describedby]")?.removeAttribute("aria-describedby");
    }

    for (const [event, act] of [["mouseover", showMeaning], ["focusin", showMeaning], ["mouseout", hideMeaning], ["focusout", hideMeaning]])
        document.addEventListener(event, ({target}) => {
            const term = target.closest?.(".term");
            if (term)
                act(term);
        });
    document.addEventListener("keydown", ({key}) => key === "Escape" && hideMeaning());
    addEventListener("scroll", hideMeaning, {passive: true});

    /* ---- what is too wide and scrolls can be reached by Tab, and says so ---- */

    function nameScrollers() {
        for (const box of document.querySelectorAll("article pre > code, article .highlighttable .code pre, .md-typeset__table, .md-typeset__scrollwrap, .interaction-picture, article p:has(> img)")) {
            const scrolls = box.scrollWidth > box.clientWidth + 1 && getComputedStyle(box).overflowX !== "visible";
            box.classList.toggle("book-scrolls", scrolls);
            box.classList.toggle("book-fits", !scrolls && box.scrollHeight > innerHeight / 2); /* a long table: its head stays */
            if (!scrolls) {
                box.removeAttribute("tabindex");
                box.removeAttribute("role");
                box.removeAttribute("aria-label");
                continue;
            }
            box.tabIndex = 0;
            box.setAttribute("role", "region");
            box.setAttribute("aria-label", box.querySelector("table") ? (zh ? "表格，可以左右滚动" : "table, scrolls sideways")
                : box.querySelector("img, svg") ? (zh ? "图，可以左右滚动" : "picture, scrolls sideways") : (zh ? "代码，可以左右滚动" : "code, scrolls sideways"));
        }
    }


    /* A picture opens by itself, as large as one likes: by a click, or by Enter where it can be focused. */
    const pictureOf = target => target.closest?.("article p:has(> img[src*='.svg'])")?.querySelector("img");
    document.addEventListener("click", ({target}) => {
        if (target.tagName === "IMG" && pictureOf(target) === target)
            location.href = target.src;
    });
    document.addEventListener("keydown", ({key, target}) => {
        if (key === "Enter" && pictureOf(target))
            location.href = pictureOf(target).src;
    });

    /* Of curves that are too wide their right ends, with the names, are seen first. */
    for (const image of document.querySelectorAll("article p > img.ends"))
        image.addEventListener("load", () => { image.parentElement.scrollLeft = image.parentElement.scrollWidth; });

    nameScrollers();
    addEventListener("load", nameScrollers);
    addEventListener("resize", nameScrollers);
    document.addEventListener("toggle", nameScrollers, true); /* a fold */
    document.addEventListener("submit", () => setTimeout(nameScrollers)); /* a figure that is shown now */
})();
