import { createHash } from "node:crypto";

/**
 * The id of a session for applications (the claim `sid`, OpenID Connect Front-Channel Logout §3): 22 characters,
 * derived from the digest that the session is stored under, so that it opens nothing and needs no column.
 */
export const sidOf = (sessionDigest: Buffer): string =>
  createHash("sha256").update("sid\n").update(sessionDigest).digest("base64url").slice(0, 22);
