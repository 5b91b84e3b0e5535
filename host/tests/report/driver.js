// What a person would do with the page, and what they would see. The first part runs before the page.
window.complaints = [];
window.addEventListener("error", (event) => window.complaints.push(String(event.message || event.target)), true);
window.addEventListener("unhandledrejection", (event) => window.complaints.push(String(event.reason)));
for (const kind of ["error", "warn"]) {
  console[kind] = (...said) => window.complaints.push(said.join(" "));
}
// ---
window.addEventListener("load", () => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const one = (selector) => document.querySelector(selector);
  const seen = {};
  const box = (element) => element.getBoundingClientRect();

  const drawn = all("svg .mark, svg .flow, svg .edge, svg .node circle, svg text");
  const texts = drawn.filter((it) => it.tagName !== "text" || it.textContent !== "");
  seen.pictures = all("svg").length;
  seen.sizes = [...all("svg"), ...texts].map((it) => Math.max(box(it).width, box(it).height));
  seen.drawn = texts.length;
  const labels = all("#graph .code, #graph .file").map(box);
  const apart = (a, b) => a.bottom <= b.top + 2 || b.bottom <= a.top + 2;
  seen.overlaps = labels.filter((a, i) => labels.some((b, j) => j > i && !apart(a, b))).length;

  const table = one("#points");
  const score = [...table.tHead.rows[0].cells].findIndex((head) => head.textContent.startsWith("times"));
  const head = table.tHead.rows[0].cells[score];
  const shown = () => [...table.tBodies[0].rows].filter((row) => row.offsetHeight > 0);
  const column = () => shown().map((row) => Number(row.cells[score].dataset.key));
  head.querySelector("button").click();
  seen.up = column();
  head.querySelector("button").click();
  seen.down = column();
  seen.sortedBy = head.getAttribute("aria-sort");
  const field = table.closest(".tabled").querySelector("input[type=search]");
  const filter = (words) => {
    field.value = words;
    field.dispatchEvent(new Event("input"));
    return shown().length;
  };
  seen.rows = shown().length;
  seen.filtered = filter("DELIVER message.c");
  seen.nothing = filter("no such line");
  seen.again = filter("");

  const edges = () => all("#graph .edge").filter((edge) => getComputedStyle(edge).display !== "none").length;
  seen.edges = edges();
  const range = one("#graph-controls input[type=range]");
  const choose = (value) => {
    range.value = value;
    range.dispatchEvent(new Event("input"));
  };
  choose(2);
  seen.bestEdges = edges();
  choose(range.max);
  one("#graph-controls input[type=checkbox]").click();
  seen.badEdges = edges();
  one("#graph-controls input[type=checkbox]").click();

  const view = () => one("#graph").getAttribute("viewBox");
  seen.whole = view();
  one("[aria-label='Zoom in']").click();
  seen.zoomed = view();
  one("[aria-label='Show the whole graph']").click();
  seen.restored = view();

  const paper = () => getComputedStyle(document.documentElement).backgroundColor;
  const before = paper();
  one("#theme button").click();
  [seen.light, seen.dark] = [before, paper()];

  seen.program = one(".program").textContent;
  seen.foreign = all("img, iframe, object, script[src], [onload], [onerror]").length;
  seen.errors = window.complaints;
  const result = document.createElement("pre");
  result.id = "seen";
  result.textContent = JSON.stringify(seen);
  document.body.append(result);
});
