import { hash } from "node:crypto";
import { CODINGS, type Coding } from "#runtime/http/content-coding.ts";
import { listedEntityTags } from "#runtime/http/entity-tag.ts";

/** What an entity tag speaks of: one answer as one key gets it. */
interface TagScope {
  readonly key: string;
  /** Path and query, each in one spelling; the instance integration is in it. */
  readonly target: string;
  /** Names how values are written down: another version of the contract, or of the program, makes other bytes. */
  readonly representation: string;
}

/** In more tags than this no revision is looked for; the answer may then be 200 where it could have been 304. */
const TAGS_MAX = 32;
const DIGEST_LENGTH = 22;
const TAG = new RegExp(`^"([0-9a-z]{1,11})-([A-Za-z0-9_-]{${DIGEST_LENGTH}})(?:-(?:${CODINGS.join("|")}))?"$`);

/**
 * A strong entity tag (R-G10). It contains the revision, so that the call to services can name the caller's one; its
 * last part is the coding.
 */
export const toRevisionTag = (scope: TagScope, revision: number, coding?: Coding): string =>
  `"${revision.toString(36)}-${digestOf(scope, revision)}${coding === undefined ? "" : `-${coding}`}"`;

/** A tag of this scope that somebody has, in whichever coding. */
interface KnownTag {
  readonly tag: string;
  readonly revision: number;
}

/** The tag of this scope with the highest revision that `If-None-Match` has, if any. */
export function knownTag(scope: TagScope, header: string | readonly string[] | undefined): KnownTag | undefined {
  let known: KnownTag | undefined;
  for (const tag of listedEntityTags(header).slice(0, TAGS_MAX)) {
    const [, text = "", digest] = TAG.exec(tag) ?? [];
    const revision = Number.parseInt(text, 36);
    if (!Number.isSafeInteger(revision) || revision.toString(36) !== text || revision <= (known?.revision ?? -1))
      continue;
    if (digestOf(scope, revision) === digest) known = { tag, revision };
  }
  return known;
}

/**
 * Some 128 bits; a tag of another resource, key or version is worth nothing here. Of its input only the key is secret,
 * by 250 bits.
 */
const digestOf = ({ key, target, representation }: TagScope, revision: number): string =>
  hash("sha256", `${key}\n${representation}\n${revision}\n${target}`, "base64url").slice(0, DIGEST_LENGTH);
