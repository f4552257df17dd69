import { CommandError } from "../command-error.ts";
import { askPatiently, type Gateway } from "../gateway/gateway.ts";
import { type SignedMessages, testMessagesRequest, type WantedMessage } from "../gateway/test-messages.ts";
import { type MadeEvent, newIds, SAMPLE_TYPES, sampleEvent } from "../sample-events.ts";
import type { SignedContent } from "../signature.ts";
import { foreignSigner, type Scheme, type Signer } from "./signer.ts";

/** A request that a check sends. */
export interface MadePost {
  readonly event: MadeEvent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Makes the requests that checks send. */
export interface RequestMaker {
  /** The scheme of genuine signatures. */
  readonly scheme: Scheme;
  /** What genuine signatures are made with, in words: a secret or a key pair. */
  readonly keyName: string;
  /** `whpk_…`, by which the receiver may verify; a secret has none, and there are several while one is replaced. */
  readonly publicKeys: readonly string[];
  /** Messages as Gatehouse would send them: one request for each instant that each is signed for, in their order. */
  genuine(...messages: readonly WantedMessage[]): Promise<readonly MadePost[]>;
  /** An entry that another secret or key pair made. */
  foreignSignature(post: MadePost): string;
}

const USER_AGENT = "Gatehouse/conform";

/** Makes requests here, by a secret or key pair that is at hand. */
export const requestMakerBySigner = (signer: Signer, now: () => Date): RequestMaker => ({
  scheme: signer.scheme,
  keyName: signer.keyName,
  publicKeys: signer.publicKey === undefined ? [] : [signer.publicKey],
  async genuine(...messages) {
    const at = now();
    const others = newIds();
    return messages.flatMap((message) => {
      const event = madeHere(message, at, others);
      return (message.signedSecondsFromNow ?? [0]).map((fromNow) => {
        const timestamp = Math.floor(at.getTime() / 1000) + fromNow;
        const signature = signer.sign({ id: event.id, timestamp, body: event.body });
        const headers = {
          "content-type": "application/json",
          "user-agent": USER_AGENT,
          "webhook-id": event.id,
          "webhook-timestamp": `${timestamp}`,
          "webhook-signature": signature,
        };
        return { event, headers, body: event.body };
      });
    });
  },
  foreignSignature: (post) => signer.signForeign(contentOf(post)),
});

function madeHere(
  { type, newIds: kinds = [], occurredSecondsAgo: ago = 0, unknownMember = false, layout }: WantedMessage,
  at: Date,
  others: ReturnType<typeof newIds>,
): MadeEvent {
  const then = at.getTime() - ago * 1000;
  const event = sampleEvent(SAMPLE_TYPES.includes(type) ? type : "client.created", at, {
    type,
    ...(ago > 0 && { occurredAt: new Date(then).toISOString(), sequence: then }),
    ...(unknownMember && { tide: { height: 2.5, is: "high" } }),
  });
  const body = others(event.body, kinds);
  return { ...event, body: layout === "spread" ? spread(body) : body };
}

/** The same JSON text with line breaks, and the first letter of the type as an escape. */
const spread = (text: string): string =>
  JSON.stringify(JSON.parse(text), null, 1).replace(
    /"type": "([a-z_])/,
    (_, letter: string) => `"type": "\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/**
 * Has requests made by the gateway, with what signs for the subscription now: neither secret nor key pair is needed.
 * @throws CommandError when nothing of the scheme signs for it.
 */
export const requestMakerByGateway = (
  gateway: Gateway,
  subscriptionId: string,
  { scheme, publicKeys }: Pick<RequestMaker, "scheme" | "publicKeys">,
): RequestMaker => {
  const foreign = foreignSigner(scheme);
  return {
    scheme,
    keyName: foreign.keyName,
    publicKeys,
    async genuine(...messages) {
      const { data } = (await askPatiently(gateway, testMessagesRequest(subscriptionId, messages))) as SignedMessages;
      return data.flatMap(({ id, type, body, signed }) =>
        signed.map((each) => {
          const signatures = (each["webhook-signature"] ?? "").split(" ").filter((one) => one.startsWith(`${scheme},`));
          if (signatures.length === 0) throw nothingSigns(scheme);
          const headers = { ...each, "user-agent": USER_AGENT, "webhook-signature": signatures.join(" ") };
          return { event: { id, type, body }, headers, body };
        }),
      );
    },
    foreignSignature: (post) => foreign.sign(contentOf(post)),
  };
};

const nothingSigns = (scheme: Scheme): CommandError =>
  new CommandError(`Nothing signs ${scheme} for the subscription.`, {
    fix: scheme === "v1a" ? "Make a key pair for it, or leave --scheme out." : "Use --scheme v1a.",
  });

/** Each of some things with the request that was made for it. */
export const paired = <T>(things: readonly T[], posts: readonly MadePost[]): readonly (readonly [T, MadePost])[] =>
  things.flatMap((thing, index) => {
    const post = posts[index];
    return post === undefined ? [] : [[thing, post] as const];
  });

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
