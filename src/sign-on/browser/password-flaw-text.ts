import type { PasswordFlaw, SetPasswordPage } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
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
