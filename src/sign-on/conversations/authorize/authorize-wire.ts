import type { Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { KNOWN } from "./parameters.ts";

/** Names of known parameters in the address of a POST; they belong in the body. */
export const toMisplaced = (inAddress: readonly Parameter[]): string[] => {
  const names = new Set(inAddress.map(({ name }) => name));
  return KNOWN.filter((name) => names.has(name));
};
