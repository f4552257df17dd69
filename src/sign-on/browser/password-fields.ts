import type { PasswordFlaw, SetPasswordPage } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { type Html, html } from "#runtime/pages/html.ts";
import type { Texts } from "../texts/en.ts";

type Sentences = Texts["passwordFlaws"];

const FLAWS: Readonly<Record<PasswordFlaw, keyof Sentences | undefined>> = {
  PASSWORD_FLAW_UNSPECIFIED: undefined,
  PASSWORD_FLAW_TOO_SHORT: "tooShort",
  PASSWORD_FLAW_TOO_LONG: "tooLong",
  PASSWORD_FLAW_PATTERN: "pattern",
  PASSWORD_FLAW_COMMON: "common",
  PASSWORD_FLAW_PERSONAL: "personal",
  PASSWORD_FLAW_DIFFERENT: "different",
  UNRECOGNIZED: "common",
};

/** The rule that a new password breaks, as a sentence; `undefined` when it breaks none. */
export function passwordFlawText(
  { flaw, lengthMin, lengthMax }: Pick<SetPasswordPage, "flaw" | "lengthMin" | "lengthMax">,
  texts: Texts,
): string | undefined {
  const name = FLAWS[flaw];
  return name === undefined ? undefined : texts.passwordFlaws[name]({ min: lengthMin, max: lengthMax });
}

/** Whether the flaw is one of the repetition too, not of the new password alone. */
export const isOfRepetition = ({ flaw }: Pick<SetPasswordPage, "flaw">): boolean => flaw === "PASSWORD_FLAW_DIFFERENT";

/** Of a field that takes what is typed as it is: no program corrects it, or reads it to check or to go on with it. */
export const asTyped = html`autocapitalize="none" autocorrect="off" spellcheck="false" writingsuggestions="false"`;

// While a password is shown, its field is one of text.
const asPassword = (autocomplete: "current-password" | "new-password") =>
  html`type="password" autocomplete="${autocomplete}" required ${asTyped}`;

export const asCurrentPassword = asPassword("current-password");
export const asNewPassword = asPassword("new-password");

/**
 * The box that shows the passwords of its form. Only a script can do so, and reveals the box where it runs. It is no
 * part of what the form sends.
 */
export const revealBox = (words: string): Html =>
  html`<label class="reveal" hidden><input type="checkbox" autocomplete="off"> ${words}</label>`;
