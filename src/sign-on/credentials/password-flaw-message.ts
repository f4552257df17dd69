import { PasswordFlaw as PasswordFlawMessage } from "#generated/proto/gatehouse/sign_on/v1/passwords.ts";
import type { PasswordFlaw } from "./password-rules.ts";

const FLAWS: Readonly<Record<PasswordFlaw | "different", PasswordFlawMessage>> = {
  "too short": PasswordFlawMessage.PASSWORD_FLAW_TOO_SHORT,
  "too long": PasswordFlawMessage.PASSWORD_FLAW_TOO_LONG,
  pattern: PasswordFlawMessage.PASSWORD_FLAW_PATTERN,
  common: PasswordFlawMessage.PASSWORD_FLAW_COMMON,
  personal: PasswordFlawMessage.PASSWORD_FLAW_PERSONAL,
  different: PasswordFlawMessage.PASSWORD_FLAW_DIFFERENT,
};

/** What is wrong with a new password, or that its repetition is `different`; unspecified when nothing is. */
export const toFlawMessage = (flaw: PasswordFlaw | "different" | undefined): PasswordFlawMessage =>
  flaw === undefined ? PasswordFlawMessage.PASSWORD_FLAW_UNSPECIFIED : FLAWS[flaw];
