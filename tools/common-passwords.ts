import { dictionary } from "@zxcvbn-ts/language-common";
import { COMMON_LENGTH_MIN } from "../src/sign-on/credentials/password-rules.ts";

/** The passwords that leaks show most often, as new ones are compared with them (R-X15): in NFKC and lower case, a line each. */
export function commonPasswords(): string {
  const common = dictionary["passwords-common"].map((password) => String(password).normalize("NFKC").toLowerCase());
  const compared = [...new Set(common)].filter((password) => [...password].length >= COMMON_LENGTH_MIN);
  return `${compared.join("\n")}\n`;
}
