import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Servers, SOME_INSTALLATION } from "../contracts/published-contracts.ts";

/** The languages of the samples, in the order of the choice. */
export const LANGUAGES = ["curl", "TypeScript", "Python", "Go", "Java"] as const;

export type Language = (typeof LANGUAGES)[number];

/**
 * What a reader copies: a program in each language, or, for an address that only a person's browser asks for, one piece
 * for the browser.
 */
export type Sample =
  | {
      readonly says: string;
      /** What is said instead where a language does something else. */
      readonly saysIn?: Partial<Readonly<Record<Language, string>>>;
      readonly programs: Readonly<Record<Language, string>>;
    }
  | { readonly says: string; readonly browser: string };

/** By operation id, or by event type. Made by tools/samples; tests run them. */
export type Samples = Readonly<Record<string, Sample>>;

const FILE = join(import.meta.dirname, "..", "..", "..", "generated", "docs", "samples.json");

/** The samples of one contract, with this installation's address in place of the contract's. */
export function samplesOf(contract: "sign-on" | "gateway" | "events", { issuer, gatewayUrl }: Servers): Samples {
  const server = contract === "sign-on" ? issuer : gatewayUrl;
  const all = JSON.parse(readFileSync(FILE, "utf8").replaceAll(SOME_INSTALLATION, () => server)) as Record<
    string,
    Samples
  >;
  return all[contract] ?? {};
}
