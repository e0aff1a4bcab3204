// The books: bringing one, opening, removing and mending them.

import { $, listen, pressed, put, send, speak, trouble } from "/static/common.js";

let isLeaving = false;
let isBringing = false;

function bring(file) {
  const most = Number($("bring").dataset.most);
  if (file.size > most) {
    trouble(`That file is too large: I take books of up to ${most / 1e6} MB.`);
    return;
  }
  trouble("");
  isBringing = true;
  $("progress").hidden = false;
  doing("Sending", file.name, 0);
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", (event) => {
    if (event.lengthComputable) doing("Sending", file.name, (100 * event.loaded) / event.total);
  });
  request.addEventListener("load", () => location.reload());
  request.addEventListener("error", () => {
    $("progress").hidden = true;
    isBringing = false;
    trouble("The file could not be sent: is Thusfar still running in its terminal?");
  });
  request.open("PUT", `/books?name=${encodeURIComponent(file.name)}`);
  request.send(file);
}

function doing(what, name, percent) {
  const line = `${what} ${name} …`;
  if ($("doing").textContent !== line) {
    $("doing").textContent = line;
    speak(line);
  }
  $("bar").value = percent;
}

async function mend(form) {
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
  $("file").addEventListener("change", () => $("file").files[0] && bring($("file").files[0]));
  for (const name of ["dragover", "dragleave", "drop"]) {
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      drop.classList.toggle("over", name === "dragover");
      if (name === "drop" && event.dataTransfer.files[0]) bring(event.dataTransfer.files[0]);
    });
  }
  main().addEventListener("click", async (event) => {
    const open = event.target.closest('[data-open], [data-button^="tf1:.use:"]');
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
      if (told.where !== "books" || isBringing) return; // what became of a file, the page shows when it is loaded anew
      for (const other of document.querySelectorAll("[data-entry]")) if (other.id !== `e-${told.id}`) other.remove();
      const now = put(told.id, told.html);
      const parts = now.querySelectorAll(".part");
      if (parts.length) speak(parts[parts.length - 1].textContent.trim());
      if (/ is gone\.\s*$/.test(now.textContent.trim())) location.reload();
    },
    import: (told) => doing(told.what === "reading" ? "Reading" : `${told.what[0].toUpperCase()}${told.what.slice(1)}`, told.name, told.percent),
    book: () => isLeaving || isBringing || location.reload(),
  });
}

function main() {
  return $("main");
}

if ($("mend")) {
  $("mend").addEventListener("submit", (event) => {
    event.preventDefault();
    mend($("mend"));
  });
}
document.body.dataset.ready = "yes";
