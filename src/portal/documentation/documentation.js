// Draws the contract that the page names. Runs in the browser; loads from this origin only.

const place = document.getElementById("documentation");
const { contract, renderer, server } = place.dataset;
const address = (path) => new URL(path, document.baseURI);

try {
  const [{ init }, answer] = await Promise.all([import(address(renderer)), fetch(address(contract))]);
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const description = await answer.json();
  if (server !== undefined && description.servers !== undefined) description.servers = [{ url: server }];
  if (description.asyncapi !== undefined) oneChannelPerMessage(description);
  new MutationObserver(tellWhoListens).observe(place, { childList: true, characterData: true, subtree: true });
  init(
    description,
    {
      disableTelemetry: true,
      hideDownloadButtons: true,
      jsonSamplesExpandLevel: 4,
      schemasExpansionLevel: 1,
      sortRequiredPropsFirst: false,
    },
    place,
  );
} catch (error) {
  const failed = document.getElementById("failed");
  failed.hidden = false;
  failed.append(` (${error.message})`);
}

/**
 * Adds ARIA attributes where Redoc shows something by appearance only: the list of contents, skipped levels of
 * headings, the state of a button.
 */
function tellWhoListens() {
  const contents = place.querySelector(".menu-content:not([role])");
  contents?.setAttribute("role", "navigation");
  contents?.setAttribute("aria-label", "Contents");
  let above = 1;
  for (const heading of place.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    above = Math.min(Number(heading.tagName.slice(1)), above + 1);
    heading.ariaLevel = String(above);
  }
  for (const button of place.querySelectorAll("button[aria-haspopup='menu'][aria-label]")) {
    if (button.ariaLabel.includes(button.textContent)) continue;
    button.dataset.chooses ??= button.ariaLabel;
    button.ariaLabel = `${button.dataset.chooses}: ${button.textContent}`;
  }
}

/**
 * Gives each message a channel of its own: the contract has one channel for all, the list of contents shows channels,
 * and readers look for the name of a message.
 */
function oneChannelPerMessage(description) {
  const [channel] = Object.values(description.channels);
  const [operation] = Object.values(description.operations);
  const messages = Object.entries(channel.messages).map(([name, reference]) => [
    name,
    reference,
    description.components.messages[name],
  ]);
  description.channels = Object.fromEntries(
    messages.map(([name, reference, { title, summary, description: text }]) => [
      name,
      { ...channel, title, summary, description: text, messages: { [name]: reference } },
    ]),
  );
  description.operations = Object.fromEntries(
    messages.map(([name, , { title, summary, description: text }]) => [
      `send${name}`,
      { ...operation, title, summary, description: text, channel: { $ref: `#/channels/${name}` } },
    ]),
  );
}
