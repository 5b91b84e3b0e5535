// Sorting, filtering, zooming. The page says everything without this.
"use strict";
(() => {
  const make = (name, properties = {}, ...children) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const button = (text, label, action) => {
    const it = make("button", { type: "button", className: "plain", textContent: text });
    it.setAttribute("aria-label", label);
    it.addEventListener("click", action);
    return it;
  };
  const all = (root, selector) => [...root.querySelectorAll(selector)];

  // Light or dark: as the system says, until somebody chooses.
  const theme = () => {
    const root = document.documentElement;
    const system = matchMedia("(prefers-color-scheme: dark)");
    const now = () => root.dataset.theme || (system.matches ? "dark" : "light");
    const other = () => (now() === "dark" ? "light" : "dark");
    const toggle = button("", "", () => {
      root.dataset.theme = other();
      tell();
    });
    const tell = () => {
      toggle.textContent = other() === "dark" ? "Dark" : "Light";
      toggle.setAttribute("aria-label", `Show the page ${other()}`);
    };
    tell();
    system.addEventListener("change", tell);
    document.getElementById("theme").append(toggle);
  };

  // A table: its headings sort, a field filters.
  const table = (it) => {
    const body = it.tBodies[0];
    const rows = [...body.rows];
    const heads = [...it.tHead.rows[0].cells];
    const sort = (column, down) => {
      const numbers = heads[column].classList.contains("n");
      const key = (row) => row.cells[column].dataset.key;
      const order = (a, b) =>
        numbers ? Number(key(a)) - Number(key(b)) : key(a) < key(b) ? -1 : Number(key(a) !== key(b));
      // Equal rows stay in the order of the ranking.
      const sorted = [...rows].sort((a, b) => (down ? -order(a, b) : order(a, b)));
      body.append(...sorted);
      heads.forEach((head, place) => {
        if (place === column) head.setAttribute("aria-sort", down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      });
      it.classList.toggle("sorted", column !== 0 || down);
      filter();
    };
    heads.forEach((head, column) => {
      const name = head.textContent;
      const tip = head.querySelector("[data-tip]")?.dataset.tip || "";
      const it = make("button", { type: "button", title: tip }, name);
      it.addEventListener("click", () => sort(column, head.getAttribute("aria-sort") === "ascending"));
      head.replaceChildren(it);
    });
    if (heads[0].classList.contains("n")) heads[0].setAttribute("aria-sort", "ascending");

    // A long table begins with its first rows.
    const few = 12;
    let whole = rows.length <= few + 3;
    const count = make("output");
    const more = button("Show all", "Show all rows", () => {
      whole = true;
      filter();
    });
    const field = make("input", { type: "search", placeholder: "a file, a function, a word" });
    const filter = () => {
      const wanted = field.value.trim().toLowerCase().split(/\s+/);
      const most = whole || field.value.trim() ? rows.length : few;
      let shown = 0;
      for (const row of body.rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = shown >= most || !wanted.every((word) => text.includes(word));
        shown += row.hidden ? 0 : 1;
      }
      count.textContent = `${shown} of ${rows.length} rows`;
      more.hidden = most === rows.length;
    };
    field.addEventListener("input", filter);
    filter();
    const controls = make("div", { className: "controls" }, make("label", {}, "Filter", field), count, more);
    it.closest(".tabled").prepend(controls);
  };

  // The graph: how many of the best edges, only those of failing runs, which line, how near.
  const graph = (svg) => {
    const edges = all(svg, ".edge");
    const nodes = all(svg, ".node");
    const some = make("input", { type: "range", min: 1, max: edges.length });
    // More than this many at once is a tangle.
    some.value = Math.min(edges.length, 30);
    const bad = make("input", { type: "checkbox" });
    const told = make("output");
    const show = () => {
      const most = Number(some.value);
      const used = new Set();
      let shown = 0;
      let worst = "";
      for (const edge of edges) {
        const place = Number(edge.dataset.place);
        const on = place <= most && (!bad.checked || edge.classList.contains("bad"));
        edge.classList.toggle("off", !on);
        if (!on) continue;
        shown += 1;
        if (place === most) worst = edge.dataset.rank;
        edge.dataset.ends.split(" ").forEach((end) => used.add(end));
      }
      nodes.forEach((node) => node.classList.toggle("idle", !used.has(node.dataset.node)));
      told.textContent = `${shown} of ${edges.length} edges${worst ? `, up to rank ${worst}` : ""}`;
    };
    some.addEventListener("input", show);
    bad.addEventListener("change", show);

    const light = (node) => {
      const mine = (edge) => edge.dataset.ends.split(" ").includes(node.dataset.node);
      edges.forEach((edge) => edge.classList.toggle("dim", !mine(edge)));
    };
    nodes.forEach((node) => {
      node.addEventListener("pointerenter", () => light(node));
      node.addEventListener("pointerleave", () => edges.forEach((edge) => edge.classList.remove("dim")));
    });

    const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
    let view = { x: 0, y: 0, scale: 1 };
    const look = (x, y, scale) => {
      const room = (all) => all - all / scale;
      const within = (value, most) => Math.min(Math.max(value, 0), most);
      view = { x: within(x, room(width)), y: within(y, room(height)), scale };
      svg.setAttribute("viewBox", `${view.x} ${view.y} ${width / scale} ${height / scale}`);
      svg.classList.toggle("zoomed", scale > 1);
    };
    // The point (fx, fy), as shares of the picture, stays where it is.
    const zoom = (factor, fx = 0.5, fy = 0.5) => {
      const scale = Math.min(Math.max(view.scale * factor, 1), 12);
      const [w, h] = [width / view.scale, height / view.scale];
      look(view.x + fx * (w - width / scale), view.y + fy * (h - height / scale), scale);
    };
    const pan = (dx, dy) => look(view.x + dx * (width / view.scale), view.y + dy * (height / view.scale), view.scale);
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      const share = (at, from, size) => (at - from) / size;
      const [fx, fy] = [share(event.clientX, box.left, box.width), share(event.clientY, box.top, box.height)];
      zoom(Math.exp(-event.deltaY / 300), fx, fy);
    }, { passive: false });
    svg.addEventListener("pointermove", (event) => {
      if (event.buttons !== 1 || view.scale === 1) return;
      const box = svg.getBoundingClientRect();
      pan(-event.movementX / box.width, -event.movementY / box.height);
    });
    const keys = {
      "+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), "0": () => look(0, 0, 1),
      ArrowLeft: () => pan(-0.1, 0), ArrowRight: () => pan(0.1, 0),
      ArrowUp: () => pan(0, -0.1), ArrowDown: () => pan(0, 0.1),
    };
    document.getElementById("graph-frame").addEventListener("keydown", (event) => {
      const scrolls = event.key.startsWith("Arrow") && view.scale === 1;
      if (!(event.key in keys) || scrolls || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      keys[event.key]();
    });

    document.getElementById("graph-controls").append(
      make("label", {}, "Best edges", some),
      make("label", {}, bad, "only of failing runs"),
      told,
      button("+", "Zoom in", () => zoom(1.4)),
      button("−", "Zoom out", () => zoom(1 / 1.4)),
      button("Whole", "Show the whole graph", () => look(0, 0, 1)),
    );
    show();
  };

  // The numbers, for other programs.
  const save = () => {
    const text = document.getElementById("data").textContent;
    document.getElementById("save").append(button("Save its numbers as JSON", "Save the report's numbers as JSON", () => {
      const link = make("a", { href: URL.createObjectURL(new Blob([text])), download: "report.json" });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }));
  };

  document.documentElement.classList.add("js");
  theme();
  all(document, "table[data-sortable]").forEach(table);
  all(document, "#graph").forEach(graph);
  save();
})();
