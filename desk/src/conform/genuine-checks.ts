import type { WantedMessage } from "../gateway/test-messages.ts";
import { SAMPLE_TYPES } from "../sample-events.ts";
import type { Check, Step } from "./check.ts";
import { type MadePost, paired, type RequestMaker, withHeaders } from "./request-maker.ts";
import { randomSignature, type Scheme } from "./signer.ts";

/** About what has no parent. */
const TYPE = "client.created";
const OTHER_SCHEME: Readonly<Record<Scheme, Scheme>> = { v1: "v1a", v1a: "v1" };

/** With new ids of some kinds, which the other messages of the check have too. */
const about = (type: string, ...newIds: readonly string[]): WantedMessage => ({ type, newIds });
const FAMILY = ["client", "user", "unit", "unittype"];

const acknowledged = (sent: string, post: MadePost): Step => ({ sent, post, expected: "acknowledged" });

/** Genuine messages, each with what it is in words. */
async function eachAcknowledged(
  { genuine }: RequestMaker,
  messages: readonly (readonly [sent: string, message: WantedMessage])[],
): Promise<readonly Step[]> {
  const posts = await genuine(...messages.map(([, message]) => message));
  return paired(messages, posts).map(([[sent], post]) => acknowledged(sent, post));
}

/** A genuine message that is changed before it is sent. */
async function changedAcknowledged(
  maker: RequestMaker,
  sent: string,
  signaturesOf: (post: MadePost, own: string) => string,
): Promise<readonly Step[]> {
  const posts = await maker.genuine({ type: TYPE });
  return posts.map((post) => {
    const signatures = signaturesOf(post, post.headers["webhook-signature"] ?? "");
    return acknowledged(sent, withHeaders(post, { "webhook-signature": signatures }));
  });
}

const ANSWER_SOON = "Answer 2xx as soon as the event is stored and do the work afterwards. Redirects are not followed.";

/** The check without which no other says anything. */
export const IN_TIME: Check = {
  name: "in-time",
  title: "Acknowledges a genuine event with 2xx in time.",
  advice: {
    v1: `${ANSWER_SOON} If the signature was refused: is it the secret of this endpoint?`,
    v1a: `${ANSWER_SOON} If the signature was refused: does it verify v1a, by the public key of this key pair?`,
  },
  steps: (maker) => eachAcknowledged(maker, [[TYPE, { type: TYPE }]]),
};

/** Requests as Gatehouse may send them; each must be answered with 2xx. */
export const GENUINE_CHECKS: readonly Check[] = [
  {
    name: "every-type",
    title: "Acknowledges every event type.",
    advice: "Answer 2xx to types that you do not use as well; whatever is not acknowledged is sent again.",
    steps: (maker) =>
      eachAcknowledged(
        maker,
        SAMPLE_TYPES.map((type) => [type, { type }]),
      ),
  },
  {
    name: "unknown-type",
    title: "Acknowledges a type that is new to it.",
    advice: "New types will come. Ignore those that you do not know, and answer 2xx.",
    steps: (maker) => eachAcknowledged(maker, [["an event of the type user.greeted", { type: "user.greeted" }]]),
  },
  {
    name: "unknown-fields",
    title: "Acknowledges an event with members that are new to it.",
    advice: "Members may be added to any object without a new version: ignore those that you do not know.",
    steps: (maker) =>
      eachAcknowledged(maker, [[`${TYPE} with the unknown member “tide”`, { type: TYPE, unknownMember: true }]]),
  },
  {
    name: "several-signatures",
    title: "Acknowledges an event whose last signature is the right one.",
    advice: {
      v1: "Try every entry of webhook-signature; there are two while a secret is being replaced.",
      v1a: "Try every entry of webhook-signature; there are two of v1a while a key pair is being replaced.",
    },
    steps: (maker) =>
      changedAcknowledged(
        maker,
        `${TYPE}, a signature of another ${maker.keyName} before the right one`,
        (post, own) => `${maker.foreignSignature(post)} ${own}`,
      ),
  },
  {
    name: "unknown-signatures",
    title: "Acknowledges an event that has signatures of other kinds as well.",
    advice: {
      v1: "Skip entries of webhook-signature that do not begin with “v1,”, and go on to the next.",
      v1a: "Skip entries of webhook-signature that do not begin with “v1a,”, and go on to the next. Gatehouse sends a v1 entry before it.",
    },
    steps: (maker) => {
      const other = OTHER_SCHEME[maker.scheme];
      const sent = `${TYPE}, entries ${other} and v9 before the right one`;
      return changedAcknowledged(maker, sent, (_, own) => `${randomSignature(other)} v9,x ${own}`);
    },
  },
  {
    name: "exact-bytes",
    title: "Verifies the bytes as they were sent.",
    advice: "Verify the raw body. JSON that was parsed and written again has other bytes and another signature.",
    steps: (maker) =>
      eachAcknowledged(maker, [
        [`${TYPE}, its JSON written with line breaks and an escape`, { type: TYPE, layout: "spread" }],
      ]),
  },
  {
    name: "child-first",
    title: "Acknowledges a child before its parent.",
    advice: "Order is not guaranteed: store the child by its own id, and the parent when it comes.",
    steps: (maker) =>
      eachAcknowledged(maker, [
        ["organization_unit.created before its type", about("organization_unit.created", ...FAMILY)],
        ["organization_unit_type.created after its unit", about("organization_unit_type.created", ...FAMILY)],
        ["user.created before its client", about("user.created", ...FAMILY)],
        ["client.created after its user", about("client.created", ...FAMILY)],
      ]),
  },
  {
    name: "out-of-order",
    title: "Acknowledges an update before its creation, and an older one after a newer one.",
    advice: "Store by id (upsert), and ignore what is older than what you have; either way answer 2xx.",
    steps: (maker) =>
      eachAcknowledged(maker, [
        ["user.updated before user.created", about("user.updated", "user")],
        ["user.created after user.updated", { ...about("user.created", "user"), occurredSecondsAgo: 60 }],
        ["user.updated of a minute before", { ...about("user.updated", "user"), occurredSecondsAgo: 60 }],
      ]),
  },
  {
    name: "repeats",
    title: "Acknowledges an event that comes again.",
    advice: "An event can come more than once. Answer 2xx to what you have already, or it is sent again.",
    steps: async ({ genuine }) => {
      const posts = await genuine({ type: TYPE, signedSecondsFromNow: [0, 1] });
      return posts.map((post, index) =>
        acknowledged(index === 0 ? TYPE : `${TYPE} with the same webhook-id again, signed again`, post),
      );
    },
  },
];
