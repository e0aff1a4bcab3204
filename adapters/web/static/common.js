// Shared by all pages: requests, screen reader messages, entries of the talk, server events.

export const $ = (id) => document.getElementById(id);

export async function send(address, what, method = "POST") {
  let response;
  try {
    response = await fetch(address, {
      method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(what),
    });
  } catch {
    trouble("I can't be reached. Is Thusfar still running in its terminal?");
    return null;
  }
  if (response.status === 401) {
    trouble(await response.text());
    return null;
  }
  const told = await response.json().catch(() => ({}));
  trouble(response.ok ? "" : told.refusal || "Something went wrong on my side.");
  return response.ok ? told : null;
}

export function trouble(sentence) {
  const line = $("trouble");
  line.hidden = !sentence;
  line.textContent = sentence;
}

export function speak(text) {
  $("spoken").textContent = text;
}

export function element(html) {
  const made = document.createElement("template");
  made.innerHTML = html.trim();
  return made.content.firstElementChild;
}

// Replaces an entry, or appends it; returns it.
export function put(id, html) {
  const before = $(`e-${id}`);
  const now = element(html);
  if (before) {
    const focused = before.contains(document.activeElement) ? document.activeElement.dataset.button : null;
    before.replaceWith(now);
    if (focused !== null) (now.querySelector(`[data-button="${CSS.escape(focused)}"]`) || now).focus();
  } else {
    $("entries").append(now);
  }
  return now;
}

// Listens to server events; reconnects by itself, and disconnects while the tab is hidden.
export function listen(handlers) {
  let source = null;
  const open = () => {
    if (source || document.hidden) return;
    source = new EventSource("/events");
    for (const [name, handle] of Object.entries(handlers)) {
      source.addEventListener(name, (event) => handle(JSON.parse(event.data)));
    }
    source.addEventListener("open", () => trouble(""));
    source.addEventListener("error", () => {
      const isOver = source.readyState === EventSource.CLOSED;
      trouble(isOver ? "Please open the link that Thusfar printed when it started." : "I've lost the connection. I'll go on when Thusfar is back …");
    });
  };
  const close = () => {
    source?.close();
    source = null;
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  addEventListener("pagehide", close);
  addEventListener("pageshow", open);
  open();
}

// Handles a press of a button in the talk.
export function pressed(event, where) {
  const button = event.target.closest("button");
  if (!button) return false;
  if (button.dataset.button) {
    button.setAttribute("aria-busy", "true");
    const entry = button.closest("[data-entry]");
    send("/press", { button: button.dataset.button, entry: entry ? entry.dataset.entry : "", where });
    return true;
  }
  if (button.dataset.say) {
    send("/say", { text: button.dataset.say, where });
    return true;
  }
  return false;
}
