/* Browsers give no Worker to a page that was opened from disk. There the search's script runs in a frame that
   nobody sees: it is handed the messages as a worker would be, and what it posts comes back. */
"use strict";

if (location.protocol === "file:") {
    window.Worker = class {
        constructor(address) {
            this.frame = document.createElement("iframe");
            this.frame.hidden = true;
            this.started = new Promise((resolve) => this.frame.addEventListener("load", resolve, { once: true }));
            this.start(new URL(address, location.href).href);
        }

        async start(address) {
            if (!document.body)
                await new Promise((resolve) => document.addEventListener("DOMContentLoaded", resolve));
            this.frame.srcdoc = "<!doctype html><title>search</title>"; // of the page's own origin
            document.body.append(this.frame);
            await this.started;
            const inside = this.frame.contentWindow;
            inside.postMessage = (data) => this.onmessage && this.onmessage({ data: structuredClone(data) });
            const script = inside.document.createElement("script");
            script.src = address;
            this.ready = new Promise((resolve) => { script.onload = () => resolve(inside); });
            inside.document.body.append(script);
        }

        async postMessage(message) {
            const data = structuredClone(message); // as it is now: whoever posts it may change it
            await this.started;
            (await this.ready).onmessage({ data });
        }

        terminate() {
            this.frame.remove();
        }
    };
}
