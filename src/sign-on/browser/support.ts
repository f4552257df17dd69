import { breakableAddress } from "#runtime/pages/breakable-address.ts";
import { type Html, html } from "#runtime/pages/html.ts";
import type { Texts } from "../texts/en.ts";

/** Where a person can ask for help, and the request id by which an operator finds what happened (R-X196). */
export interface Support {
  /** As the setting `support-contact` has it; without one, the person's company is named. */
  readonly contact: string | undefined;
  readonly requestId: string;
}

/** After a failed sign-in. The same for every cause, so that it shows nothing about the account (R-S17). */
export const helpAfterFailure = (support: Support, { support: words }: Texts): Html =>
  html`<p class="aside">${words.forgotten(whom(support, words))} ${words.reference(html`<code>${support.requestId}</code>`)}</p>`;

/** On an error page, whose footer has the reference: the one sentence that says whom to ask. */
export const helpWithError = (
  { isOfApplication = false, ...support }: Support & { readonly isOfApplication?: boolean },
  { support: words }: Texts,
): Html => html`<p class="aside">${words[isOfApplication ? "stuckByApplication" : "stuck"](whom(support, words))}</p>`;

function whom({ contact, requestId }: Support, words: Texts["support"]): Html {
  if (contact === undefined) return html`${words.administrator}`;
  if (contact.startsWith("https://")) return html`<a href="${contact}"><bdi>${shownLink(contact)}</bdi></a>`;
  const subject = encodeURIComponent(words.subject(requestId));
  return html`<a href="mailto:${contact}?subject=${subject}"><bdi>${breakableAddress(contact)}</bdi></a>`;
}

/** `https://company.example/help/?from=sign-in` → `company.example/help` */
const shownLink = (link: string): string => {
  const { host, pathname } = new URL(link);
  return `${host}${pathname}`.replace(/\/$/, "");
};
