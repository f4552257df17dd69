import type {
  AccountAccess,
  AccountPage,
  AccountSession,
  AccountSignIn,
  Device,
} from "#generated/proto/gatehouse/sign_on/v1/account.ts";
import { breakableAddress } from "#runtime/pages/breakable-address.ts";
import { frame } from "#runtime/pages/frame.ts";
import { type Html, html } from "#runtime/pages/html.ts";
import { scopeText } from "../../browser/scope-text.ts";
import type { Texts } from "../../texts/en.ts";

/** The service's values, the addresses of the forms, and the last change. */
type AccountPageValues = AccountPage & {
  readonly action: string;
  readonly passwordAddress: string;
  readonly done: keyof Texts["account"]["done"] | undefined;
};

/**
 * A person's account: password, sessions, applications, the last sign-ins (R-S18, R-S20). Every button is a form of its
 * own and needs no script. Networks are not shown: an address says nothing to a person about a place (R-X118).
 */
export function accountPage(values: AccountPageValues, texts: Texts): string {
  const { account, changePassword } = texts;
  const done = values.done && account.done[values.done];
  const form = (content: Html) => html`<form method="post" action="${values.action}">
<input type="hidden" name="form_token" value="${values.formToken}">
${content}
</form>`;
  const link = html`<a class="button" href="${values.passwordAddress}">${account.changePassword}</a>`;
  return frame({
    title: done === undefined ? account.title : `${done.title} · ${account.title}`,
    language: texts.language,
    layout: "hall",
    skipLink: account.skip,
    script: true,
    body: html`<div class="wall">
<h1>${account.heading}</h1>
<p class="lead">${account.signedInAs(html`<bdi class="value">${breakableAddress(values.email)}</bdi>`)}</p>
${done !== undefined && html`<p class="notice" role="status">${done.effect}</p>`}
</div>
<div class="pavement">
<div class="rooms">
<nav aria-label="${account.sections}">
<ul class="signpost" role="list">
${Object.entries(SECTIONS).map(([id, heading]) => html`<li><a href="#${id}">${account[heading]}</a></li>`)}
</ul>
<p class="aside zone" hidden>${account.zone(html`<bdi></bdi>`)}</p>
</nav>
<div>
${section("password", html`<div class="entry"><p class="aside">${changePassword.footer}</p>${link}</div>`, texts)}
${section(
  "sessions",
  html`<ul class="entries" role="list">
${values.sessions.map((session, index) => sessionItem(session, index, form, texts))}
<li class="entry"><p class="aside" id="everywhere">${account.everywhereEffect}</p>
${form(html`<button type="submit" name="action" value="sign_out_everywhere" aria-describedby="everywhere">${account.everywhere}</button>`)}</li>
</ul>`,
  texts,
)}
${section(
  "applications",
  values.accesses.length === 0
    ? html`<p class="aside">${account.noApplications}</p>`
    : html`<ul class="entries" role="list">
${values.accesses.map((access, index) => accessItem(access, index, form, texts))}
</ul>`,
  texts,
)}
${section(
  "sign-ins",
  html`<p class="aside">${account.signInsAdvice}</p>
<ul class="entries" role="list">
${values.signIns.map((signIn) => signInItem(signIn, texts))}
</ul>`,
  texts,
)}
</div>
</div>
</div>`,
    footer: html`<p>${account.footer}</p>`,
  });
}

/** Ids of the sections with their headings, in order: first what a person in trouble looks for. */
const SECTIONS = {
  password: "password",
  sessions: "sessions",
  applications: "applications",
  "sign-ins": "signIns",
} as const;

const section = (
  id: keyof typeof SECTIONS,
  content: Html,
  { account }: Texts,
) => html`<section class="room" id="${id}" aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${account[SECTIONS[id]]}</h2>
${content}
</section>`;

type Form = (content: Html) => Html;

const sessionItem = (
  { sid, current, device, signedInAt, lastUsedAt }: AccountSession,
  index: number,
  form: Form,
  texts: Texts,
) => html`<li class="entry">
<div id="session-${index}"><p><strong>${deviceText(device, texts)}</strong>${current && html` <span class="mark">${texts.account.thisBrowser}</span>`}</p>
<p class="aside">${texts.account.signedInAt(moment(signedInAt, texts))} ${texts.account.lastUsedAt(moment(lastUsedAt, texts))}</p></div>
${form(html`<input type="hidden" name="session" value="${sid}">
<button type="submit" name="action" value="end_session" aria-describedby="session-${index}">${current ? texts.account.endThisSession : texts.account.endSession}</button>`)}
</li>`;

const accessItem = (
  { applicationId, applicationName, instanceId, instanceName, scopes, since, ended }: AccountAccess,
  index: number,
  form: Form,
  texts: Texts,
) => html`<li class="entry">
<div><p id="access-${index}">${texts.account[ended ? "endedAccess" : "access"](html`<bdi>${applicationName}</bdi>`, html`<bdi>${instanceName}</bdi>`)}</p>
<ul class="permissions">
${scopes.map((scope) => html`<li>${scopeText(scope, texts)}</li>`)}
</ul>
<p class="aside">${texts.account.since(moment(since, texts))}</p></div>
${form(html`<input type="hidden" name="application" value="${applicationId}">
<input type="hidden" name="instance" value="${instanceId}">
<button type="submit" name="action" value="withdraw" aria-describedby="access-${index}">${ended ? texts.account.withdrawConsent : texts.account.withdraw}</button>`)}
</li>`;

const signInItem = ({ at, succeeded, applicationName, device }: AccountSignIn, texts: Texts) => {
  const { account } = texts;
  const where = applicationName === "" ? account.toAccount : account.toApplication(html`<bdi>${applicationName}</bdi>`);
  return html`<li class="entry">
<p><strong${!succeeded && html` class="failed"`}>${succeeded ? account.succeeded : account.failed}</strong> ${where}</p>
<p class="aside">${moment(at, texts)} · ${deviceText(device, texts)}</p>
</li>`;
};

const deviceText = (device: Device | null, { account }: Texts): string =>
  account.device(device?.browser ?? "", device?.system ?? "");

/** In UTC, and labelled so; the page's script makes it the person's own time, whose zone only the browser knows. */
function moment(at: Date | undefined | null, { language }: Texts): Html {
  const instant = at ?? new Date(0);
  const text = new Intl.DateTimeFormat(language, {
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
    timeZone: "UTC",
    timeZoneName: "short",
  }).format(instant);
  return html`<time datetime="${instant.toISOString()}">${text}</time>`;
}
