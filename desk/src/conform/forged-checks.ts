import type { Check, Step } from "./check.ts";
import { type MadePost, type Making, withHeaders } from "./making.ts";

const TYPE = "client.created";
const SIX_MINUTES = 6 * 60;

const refused = (sent: string, post: MadePost): Step => ({ sent: `${TYPE}, ${sent}`, post, expected: "refused" });

/** A genuine request whose headers are changed afterwards. */
const changed = (
  { event, genuine }: Making,
  change: (post: MadePost) => Readonly<Record<string, string | undefined>>,
): MadePost => {
  const post = genuine(event(TYPE));
  return withHeaders(post, change(post));
};

/** Requests that are not what Gatehouse sent, or no longer; none may be answered with 2xx. */
export const FORGED_CHECKS: readonly Check[] = [
  {
    name: "signature-missing",
    title: "Refuses an event without a signature.",
    advice: "Refuse a request without webhook-signature before you read its body.",
    steps: (making) => [
      refused(
        "without the header webhook-signature",
        changed(making, () => ({ "webhook-signature": undefined })),
      ),
    ],
  },
  {
    name: "signature-empty",
    title: "Refuses an empty signature.",
    advice: "Compare whole signatures of 32 bytes; an empty text is the beginning of every text.",
    steps: (making) => [
      refused(
        "webhook-signature “v1,”",
        changed(making, () => ({ "webhook-signature": "v1," })),
      ),
    ],
  },
  {
    name: "signature-truncated",
    title: "Refuses the beginning of the right signature.",
    advice: "Compare whole signatures of equal length in constant time, for example with timingSafeEqual.",
    steps: (making) => [
      refused(
        "the right signature's first half",
        changed(making, ({ headers }) => ({ "webhook-signature": headers["webhook-signature"]?.slice(0, 25) })),
      ),
    ],
  },
  {
    name: "signature-foreign",
    title: "Refuses a signature of another secret.",
    advice: "Verify with your own secret: HMAC-SHA256 with the decoded bytes behind whsec_.",
    steps: (making) => [
      refused(
        "signed with another secret",
        changed(making, (post) => ({ "webhook-signature": making.foreignSignature(post) })),
      ),
    ],
  },
  {
    name: "id-changed",
    title: "Refuses an event whose webhook-id was changed.",
    advice: "Sign webhook-id, a full stop, webhook-timestamp, a full stop and the body; all three belong to it.",
    steps: (making) => [
      refused(
        "another webhook-id than was signed",
        changed(making, () => ({ "webhook-id": making.event(TYPE).id })),
      ),
    ],
  },
  {
    name: "body-changed",
    title: "Refuses an event whose body was changed.",
    advice: "Verify the bytes as they were received, before anything parses them.",
    steps: ({ event, genuine }) => {
      const [name, space] = [genuine(event(TYPE)), genuine(event(TYPE))];
      return [
        refused("a name changed after signing", { ...name, body: name.body.replace("Harbour", "Harbor") }),
        refused("a space added after signing", { ...space, body: `${space.body} ` }),
      ];
    },
  },
  {
    name: "timestamp-changed",
    title: "Refuses an event whose webhook-timestamp was changed.",
    advice: "Sign webhook-timestamp as it was received; otherwise an old event can be made to look new.",
    steps: (making) => [
      refused(
        "another webhook-timestamp than was signed",
        changed(making, ({ headers }) => ({
          "webhook-timestamp": `${Number(headers["webhook-timestamp"]) - 1}`,
        })),
      ),
    ],
  },
  {
    name: "timestamp-missing",
    title: "Refuses an event without webhook-timestamp.",
    advice: "Refuse a request without webhook-timestamp, or with one that is no whole number.",
    steps: (making) => [
      refused(
        "without the header webhook-timestamp",
        changed(making, () => ({ "webhook-timestamp": undefined })),
      ),
    ],
  },
  {
    name: "timestamp-stale",
    title: "Refuses an event that was signed six minutes ago.",
    advice: "Refuse a webhook-timestamp of more than five minutes ago: somebody may have recorded and repeated it.",
    steps: ({ event, genuine }) => [refused("rightly signed, six minutes ago", genuine(event(TYPE), -SIX_MINUTES))],
  },
  {
    name: "timestamp-future",
    title: "Refuses an event that is signed for six minutes from now.",
    advice: "Refuse a webhook-timestamp of more than five minutes ahead: it could be repeated until then.",
    steps: ({ event, genuine }) => [
      refused("rightly signed, for six minutes from now", genuine(event(TYPE), SIX_MINUTES)),
    ],
  },
];
