import { createHash, hash } from "node:crypto";
import type { GetPersonResponse } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import { digestOf } from "../digest.ts";
import { type Device, NO_DEVICE } from "./device.ts";
import type { ConsentingSession, SessionAccess, SessionRepository, SignOnSession } from "./session-repository.ts";

export interface SessionLimits {
  readonly idleMinutes: number;
  readonly absoluteMinutes: number;
}

/** Sessions by their secret, under the limits of the settings. */
export interface Sessions {
  /** The live session that the cookie's secret names; `undefined` for none, ended, idle or expired. */
  find(secret: string | undefined): Promise<SignOnSession | undefined>;
  /**
   * The session that the cookie's secret names, live or not; `undefined` for one that was ended. An idle or expired one signs
   * no person in, but what was issued from it goes on until the person signs out.
   */
  findUnended(secret: string | undefined): Promise<SignOnSession | undefined>;
  /** What `findUnended` has found, unless it is idle or has expired: as `find` would have found it. */
  liveOf(unended: SignOnSession | undefined): SignOnSession | undefined;
  /** The live session with what the person approved for an application on an instance; `undefined` as `find` has it. */
  findConsenting(secret: string | undefined, access: SessionAccess): Promise<ConsentingSession | undefined>;
  /** The person's live sessions, the latest sign-in first, at most five hundred. */
  listOf(personId: PersonId): Promise<readonly SignOnSession[]>;
  /**
   * A session for a sign-in that has just happened, not stored yet, and the secret for its cookie.
   * @param after instants that the password was entered after, also where the clock was set back since (0035).
   */
  begin(
    personId: PersonId,
    at: Date,
    device?: Device,
    after?: readonly (Date | undefined)[],
  ): { readonly session: SignOnSession; readonly secret: string };
}

const idleSince = (now: Date, { idleMinutes }: SessionLimits): Date =>
  new Date(now.getTime() - idleMinutes * MINUTE_MS);

/** A use of a session is written down about once a minute. */
export const isUseDue = ({ seenAt }: Pick<SignOnSession, "seenAt">, now: Date): boolean =>
  Math.abs(now.getTime() - seenAt.getTime()) >= MINUTE_MS;

export const createSessions = (
  repository: Pick<SessionRepository, "findLive" | "findUnended" | "findConsenting" | "listLiveOf">,
  limits: SessionLimits,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Sessions => ({
  async find(secret) {
    if (secret === undefined || secret === "") return undefined;
    const now = clock.now();
    return repository.findLive(digestOf(secret), now, idleSince(now, limits));
  },
  async findUnended(secret) {
    return secret === undefined || secret === "" ? undefined : repository.findUnended(digestOf(secret));
  },
  liveOf(unended) {
    const now = clock.now();
    return unended !== undefined && unended.expiresAt > now && unended.seenAt > idleSince(now, limits)
      ? unended
      : undefined;
  },
  async findConsenting(secret, access) {
    if (secret === undefined || secret === "") return undefined;
    const now = clock.now();
    return repository.findConsenting(digestOf(secret), now, idleSince(now, limits), access);
  },
  async listOf(personId) {
    const now = clock.now();
    return repository.listLiveOf(personId, now, idleSince(now, limits));
  },
  begin(personId, at, device = NO_DEVICE, after = []) {
    const authenticatedAt = new Date(Math.max(...[at, ...after].map((instant = at) => instant.getTime())));
    const secret = newSecret(random);
    const expiresAt = new Date(at.getTime() + limits.absoluteMinutes * MINUTE_MS);
    const digest = digestOf(secret);
    return { session: { digest, personId, authenticatedAt, seenAt: at, expiresAt, device }, secret };
  },
});

/**
 * True for a session of a person who is disabled, or was since the password was entered (R-X93). The store cannot tell:
 * code that uses or shows a session asks workforce and checks this.
 */
export const isSessionOver = (
  { authenticatedAt }: Pick<SignOnSession, "authenticatedAt">,
  { disabled, enabledAt }: Pick<GetPersonResponse, "disabled" | "enabledAt">,
): boolean => disabled || (enabledAt instanceof Date && authenticatedAt < enabledAt);

/**
 * The id of a session for applications (the claim `sid`, OpenID Connect Front-Channel Logout §3): 22 characters,
 * derived from the digest that the session is stored under, so that it opens nothing and needs no column.
 */
export const sidOf = (sessionDigest: Buffer): string =>
  createHash("sha256").update("sid\n").update(sessionDigest).digest("base64url").slice(0, 22);

/**
 * The token of a form that only a signed-in person is shown: derived from the session's secret, which only this browser
 * has and no page shows (S10). Valid for one purpose, for example one page with its contents, and for as long as the
 * session.
 */
export const sessionFormToken = (sessionSecret: string, ...purpose: readonly string[]): string =>
  hash("sha256", JSON.stringify(["session form token", ...purpose, sessionSecret]), "base64url");
