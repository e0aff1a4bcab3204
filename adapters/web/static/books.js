// The books: adding, opening, removing and editing them.

import { $, listen, pressed, put, send, speak, trouble } from "/static/common.js";

let isLeaving = false;
let isUploading = false;

function upload(file) {
  const most = Number($("bring").dataset.most);
  if (file.size > most) {
    trouble(`That file is too large: I take books of up to ${most / 1e6} MB.`);
    return;
  }
  trouble("");
  isUploading = true;
  $("progress").hidden = false;
  showProgress("Sending", file.name, 0);
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) showProgress("Sending", file.name, (100 * event.loaded) / event.total);
  });
  request.addEventListener("load", () => location.reload());
  request.addEventListener("error", () => {
    $("progress").hidden = true;
    isUploading = false;
    trouble("I couldn't get the file. Is Thusfar still running in its terminal?");
  });
  request.open("PUT", `/books?name=${encodeURIComponent(file.name)}`);
  request.send(file);
}

function showProgress(what, name, percent) {
  const line = `${what} ${name} …`;
  if ($("doing").textContent !== line) {
    $("doing").textContent = line;
    speak(line);
  }
  $("bar").value = percent;
}

async function save(form) {
  const chapters = {};
  for (const field of form.querySelectorAll("[data-chapter]")) {
    if (field.value.trim() && field.value !== field.defaultValue) chapters[field.dataset.chapter] = field.value;
  }
  const what = { chapters };
  for (const name of ["title", "author", "first_page", "last_page"]) what[name] = form.elements[name].value;
  $("saved").textContent = "";
  if (await send(`/books/${form.dataset.book}`, what)) $("saved").textContent = "Saved.";
}

if ($("bring")) {
  const drop = $("bring");
  $("file").addEventListener("change", () => $("file").files[0] && upload($("file").files[0]));
  for (const name of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop" && event.dataTransfer.files[0]) upload(event.dataTransfer.files[0]);
    });
  }
  main().addEventListener("click", async (event) => {
    const open = event.target.closest('[data-button^="tf1:.use:"]');
    const removes = event.target.closest('[data-button^="tf1:.remove:"]');
    if (removes) {
      const entry = removes.closest("[data-entry]");
      if (await send("/press", { button: removes.dataset.button, entry: entry.dataset.entry })) location.reload();
      return;
    }
    if (!open) {
      pressed(event, "books");
      return;
    }
    isLeaving = true;
    if (await send("/press", { button: open.dataset.button, entry: "" })) location.assign("/");
    else isLeaving = false;
  });
  listen({
    entry: (told) => {
      if (told.where !== "books" || isUploading) return; // after an import the page reloads and shows the outcome
      for (const other of document.querySelectorAll("[data-entry]")) if (other.id !== `e-${told.id}`) other.remove();
      const now = put(told.id, told.html);
      const parts = now.querySelectorAll(".part");
      if (parts.length) speak(parts[parts.length - 1].textContent.trim());
    },
    import: (told) => showProgress(told.what === "reading" ? "Reading" : `${told.what[0].toUpperCase()}${told.what.slice(1)}`, told.name, told.percent),
    book: () => isLeaving || isUploading || location.reload(),
  });
}

function main() {
  return $("main");
}

if ($("edit")) {
  $("edit").addEventListener("submit", (event) => {
    event.preventDefault();
    save($("edit"));
  });
}
document.body.dataset.ready = "yes";
