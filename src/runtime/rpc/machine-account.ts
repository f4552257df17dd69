import { userInfo } from "node:os";

/** The account of this machine that the program runs under, for the audit log; other characters become underscores. */
export const machineAccount = (): string =>
  accountName()
    .replaceAll(/[^\w.@-]/g, "_")
    .slice(0, 64);

/** A container may run under an id that no account has: `uid-54321`. */
function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return `uid-${process.getuid?.()}`;
  }
}
