// New events appear by themselves. Without this script the link "Look for new events" does the same.
const list = document.querySelector("#event-list");
const status = document.querySelector(".live");
const PAUSE_MS = 1500;

let newest = Number(list.querySelector("[data-number]")?.dataset.number ?? 0);
document.querySelector("[data-reload]").hidden = true;
status.hidden = false;

async function look() {
  const response = await fetch(`/events.json?after=${newest}`);
  // The answer lists the newest first; inserted from its end, the newest ends on top. The server has escaped the
  // markup.
  for (const { number, markup, event } of (await response.json()).reverse()) {
    list.insertAdjacentHTML("afterbegin", markup);
    list.firstElementChild.classList.add("fresh");
    status.textContent = `New: ${event?.type ?? "a refused one"}`;
    newest = number;
  }
}

async function keepLooking() {
  // A failure means that the program was stopped; keep polling, since it may be restarted.
  if (!document.hidden) await look().catch(() => {});
  setTimeout(keepLooking, PAUSE_MS);
}

keepLooking();
