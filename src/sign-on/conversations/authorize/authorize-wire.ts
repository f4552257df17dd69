import type { Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { KNOWN } from "./parameters.ts";

/** Names of parameters with a meaning in the address of a POST, whose place is the body. */
export const toMisplaced = (inAddress: readonly Parameter[]): string[] => {
  const names = new Set(inAddress.map(({ name }) => name));
  return KNOWN.filter((name) => names.has(name));
};
