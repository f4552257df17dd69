import { createPublicKey } from "node:crypto";
import { CommandError } from "../command-error.ts";
import { bytesBehind } from "../key-text.ts";
import { newId } from "../sample-events.ts";
import { sign } from "../signature.ts";
import type { Check, Step } from "./check.ts";
import { contentOf, type MadePost, paired, type RequestMaker, withHeaders } from "./request-maker.ts";

const TYPE = "client.created";
const SIX_MINUTES = 6 * 60;

const refused = (sent: string, post: MadePost): Step => ({ sent: `${TYPE}, ${sent}`, post, expected: "refused" });

/** A genuine request whose headers are changed afterwards. */
async function changed(
  sent: string,
  maker: RequestMaker,
  change: (post: MadePost) => Readonly<Record<string, string | undefined>>,
): Promise<readonly Step[]> {
  const posts = await maker.genuine({ type: TYPE });
  return posts.map((post) => refused(sent, withHeaders(post, change(post))));
}

/** A genuine request of another time. */
async function signedAt(sent: string, { genuine }: RequestMaker, seconds: number): Promise<readonly Step[]> {
  const posts = await genuine({ type: TYPE, signedSecondsFromNow: [seconds] });
  return posts.map((post) => refused(sent, post));
}

/** Of the first instant in it; every event has one. */
function anotherYear(body: string): string {
  const changed = body.replace(/"(\d{4})-(?=\d{2}-\d{2}T)/, (_, year: string) => `"${Number(year) - 1}-`);
  if (changed === body) throw new CommandError("A test event has no time in it that could be changed.");
  return changed;
}

/** Each entry cut: while a secret is being replaced, another one would still be right. */
const halves = (entries: string): string => entries.split(" ").map(firstHalf).join(" ");

/** An entry with the first half of its base64. */
function firstHalf(entry: string): string {
  const start = entry.indexOf(",") + 1;
  return entry.slice(0, (start + entry.length) / 2);
}

/** Requests that are not what Gatehouse sent, or no longer; none may be answered with 2xx. */
export const FORGED_CHECKS: readonly Check[] = [
  {
    name: "signature-missing",
    title: "Refuses an event without a signature.",
    advice: "Refuse a request without webhook-signature before you read its body.",
    steps: (maker) =>
      changed("without the header webhook-signature", maker, () => ({ "webhook-signature": undefined })),
  },
  {
    name: "signature-empty",
    title: "Refuses an empty signature.",
    advice: {
      v1: "Compare whole signatures of 32 bytes; an empty text is the beginning of every text.",
      v1a: "Refuse a signature of another length than 64 bytes. An error of your library is a refusal too.",
    },
    steps: (maker) =>
      changed(`webhook-signature “${maker.scheme},”`, maker, () => ({ "webhook-signature": `${maker.scheme},` })),
  },
  {
    name: "signature-truncated",
    title: "Refuses the beginning of the right signature.",
    advice: {
      v1: "Compare whole signatures of equal length in constant time, for example with timingSafeEqual.",
      v1a: "Verify the whole signature by Ed25519: refuse one that is shorter than 64 bytes, and never fill it up.",
    },
    steps: (maker) =>
      changed("the right signature's first half", maker, ({ headers }) => ({
        "webhook-signature": halves(headers["webhook-signature"] ?? ""),
      })),
  },
  {
    name: "signature-foreign",
    title: { v1: "Refuses a signature of another secret.", v1a: "Refuses a signature of another key pair." },
    advice: {
      v1: "Verify with your own secret: HMAC-SHA256 with the decoded bytes behind whsec_.",
      v1a: "Verify with the public key that you were given: Ed25519 with the decoded bytes behind whpk_.",
    },
    steps: (maker) =>
      changed(`signed with another ${maker.keyName}`, maker, (post) => ({
        "webhook-signature": maker.foreignSignature(post),
      })),
  },
  {
    name: "id-changed",
    title: "Refuses an event whose webhook-id was changed.",
    advice: "Verify over webhook-id, a full stop, webhook-timestamp, a full stop and the body; all three are signed.",
    steps: (maker) => changed("another webhook-id than was signed", maker, () => ({ "webhook-id": newId("event") })),
  },
  {
    name: "body-changed",
    title: "Refuses an event whose body was changed.",
    advice: "Verify the bytes as they were received, before anything parses them.",
    steps: async ({ genuine }) => {
      const changes: readonly (readonly [sent: string, change: (body: string) => string])[] = [
        ["a time changed after signing", anotherYear],
        ["a space added after signing", (body) => `${body} `],
      ];
      const posts = await genuine(...changes.map(() => ({ type: TYPE })));
      return paired(changes, posts).map(([[sent, change], post]) =>
        refused(sent, { ...post, body: change(post.body) }),
      );
    },
  },
  {
    name: "timestamp-changed",
    title: "Refuses an event whose webhook-timestamp was changed.",
    advice: "Verify over webhook-timestamp as it was received; otherwise an old event can be made to look new.",
    steps: (maker) =>
      changed("another webhook-timestamp than was signed", maker, ({ headers }) => ({
        "webhook-timestamp": `${Number(headers["webhook-timestamp"]) - 1}`,
      })),
  },
  {
    name: "timestamp-missing",
    title: "Refuses an event without webhook-timestamp.",
    advice: "Refuse a request without webhook-timestamp, or with one that is no whole number.",
    steps: (maker) =>
      changed("without the header webhook-timestamp", maker, () => ({ "webhook-timestamp": undefined })),
  },
  {
    name: "timestamp-stale",
    title: "Refuses an event that was signed six minutes ago.",
    advice: "Refuse a webhook-timestamp of more than five minutes ago: somebody may have recorded and repeated it.",
    steps: (maker) => signedAt("rightly signed, six minutes ago", maker, -SIX_MINUTES),
  },
  {
    name: "timestamp-future",
    title: "Refuses an event that is signed for six minutes from now.",
    advice: "Refuse a webhook-timestamp of more than five minutes ahead: it could be repeated until then.",
    steps: (maker) => signedAt("rightly signed, for six minutes from now", maker, SIX_MINUTES),
  },
];

/** Whether a receiver lets the header choose the scheme, though everybody knows its public key (R-X351). */
export const publicKeyAsSecret = (publicKeys: readonly string[]): Check => ({
  name: "public-key-as-secret",
  title: "Refuses a v1 signature made with the public key as its secret.",
  advice:
    "Let your key choose the scheme, never the header: a public key verifies v1a alone. Everybody knows it, and can make an HMAC with it.",
  async steps({ genuine }) {
    const secrets = publicKeys.flatMap(secretsOf);
    const posts = await genuine(...secrets.map(() => ({ type: TYPE })));
    return paired(secrets, posts).map(([[what, secret], post]) =>
      refused(
        `a v1 signature whose secret is ${what}`,
        withHeaders(post, { "webhook-signature": sign(secret, contentOf(post)) }),
      ),
    );
  },
});

/** What precedes the bytes of an Ed25519 public key in SubjectPublicKeyInfo (RFC 8410 §4). */
const SPKI_BEFORE_KEY = Buffer.from("302a300506032b6570032100", "hex");

/** Secrets that verifiers may make of a public key when they take it for one. */
function secretsOf(publicKey: string): readonly (readonly [what: string, secret: Buffer])[] {
  const [prefix = "", encoded = ""] = publicKey.split("_");
  const bytes = bytesBehind("whpk_", publicKey);
  const spki = Buffer.concat([SPKI_BEFORE_KEY, bytes]);
  const key = createPublicKey({ key: spki, format: "der", type: "spki" });
  return [
    ["the bytes of the public key", bytes],
    ["the public key as DER", spki],
    ["the public key as PEM", Buffer.from(key.export({ format: "pem", type: "spki" }))],
    ["the text of the public key", Buffer.from(publicKey)],
    ["the text behind whpk_", Buffer.from(encoded)],
    // As lenient decoders do: those of Python, PHP and Ruby, then that of Node.js.
    ["the text whpk_… decoded as base64, “_” skipped", Buffer.from(prefix + encoded, "base64")],
    ["the text whpk_… decoded as base64, “_” read as “/”", Buffer.from(publicKey, "base64")],
  ];
}
