// The page with the book on the left and the talk on the right.

import { $, listen, pressed, put, send, speak, trouble } from "/static/common.js";

const main = $("main");
const slider = $("slider");
let epoch = main.dataset.epoch;
let version = Number(main.dataset.version);
let position = Number(document.querySelector(".progress")?.dataset.position ?? 0);
let shown = Number(document.querySelector("#leaf .leaf")?.dataset.page ?? 0);
let wanted = 0;
let isDragged = false;

const names = $("book")?.dataset.names?.split(" ");
const chapters = ($("book")?.dataset.chapters || "").split(";").filter(Boolean).map((one) => one.split(",").map(Number));
const nameOf = (page) => (page ? (names ? names[page - 1] : String(page)) : "–");
const chapterOf = (page) => chapters.find(([, first, last]) => first <= page && page <= last)?.[0];

// --- the reading position --------------------------------------------------------------------------------------------

function label(page) {
  const chapter = chapterOf(page);
  $("bubble").textContent = `p. ${nameOf(page)}`;
  slider.setAttribute("aria-valuetext", page ? `page ${nameOf(page)} of ${nameOf(Number(slider.max))}${chapter ? `, chapter ${chapter}` : ""}` : "nothing read yet");
  slider.style.setProperty("--read", `${(100 * page) / Math.max(Number(slider.max), 1)}%`);
}

async function move(where) {
  const told = await send("/page", where);
  isDragged = false;
  if (told?.asks) {
    $("leap-text").textContent = told.asks;
    $("leap-yes").textContent = told.yes;
    $("leap").dataset.button = told.button;
    $("leap").showModal();
  } else if (!told || told.refusal) {
    if (told?.refusal) trouble(told.refusal);
    settle();
  }
}

function settle() {
  slider.value = Math.min(position, Number(slider.max));
  label(position);
}

function place(now) {
  const before = position;
  const isFollowing = shown === before || shown === 0 || shown > now.position;
  position = now.position;
  $("place").innerHTML = now.html;
  $("beside").max = position;
  if (!$("pair").checked) $("beside").value = Math.floor(position / 2);
  if (!isDragged) settle();
  chaptersBegun();
  if (position < before) {
    for (const entry of document.querySelectorAll("[data-entry]")) {
      if (!entry.dataset.entry.startsWith(`${epoch}-`)) entry.remove();
    }
  }
  if (before === position) return;
  if (isFollowing || shown > position) show(position);
  else turning();
}

// --- the book --------------------------------------------------------------------------------------------------------

async function show(page, quotes = []) {
  wanted = page;
  const response = await fetch(`/read/${page}`).catch(() => null);
  if (wanted !== page) return;
  if (!response?.ok) {
    trouble("I can't show that page right now.");
    return;
  }
  $("leaf").innerHTML = await response.text();
  $("leaf").scrollTop = 0;
  shown = page;
  turning();
  mark(quotes);
}

function turning() {
  const last = Number($("book").dataset.pages);
  $("back").disabled = shown <= 1;
  $("on").disabled = shown >= position && position >= last;
  $("on").textContent = shown >= position && position < last ? `Read on to p. ${nameOf(position + 1)} ›` : "Next ›";
  const begun = [...$("chapter").options].filter((one) => Number(one.value) <= shown);
  if (begun.length) $("chapter").value = begun.at(-1).value;
}

function chaptersBegun() {
  const options = [...document.querySelectorAll("#begun li")].map((one) => new Option(one.textContent, one.dataset.page));
  $("chapter").replaceChildren(...options);
  $("chapter").hidden = options.length < 1;
  turning();
}

const folded = (text) => text.replace(/\s+/g, " ").trim();

// Highlights the quotations on the page, and scrolls to the first.
function mark(quotes) {
  for (const paragraph of document.querySelectorAll("#leaf .leaf > p:not(.running)")) {
    const text = folded(paragraph.textContent);
    const quote = quotes.find((one) => text.includes(one)) ?? (quotes.some((one) => one.includes(text)) ? text : null);
    if (quote === null || quote.length < 8) continue;
    const at = text.indexOf(quote);
    const marked = document.createElement("mark");
    marked.textContent = quote;
    paragraph.replaceChildren(text.slice(0, at), marked, text.slice(at + quote.length));
  }
  const first = document.querySelector("#leaf mark");
  if (first) $("leaf").scrollTop += first.getBoundingClientRect().top - $("leaf").getBoundingClientRect().top - 80;
}

function cite(link) {
  const part = link.closest(".part");
  const quotes = [...part.querySelectorAll("blockquote p")].map((one) => folded(one.textContent.replace(/\(pp?\..*?\)/g, "")));
  const spoken = [...part.textContent.matchAll(/[“"]([^”"]{12,})[”"]/g)].map((one) => folded(one[1]));
  side("book");
  show(Number(link.dataset.page), [...quotes, ...spoken]).then(() => $("leaf").focus({ preventScroll: true }));
}

// --- the talk --------------------------------------------------------------------------------------------------------

function atEnd() {
  const log = $("log");
  log.scrollTop = log.scrollHeight;
}

function entry(told) {
  version = told.version;
  if (told.where !== "talk") return;
  const isNew = !$(`e-${told.id}`);
  const wasThere = isNew ? 0 : $(`e-${told.id}`).querySelectorAll(".part").length;
  const now = put(told.id, told.html);
  const parts = [...now.querySelectorAll(".part")];
  const said = parts.slice(wasThere).map((one) => one.textContent.trim().replace(/\s+/g, " "));
  const state = now.querySelector(".states li:last-child");
  if (said.length) speak(said.join(" "));
  else if (state && !parts.length) speak(state.textContent.trim());
  if (isNew || said.length) reveal(now, parts, wasThere);
}

// Scrolls to the start of a long answer, or to the end if the whole entry fits.
function reveal(now, parts, wasThere) {
  const log = $("log");
  if (!now.matches(":last-child")) return;
  if (now.offsetHeight < log.clientHeight - 24) atEnd();
  else if (wasThere < parts.length) log.scrollTop = now.offsetTop - log.offsetTop - 12;
}

async function again() {
  const told = await fetch("/talk").then((response) => response.json()).catch(() => null);
  if (!told || told.epoch !== epoch) return;
  version = told.version;
  $("entries").innerHTML = told.html;
  atEnd();
}

function hello(told) {
  if (told.book !== undefined && told.book !== $("book")?.dataset.book) {
    location.reload();
    return;
  }
  if (told.place) place(told.place);
  const isSame = told.epoch === epoch;
  epoch = told.epoch;
  if (isSame && told.version !== version) again();
  version = told.version;
}

async function say() {
  const text = $("text").value.trim();
  if (!text) return;
  const what = { text };
  if ($("pair").checked) what.beside = Number($("beside").value);
  if (await send("/say", what)) {
    $("text").value = "";
    atEnd();
  }
  $("text").focus();
}

// --- controls and events ---------------------------------------------------------------------------------------------

function side(which) {
  document.body.classList.toggle("talk-side", which === "talk");
  $("show-book")?.setAttribute("aria-pressed", String(which === "book"));
  $("show-talk")?.setAttribute("aria-pressed", String(which === "talk"));
  if (which === "talk") atEnd();
}

if (slider) {
  let later = 0;
  slider.addEventListener("input", () => {
    isDragged = true;
    label(Number(slider.value));
  });
  slider.addEventListener("change", () => {
    const page = Number(slider.value);
    clearTimeout(later);
    later = setTimeout(() => move({ page }), 250);
  });
  $("leap").addEventListener("close", () => {
    if ($("leap").returnValue === "yes") send("/press", { button: $("leap").dataset.button, entry: "" });
    else settle();
    $("leap").returnValue = "";
    slider.focus();
  });
  $("goto").addEventListener("submit", (event) => {
    event.preventDefault();
    const to = $("to").value.trim();
    if (to) move({ to });
    $("to").value = "";
  });
  $("back").addEventListener("click", () => show(shown - 1));
  $("on").addEventListener("click", () => (shown < position ? show(shown + 1) : move({ page: position + 1 })));
  $("chapter").addEventListener("change", () => show(Number($("chapter").value)));
  $("show-book").addEventListener("click", () => side("book"));
  $("show-talk").addEventListener("click", () => side("talk"));
  $("pair").addEventListener("change", () => {
    $("beside").disabled = !$("pair").checked;
    if ($("pair").checked) $("beside").focus();
  });
  $("say").addEventListener("submit", (event) => {
    event.preventDefault();
    say();
  });
  $("text").addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      say();
    }
  });
  label(position);
  chaptersBegun();
}

$("log").addEventListener("click", (event) => {
  const link = event.target.closest("a.cite");
  if (link) {
    event.preventDefault();
    cite(link);
    return;
  }
  pressed(event, "talk");
});

listen({
  hello,
  entry,
  gone: (told) => {
    version = told.version;
    $(`e-${told.id}`)?.remove();
  },
  place: (told) => {
    version = told.version;
    place(told);
  },
  book: () => location.assign("/"),
  import: (told) => (version = told.version),
});
atEnd();
document.body.dataset.ready = "yes";
