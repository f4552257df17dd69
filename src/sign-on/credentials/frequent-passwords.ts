import { dictionary } from "@zxcvbn-ts/language-common";

const COMMON: ReadonlySet<string> = new Set(
  dictionary["passwords-common"].map((password) => String(password).normalize("NFKC").toLowerCase()),
);

/** True for one of the fifty thousand passwords that leaks show most often; compared in lower case. */
export const isCommonPassword = (password: string): boolean => COMMON.has(password);
