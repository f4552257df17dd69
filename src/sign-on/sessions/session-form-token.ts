import { createHash } from "node:crypto";

/**
 * The token of a form that only a signed-in person is shown: derived from the session's secret, which only this browser
 * has and no page shows (S10). Valid for one purpose, for example one page with its contents, and for as long as the
 * session.
 */
export const sessionFormToken = (sessionSecret: string, ...purpose: readonly string[]): string =>
  createHash("sha256")
    .update(JSON.stringify(["session form token", ...purpose, sessionSecret]))
    .digest("base64url");
