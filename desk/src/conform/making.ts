import { type MadeEvent, sampleEvent } from "../sample-events.ts";
import type { SignedContent } from "../signature.ts";
import type { Scheme, Signer } from "./signer.ts";

/** A request that a check sends. */
export interface MadePost {
  readonly event: MadeEvent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What checks make their requests with. */
export interface Making {
  /** Of genuine signatures. */
  readonly scheme: Scheme;
  /** What makes them, in words: a secret or a key pair. */
  readonly keyName: string;
  /** A new event of a type; `more` replaces members or adds them. */
  event(type: string, more?: Readonly<Record<string, unknown>>): MadeEvent;
  /** The same event about another entity: what `ids` makes of its text. */
  about(event: MadeEvent, ids: (text: string) => string): MadeEvent;
  /** As Gatehouse would send it now, or so many seconds from now. */
  genuine(event: MadeEvent, secondsFromNow?: number): MadePost;
  /** An entry that another secret or key pair made. */
  foreignSignature(post: MadePost): string;
}

export const USER_AGENT = "Gatehouse/conform";

/** Makes requests that the owner of the secret or public key would accept. */
export function making(signer: Signer, now: () => Date): Making {
  const { scheme, keyName } = signer;
  return {
    scheme,
    keyName,
    event: (type, more) => sampleEvent(type, now(), more),
    about: (event, ids) => ({ ...event, body: ids(event.body) }),
    genuine(event, secondsFromNow = 0) {
      const timestamp = Math.floor(now().getTime() / 1000) + secondsFromNow;
      const signature = signer.sign({ id: event.id, timestamp, body: event.body });
      const headers = {
        "content-type": "application/json",
        "user-agent": USER_AGENT,
        "webhook-id": event.id,
        "webhook-timestamp": `${timestamp}`,
        "webhook-signature": signature,
      };
      return { event, headers, body: event.body };
    },
    foreignSignature: (post) => signer.signForeign(contentOf(post)),
  };
}

/** What the signature of a genuine request covers. */
export const contentOf = ({ headers, event, body }: MadePost): SignedContent => ({
  id: event.id,
  timestamp: Number(headers["webhook-timestamp"]),
  body,
});

/** The same request with other headers; one that is `undefined` is left out. */
export function withHeaders(post: MadePost, changes: Readonly<Record<string, string | undefined>>): MadePost {
  const all = Object.entries({ ...post.headers, ...changes });
  const headers = Object.fromEntries(all.filter((header): header is [string, string] => header[1] !== undefined));
  return { ...post, headers };
}
