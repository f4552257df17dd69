import { type Html, html } from "../html.ts";

const DEPTH_MAX = 4;
/** Claims that hold seconds since 1970. */
const TIME_CLAIMS = new Set(["exp", "iat", "nbf", "auth_time", "updated_at"]);

/** Every claim with its value, under a heading of its own. */
export function claimsView(id: string, heading: string, how: Html, claims: Readonly<Record<string, unknown>>): Html {
  const rows = Object.entries(claims).map(
    ([name, value]) => html`<div data-claim="${name}"><dt>${name}</dt><dd>${claimValue(name, value)}</dd></div>`,
  );
  return html`<div id="${id}"><h3>${heading}</h3><p class="aside">${how}</p><dl class="claims">${rows}</dl></div>`;
}

function claimValue(name: string, value: unknown): Html {
  const time = TIME_CLAIMS.has(name) && typeof value === "number" ? new Date(value * 1000) : undefined;
  if (!time || Number.isNaN(time.getTime())) return valueView(value);
  return html`<code>${String(value)}</code> <span class="aside">${timeView(time)}</span>`;
}

/** Any JSON value: lists of objects as small tables, objects as name and value, the rest as text. */
function valueView(value: unknown, depth = 0): Html {
  if (depth > DEPTH_MAX) return html`<code>${pretty(value)}</code>`;
  if (Array.isArray(value)) return listView(value, depth);
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([name, member]) => html`<div><dt>${name}</dt><dd>${valueView(member, depth + 1)}</dd></div>`,
    );
    return html`<dl class="members">${members}</dl>`;
  }
  if (typeof value === "string" && !isId(value)) return html`${value}`;
  return html`<code>${String(value)}</code>`;
}

function listView(list: readonly unknown[], depth: number): Html {
  if (list.length === 0) return html`<span class="aside">empty list</span>`;
  return html`<ul class="items">${list.map((item) => html`<li>${valueView(item, depth + 1)}</li>`)}</ul>`;
}

/** Ids and other random text are easier to compare in a fixed-width face. */
const isId = (text: string) => /^[A-Za-z0-9_-]{20,}$/.test(text);

/** `2026-06-30 08:17:03.006 UTC`: sortable, and the same for every reader. */
export function timeView(time: Date): Html {
  const iso = time.toISOString();
  return html`<time datetime="${iso}">${iso.replace("T", " ").replace("Z", " UTC").replace(".000", "")}</time>`;
}

/** The same for a time from others, which may be malformed. */
export function statedTimeView(text: string): Html {
  const time = new Date(text);
  return Number.isNaN(time.getTime()) ? html`${text}` : timeView(time);
}

/** `340 ms`, `4.2 s`, `61 min`. */
export function durationText(ms: number): string {
  if (!Number.isFinite(ms)) return "an unknown time";
  if (Math.abs(ms) < 1000) return `${Math.round(ms)} ms`;
  return Math.abs(ms) < 120_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}

export function pretty(value: unknown): string {
  try {
    return typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? "");
  } catch {
    return "(nested too deeply to show)";
  }
}
