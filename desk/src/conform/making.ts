import { createHash } from "node:crypto";
import { type MadeEvent, sampleEvent } from "../sample-events.ts";
import { sign } from "../signature.ts";

/** A request that a check sends. */
export interface MadePost {
  readonly event: MadeEvent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What checks make their requests with. */
export interface Making {
  /** A new event of a type; `more` replaces members or adds them. */
  event(type: string, more?: Readonly<Record<string, unknown>>): MadeEvent;
  /** The same event about another entity: what `ids` makes of its text. */
  about(event: MadeEvent, ids: (text: string) => string): MadeEvent;
  /** As Gatehouse would send it now, or so many seconds from now. */
  genuine(event: MadeEvent, secondsFromNow?: number): MadePost;
  /** An entry `v1,…` that another secret made. */
  foreignSignature(post: MadePost): string;
}

export const USER_AGENT = "Gatehouse/conform";

/** Makes requests that the owner of the secret would accept. */
export function making(key: Uint8Array, now: () => Date): Making {
  const foreignKey = createHash("sha256").update(key).digest();
  return {
    event: (type, more) => sampleEvent(type, now(), more),
    about: (event, ids) => ({ ...event, body: ids(event.body) }),
    genuine(event, secondsFromNow = 0) {
      const timestamp = Math.floor(now().getTime() / 1000) + secondsFromNow;
      const signature = sign(key, { id: event.id, timestamp, body: event.body });
      const headers = {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": event.id,
        "webhook-timestamp": `${timestamp}`,
        "webhook-signature": signature,
      };
      return { event, headers, body: event.body };
    },
    foreignSignature: ({ headers, event, body }) =>
      sign(foreignKey, { id: event.id, timestamp: Number(headers["webhook-timestamp"]), body }),
  };
}

/** The same request with other headers; one that is `undefined` is left out. */
export function withHeaders(post: MadePost, changes: Readonly<Record<string, string | undefined>>): MadePost {
  const all = Object.entries({ ...post.headers, ...changes });
  const headers = Object.fromEntries(all.filter((header): header is [string, string] => header[1] !== undefined));
  return { ...post, headers };
}
