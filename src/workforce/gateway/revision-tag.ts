import { hash } from "node:crypto";
import { listedEntityTags } from "#runtime/http/entity-tag.ts";

/** What an entity tag speaks of: one answer as one key gets it. */
export interface TagScope {
  readonly key: string;
  /** Path and query, each in one spelling; the instance integration is in it. */
  readonly target: string;
  /** Names how values are written down: another version of the contract, or of the program, makes other bytes. */
  readonly representation: string;
}

/** More tags than this are not looked at; the answer is then 200 where it could have been 304. */
const TAGS_MAX = 32;
const DIGEST_LENGTH = 22;
const TAG = /^"([0-9a-z]{1,11})-[A-Za-z0-9_-]{22}"$/;

/** A strong entity tag (R-G10). The revision stands in it, so that services can be told which one the caller has. */
export const toRevisionTag = (scope: TagScope, revision: number): string =>
  `"${revision.toString(36)}-${digestOf(scope, revision)}"`;

/** The highest revision of which `If-None-Match` has this scope's own tag; null when it has none. */
export function knownRevision(scope: TagScope, header: string | readonly string[] | undefined): number | null {
  const revisions = listedEntityTags(header)
    .slice(0, TAGS_MAX)
    .flatMap((tag) => {
      const revision = Number.parseInt(TAG.exec(tag)?.[1] ?? "", 36);
      return Number.isSafeInteger(revision) && toRevisionTag(scope, revision) === tag ? [revision] : [];
    });
  return revisions.length === 0 ? null : Math.max(...revisions);
}

/** Some 128 bits; a tag of another resource, key or version is worth nothing here. Of its input only the key is secret, by 250 bits. */
const digestOf = ({ key, target, representation }: TagScope, revision: number): string =>
  hash("sha256", `${key}\n${representation}\n${revision}\n${target}`, "base64url").slice(0, DIGEST_LENGTH);
