/* search.js: the search of the book. book.js fetches it, and then the index that build.py made, when a reader opens the
   search. What is asked for in a title or a heading comes first (BM25, with weights for the fields). Words of Latin letters lose
   their endings; Chinese, which has no spaces, is taken in pairs of characters. */
"use strict";

(() => {
    const FIELDS = {title: 6, heading: 5, words: 4, text: 1};
    const SAME = 60, TERM = 35, WITHIN = 12, PART = 20; /* see named() */
    const KINDS = [[/^(index|README\.zh-CN)\.html$/, 1.1], [/^steps\//, 1.25], [/^docs\/glossary/, 0.5], [/^(docs|simulator|library)\//, 1], [/^practice\/exercises\/index/, 1.2], [/^practice\/exercises\//, 0.6]];
    const ENOUGH = 1.2, LENGTH = 0.4; /* BM25's k and b */
    const MOST = 20;

    const dialog = document.querySelector(".book-search"), input = dialog.querySelector("input");
    const list = dialog.querySelector("ul"), status = dialog.querySelector("[role=status]");
    const sections = [], places = new Map(); /* of each word: {section: weight} */
    let average = 1, chosen = -1;

    /* warps, warped, warping: warp. An e at the end goes, too, for shuffle and shuffling. */
    function stem(word) {
        return word.length < 4 || /\d/.test(word) ? word
            : word.replace(/ies$/, "y").replace(/(ss|us)$/, "$1$1").replace(/(ing|ed|es|s)$/, "").replace(/^(.{3,})e$/, "$1");
    }

    function tokens(text) {
        const found = [];
        for (const [word] of text.toLowerCase().matchAll(/[a-z0-9]+(?:[_.+][a-z0-9]+)*|[\u3400-\u9fff]+/g))
            if (word >= "\u3400") {
                for (let k = 0; k < Math.max(1, word.length - 1); k++)
                    found.push(word.slice(k, k + 2));
            } else {
                found.push(stem(word));
                if (/[_.+]/.test(word))
                    found.push(...word.split(/[_.+]/).filter(Boolean).map(stem));
            }
        return found;
    }

    function addField(section, text, weight) {
        const all = tokens(text);
        for (const word of all) {
            if (!places.has(word))
                places.set(word, new Map());
            const there = places.get(word);
            there.set(section, (there.get(section) || 0) + weight);
        }
        return all.length;
    }

    window.bookIndex = pages => {
        const joined = names => names.map(name => tokens(name).join(" "));
        for (const [url, title, parts] of pages) {
            const kind = (KINDS.find(([pattern]) => pattern.test(url)) || [0, 0.5])[1] * (title.endsWith("（英文）") ? 0.8 : 1);
            parts.forEach(([anchor, heading, words, terms, text], k) => {
                const first = k === 0, name = first ? title : heading;
                const section = {url, title, heading, anchor, text, kind, first, id: sections.length, names: joined([...words, ...(first ? [title] : [])]), terms: joined([heading, ...terms])};
                sections.push(section);
                section.length = addField(section.id, text, FIELDS.text) + addField(section.id, name, first ? FIELDS.title : FIELDS.heading);
                for (const other of [...words, ...terms])
                    addField(section.id, other, FIELDS.words);
            });
        }
        average = sections.reduce((sum, section) => sum + section.length, 0) / sections.length;
        show();
    };

    /* {section: how well this word fits}; the last word may be the beginning of one. */
    function fits(word, open) {
        const found = new Map();
        const add = (there, share) => {
            const rare = Math.log(1 + (sections.length - there.size + 0.5) / (there.size + 0.5));
            for (const [id, weight] of there) {
                const long = 1 - LENGTH + LENGTH * sections[id].length / average;
                const score = share * rare * weight * (ENOUGH + 1) / (weight + ENOUGH * 4 * long);
                found.set(id, Math.max(found.get(id) || 0, score));
            }
        };
        if (places.has(word))
            add(places.get(word), 1);
        if (word.length === 1 && word >= "\u3400") /* one character is in many pairs */
            for (const [pair, there] of places)
                if (pair.length === 2 && pair.includes(word))
                    add(there, 0.3);
        if (open && word.length > 1)
            for (const [longer, there] of places)
                if (longer.length > word.length && longer.startsWith(word))
                    add(there, 0.5);
        return found;
    }

    /* A word that stands nowhere: two that were written as one, or the nearest by its letters. */
    function near(word) {
        const known = part => part.length > 2 && places.has(part);
        for (let k = 3; k < word.length - 2; k++)
            if (known(stem(word.slice(0, k))) && known(stem(word.slice(k))))
                return [stem(word.slice(0, k)), stem(word.slice(k))];
        const most = word.length < 5 ? 0 : word.length < 8 ? 1 : 2;
        let best = [most + 1, word];
        for (const other of places.keys())
            if (other[0] === word[0] && Math.abs(other.length - word.length) <= most) {
                const far = letters(word, other);
                if (far < best[0] || (far === best[0] && far <= most && places.get(other).size > places.get(best[1]).size))
                    best = [far, other];
            }
        return [best[1]];
    }

    /* How many letters are another, missing, too many, or two of them swapped. */
    function letters(a, b) {
        let before = [], row = [...Array(b.length + 1).keys()];
        for (let i = 1; i <= a.length; i++) {
            const next = [i];
            for (let j = 1; j <= b.length; j++) {
                next[j] = Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] !== b[j - 1]));
                if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
                    next[j] = Math.min(next[j], before[j - 2] + 1);
            }
            [before, row] = [row, next];
        }
        return row[b.length];
    }

    /* How much a section is named by what is asked for: a page's title or a learner's word for it, a heading or a term that it explains, a part.
       Or such a word is a part of what is asked for, a question. */
    function named(section, phrase) {
        const whole = ` ${phrase} `, within = [...section.names, ...section.terms].some(name => ` ${name} `.includes(whole));
        const words = text => text.split(" ").length, asked = section.names.filter(name => name && whole.includes(` ${name} `)).map(words);
        return section.names.includes(phrase) ? SAME : section.terms.includes(phrase) ? TERM : within ? WITHIN : PART * Math.max(0, ...asked) / words(phrase);
    }

    /* Of each page its best section: [{section, score}], the best first. A page that is named as a whole opens at its beginning. */
    function search(query) {
        const typed = tokens(query), begun = word => [...places.keys()].some(known => known.startsWith(word));
        const all = typed.flatMap(word => word < "\u3400" && !begun(word) ? near(word) : [word]);
        const asked = [...new Set(all)], phrase = all.join(" "), scores = new Map();
        asked.forEach((word, k) => {
            for (const [id, score] of fits(word, k === asked.length - 1 && !/\s$/.test(query))) {
                const so_far = scores.get(id) || {score: 0, words: 0};
                scores.set(id, {score: so_far.score + score, words: so_far.words + 1});
            }
        });
        const best = new Map();
        for (const [id, {score, words}] of scores) {
            const section = sections[id];
            const whole = section.kind * (score * (words / asked.length) ** 2 + named(section, phrase));
            if (!best.has(section.url) || best.get(section.url).score < whole)
                best.set(section.url, {section, score: whole});
        }
        return [...best.values()].sort((a, b) => b.score - a.score).slice(0, MOST);
    }

    /* ---- what is shown ---- */

    function marked(text, query) {
        const words = tokens(query), chinese = query.match(/[\u3400-\u9fff]+/g) || [];
        const parts = text.split(new RegExp(`(${["[a-zA-Z0-9_]+", ...chinese].join("|")})`));
        const hit = part => chinese.includes(part) || words.some(word => /^\w/.test(part) && stem(part.toLowerCase()).startsWith(word));
        return parts.map(part => hit(part) ? Object.assign(document.createElement("mark"), {textContent: part}) : part);
    }

    /* Some 160 characters around the first word that was asked for. */
    function excerpt(text, query) {
        const words = tokens(query), small = text.toLowerCase();
        const at = Math.max(0, ...[query.trim().toLowerCase(), ...words].map(word => small.indexOf(word)).slice(0, 1),
            ...words.map(word => small.indexOf(word)).filter(found => found >= 0).slice(0, 1));
        const begin = at > 60 ? text.indexOf(" ", at - 60) + 1 || at - 30 : 0;
        return (begin > 0 ? "… " : "") + text.slice(begin, begin + 160) + (begin + 160 < text.length ? " …" : "");
    }

    function option({section}, query, k) {
        const item = Object.assign(document.createElement("li"), {id: "book-found-" + k});
        item.setAttribute("role", "option");
        item.setAttribute("aria-selected", "false");
        const link = Object.assign(document.createElement("a"), {tabIndex: -1, href: `${dialog.dataset.top}/${section.url}${section.first ? "" : "#" + section.anchor}`});
        const line = (name, text) => {
            const span = Object.assign(document.createElement("span"), {className: name});
            span.append(...marked(text, query));
            link.append(span);
        };
        line("book-found-title", section.title);
        if (!section.first)
            line("book-found-heading", section.heading);
        line("book-found-text", excerpt(section.text, query));
        link.addEventListener("click", () => dialog.close());
        item.append(link);
        return item;
    }

    function choose(k) {
        const items = list.children;
        items[chosen]?.setAttribute("aria-selected", "false");
        chosen = items.length ? (k + items.length) % items.length : -1;
        items[chosen]?.setAttribute("aria-selected", "true");
        items[chosen]?.scrollIntoView({block: "nearest"});
        if (chosen >= 0)
            input.setAttribute("aria-activedescendant", items[chosen].id);
        else
            input.removeAttribute("aria-activedescendant");
    }

    function show() {
        const query = input.value, found = query.trim() ? search(query) : [];
        list.replaceChildren(...found.map((one, k) => option(one, query, k)));
        status.textContent = query.trim() && found.length === 0 ? status.dataset.none : "";
        input.setAttribute("aria-expanded", String(found.length > 0));
        choose(0);
    }

    input.addEventListener("input", show);
    input.addEventListener("keydown", event => {
        const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
        if (step) {
            event.preventDefault();
            choose(chosen + step);
        } else if (event.key === "Enter") {
            event.preventDefault();
            list.children[chosen]?.querySelector("a").click();
        }
    });
    window.bookSearch = search; /* for the tests */
})();
