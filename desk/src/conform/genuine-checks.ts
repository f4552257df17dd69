import { newIds, SAMPLE_TYPES } from "../sample-events.ts";
import type { Check, Step } from "./check.ts";
import { type MadePost, withHeaders } from "./making.ts";
import { randomSignature, type Scheme } from "./signer.ts";

/** About what has no parent. */
const TYPE = "client.created";
const MINUTE_MS = 60 * 1000;
const OTHER_SCHEME: Readonly<Record<Scheme, Scheme>> = { v1: "v1a", v1a: "v1" };

const acknowledged = (sent: string, post: MadePost): Step => ({ sent, post, expected: "acknowledged" });

const ANSWER_SOON = "Answer 2xx as soon as the event is stored and do the work afterwards. Redirects are not followed.";

/** The check without which no other says anything. */
export const IN_TIME: Check = {
  name: "in-time",
  title: "Acknowledges a genuine event with 2xx in time.",
  advice: {
    v1: `${ANSWER_SOON} If the signature was refused: is it the secret of this endpoint?`,
    v1a: `${ANSWER_SOON} If the signature was refused: does it verify v1a, by the public key of this key pair?`,
  },
  steps: ({ event, genuine }) => [acknowledged(TYPE, genuine(event(TYPE)))],
};

/** Requests as Gatehouse may send them; each must be answered with 2xx. */
export const GENUINE_CHECKS: readonly Check[] = [
  {
    name: "every-type",
    title: "Acknowledges every event type.",
    advice: "Answer 2xx to types that you do not use as well; whatever is not acknowledged is sent again.",
    steps: ({ event, genuine }) => SAMPLE_TYPES.map((type) => acknowledged(type, genuine(event(type)))),
  },
  {
    name: "unknown-type",
    title: "Acknowledges a type that is new to it.",
    advice: "New types will come. Ignore those that you do not know, and answer 2xx.",
    steps: ({ event, genuine }) => [
      acknowledged("an event of the type user.greeted", genuine(event(TYPE, { type: "user.greeted" }))),
    ],
  },
  {
    name: "unknown-fields",
    title: "Acknowledges an event with members that are new to it.",
    advice: "Members may be added to any object without a new version: ignore those that you do not know.",
    steps: ({ event, genuine }) => [
      acknowledged(
        `${TYPE} with the unknown member “tide”`,
        genuine(event(TYPE, { tide: { height: 2.5, is: "high" } })),
      ),
    ],
  },
  {
    name: "several-signatures",
    title: "Acknowledges an event whose last signature is the right one.",
    advice: {
      v1: "Try every entry of webhook-signature; there are two while a secret is being replaced.",
      v1a: "Try every entry of webhook-signature; there are two of v1a while a key pair is being replaced.",
    },
    steps: (making) => {
      const post = making.genuine(making.event(TYPE));
      const own = post.headers["webhook-signature"];
      const signatures = `${making.foreignSignature(post)} ${own}`;
      return [
        acknowledged(`${TYPE}, a signature of another ${making.keyName} before the right one`, {
          ...withHeaders(post, { "webhook-signature": signatures }),
        }),
      ];
    },
  },
  {
    name: "unknown-signatures",
    title: "Acknowledges an event that has signatures of other kinds as well.",
    advice: {
      v1: "Skip entries of webhook-signature that do not begin with “v1,”, and go on to the next.",
      v1a: "Skip entries of webhook-signature that do not begin with “v1a,”, and go on to the next. Gatehouse sends a v1 entry before it.",
    },
    steps: ({ event, genuine, scheme }) => {
      const post = genuine(event(TYPE));
      const other = OTHER_SCHEME[scheme];
      const signatures = `${randomSignature(other)} v9,x ${post.headers["webhook-signature"]}`;
      return [
        acknowledged(`${TYPE}, entries ${other} and v9 before the right one`, {
          ...withHeaders(post, { "webhook-signature": signatures }),
        }),
      ];
    },
  },
  {
    name: "exact-bytes",
    title: "Verifies the bytes as they were sent.",
    advice: "Verify the raw body. JSON that was parsed and written again has other bytes and another signature.",
    steps: ({ event, genuine }) => {
      const made = event(TYPE);
      const body = JSON.stringify(JSON.parse(made.body), null, 1).replace("Harbour", "\\u0048arbour");
      return [acknowledged(`${TYPE}, its JSON written with line breaks and an escape`, genuine({ ...made, body }))];
    },
  },
  {
    name: "child-first",
    title: "Acknowledges a child before its parent.",
    advice: "Order is not guaranteed: store the child by its own id, and the parent when it comes.",
    steps: ({ event, about, genuine }) => {
      const ids = newIds("client", "user", "unit", "unittype");
      const of = (type: string) => genuine(about(event(type), ids));
      return [
        acknowledged("organization_unit.created before its type", of("organization_unit.created")),
        acknowledged("organization_unit_type.created after its unit", of("organization_unit_type.created")),
        acknowledged("user.created before its client", of("user.created")),
        acknowledged("client.created after its user", of("client.created")),
      ];
    },
  },
  {
    name: "out-of-order",
    title: "Acknowledges an update before its creation, and an older one after a newer one.",
    advice: "Store by id (upsert), and ignore what is older than what you have; either way answer 2xx.",
    steps: ({ event, about, genuine }) => {
      const ids = newIds("user");
      const then = Date.now() - MINUTE_MS;
      const older = { occurredAt: new Date(then).toISOString(), sequence: then };
      const of = (type: string, more = {}) => genuine(about(event(type, more), ids));
      return [
        acknowledged("user.updated before user.created", of("user.updated")),
        acknowledged("user.created after user.updated", of("user.created", older)),
        acknowledged("user.updated of a minute before", of("user.updated", older)),
      ];
    },
  },
  {
    name: "repeats",
    title: "Acknowledges an event that comes again.",
    advice: "An event can come more than once. Answer 2xx to what you have already, or it is sent again.",
    steps: ({ event, genuine }) => {
      const made = event(TYPE);
      return [
        acknowledged(TYPE, genuine(made)),
        acknowledged(`${TYPE} with the same webhook-id again, signed again`, genuine(made, 1)),
      ];
    },
  },
];
