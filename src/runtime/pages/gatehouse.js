// Shows passwords while a person types, and times in the person's own zone, and sends each form once. Where it does not
// run, nothing is missing: the boxes stay hidden, and the times say that they are in UTC.

// A second press while the answer is on its way would make the browser drop that answer, and with it a sign-in, or the
// news that a password is set. After this time nobody waits any more: the person may press again.
const ANSWER_MS = 20_000;
let sent;
let timer;
const sendAgain = () => {
  clearTimeout(timer);
  sent?.removeAttribute("aria-busy");
  sent = undefined;
};
addEventListener("submit", (event) => {
  if (sent !== undefined) return event.preventDefault();
  if (event.defaultPrevented) return;
  sent = event.target;
  sent.setAttribute("aria-busy", "true");
  timer = setTimeout(sendAgain, ANSWER_MS);
});
// Reloading the answer to a form, or Back to it, asks for the page at its address. Otherwise a browser would ask whether
// to send the form again, and a wrong password would count twice.
history.replaceState(history.state, "", location.href);

// A page that Back brings up again was never answered.
addEventListener("pageshow", ({ persisted }) => persisted && sendAgain());

// Stop: the person waits no more. Where a browser does not say so, the time above has to pass.
globalThis.navigation?.addEventListener("navigateerror", sendAgain);

// Some browsers keep even a page that must not be stored, and Back would show an account whose session has ended
// meanwhile. The account is never the answer to a form, so loading it again sends nothing twice.
if (document.querySelector(".hall") !== null)
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());

for (const reveal of document.querySelectorAll(".reveal")) {
  const box = reveal.querySelector("input");
  const fields = [...box.form.querySelectorAll("input[type=password]")];
  const show = (shown) => {
    box.checked = shown;
    for (const field of fields) field.type = shown ? "text" : "password";
  };
  box.addEventListener("change", () => show(box.checked));
  // Browsers remember what was in a text field, and never what was in a password field.
  box.form.addEventListener("submit", () => show(false));
  // A browser that restores a page restores its boxes too.
  show(false);
  reveal.hidden = false;
}

const zoned = document.querySelector(".zone");
if (zoned !== null) {
  const { lang } = document.documentElement;
  const parts = { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" };
  const format = new Intl.DateTimeFormat(lang, { ...parts, hourCycle: "h23" });
  for (const time of document.querySelectorAll("time")) time.textContent = format.format(new Date(time.dateTime));
  const zone = new Intl.DateTimeFormat(lang, { timeZoneName: "longGeneric" }).formatToParts();
  zoned.querySelector("bdi").textContent = zone.find(({ type }) => type === "timeZoneName").value;
  zoned.hidden = false;
}
