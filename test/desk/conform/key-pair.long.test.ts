import { createHash, createHmac } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keyPairOf } from "../../../desk/src/key-pair.ts";
import { verifyEvent } from "../../../generated/sdk/typescript/dist/gatehouse.js";
import { newFolder } from "../../support/folder.ts";
import { desk } from "../support/desk.ts";
import {
  byPublicKey,
  dealingWith,
  good,
  isSignedBy,
  PRIVATE_KEY,
  PUBLIC_KEY,
  runReceiver,
  SECRET,
  type ServedReceiving,
} from "../support/receiver.ts";
import { RULES, scoreOf } from "../support/score.ts";

const MISTAKEN = "public-key-as-secret";
const ENCODED = PUBLIC_KEY.slice("whpk_".length);
const FORGED_SIGNATURES = [
  ["signature-empty", "signature-truncated", "signature-foreign", "id-changed", "body-changed", "timestamp-changed"],
  ["forged-without-effect"],
].flat();

let folder: string;
let keyFile: string;
beforeEach(async () => {
  folder = newFolder("gh-key-pair-");
  keyFile = join(folder, "conform.key");
  await writeFile(keyFile, `${PRIVATE_KEY}\n`);
});

/** Scores a receiver by the key pair of the tests. */
const score = (receiving: ServedReceiving, ...flags: readonly string[]) =>
  scoreOf(receiving, ["--key-pair-file", keyFile, ...flags]);

const isOwn = isSignedBy(PUBLIC_KEY);

/** Lets the header choose the scheme, and takes its public key for the secret of v1. */
const mistaking = (secret: Buffer) =>
  byPublicKey({
    verifies: (entry, content) =>
      isOwn(entry, content) || entry === `v1,${createHmac("sha256", secret).update(content).digest("base64")}`,
  });

/** Reads the first entry alone that begins so. */
const firstOf =
  (prefix: string) =>
  (signatures: string): readonly string[] =>
    signatures
      .split(" ")
      .filter((entry) => entry.startsWith(prefix))
      .slice(0, 1);

/** As the guides say, by our SDK. */
const bySdk: ServedReceiving = async ({ id, timestamp, signatures, body }, memory) => {
  const headers = { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures };
  const isGenuine = await verifyEvent(PUBLIC_KEY, headers, body).then(
    () => true,
    () => false,
  );
  return dealingWith(() => isGenuine)({ id, timestamp, signatures, body }, memory);
};

describe("conform and a good receiver with a public key (R-X319)", () => {
  it.each<[string, ServedReceiving]>([
    ["verifies by our SDK", bySdk],
    ["verifies by hand", byPublicKey({})],
  ])("names no defect of one that %s", async (_, receiving) => {
    const scored = await score(receiving);
    expect(scored.named("passed").toSorted()).toEqual([...RULES, MISTAKEN].toSorted());
    expect([scored.exitCode, scored.conforms, scored.failed]).toEqual([0, true, []]);
  });

  it("signs genuine events with v1a alone", async () => {
    const { received } = await score(byPublicKey({}));
    expect(received[0]?.signatures).toMatch(/^v1a,[A-Za-z0-9+/]{86}==$/);
  });

  it("does not ask for a secret, and uses none of the environment", async () => {
    const scored = await scoreOf(byPublicKey({}), ["--key-pair-file", keyFile], { WEBHOOK_SECRET: SECRET });
    expect([scored.exitCode, scored.failed]).toEqual([0, []]);
  });
});

describe("conform and one planted defect of a receiver with a public key (R-X319, R-X351)", () => {
  it.each<[string, readonly string[], ServedReceiving]>([
    ["takes the bytes of its public key for a secret", [MISTAKEN], mistaking(Buffer.from(ENCODED, "base64"))],
    ["takes the text of its public key for a secret", [MISTAKEN], mistaking(Buffer.from(PUBLIC_KEY))],
    ["takes the text behind whpk_ for a secret", [MISTAKEN], mistaking(Buffer.from(ENCODED))],
    ["reads the whole text as base64, as Python does", [MISTAKEN], mistaking(Buffer.from(`whpk${ENCODED}`, "base64"))],
    ["reads the whole text as base64, as Node.js does", [MISTAKEN], mistaking(Buffer.from(PUBLIC_KEY, "base64"))],
    [
      "never verifies a signature",
      [...FORGED_SIGNATURES, "signature-missing", MISTAKEN],
      byPublicKey({ verifies: () => true }),
    ],
    ["looks at the prefix alone", FORGED_SIGNATURES, byPublicKey({ verifies: (entry) => entry.startsWith("v1a,") })],
    [
      "takes an error about the length for a yes",
      ["signature-empty", "signature-truncated"],
      byPublicKey({
        verifies: (entry, content) =>
          isOwn(entry, content) || (entry.startsWith("v1a,") && Buffer.from(entry.slice(4), "base64").length !== 64),
      }),
    ],
    [
      "takes an empty signature",
      ["signature-empty"],
      byPublicKey({ verifies: (entry, content) => isOwn(entry, content) || entry === "v1a," }),
    ],
    [
      "has another public key as well",
      ["signature-foreign"],
      byPublicKey({
        verifies: (entry, content) =>
          [PUBLIC_KEY, keyPairOf(createHash("sha256").update(PRIVATE_KEY).digest()).publicText].some((publicKey) =>
            isSignedBy(publicKey)(entry, content),
          ),
      }),
    ],
    [
      "reads the first entry alone",
      ["several-signatures", "unknown-signatures"],
      byPublicKey({ entries: firstOf("") }),
    ],
    ["reads the first v1a entry alone", ["several-signatures"], byPublicKey({ entries: firstOf("v1a,") })],
    [
      "stumbles over an entry of another kind",
      ["unknown-signatures"],
      byPublicKey({ entries: (all) => (/^v1a,\S+(?: v1a,\S+)*$/.test(all) ? all.split(" ") : []) }),
    ],
    [
      "does not verify the id that was sent",
      ["id-changed"],
      byPublicKey({ signed: ({ timestamp, body }) => `${JSON.parse(body).id}.${timestamp}.${body}` }),
    ],
    [
      "verifies JSON that it has written again",
      ["exact-bytes", "body-changed"],
      byPublicKey({ signed: ({ id, timestamp, body }) => `${id}.${timestamp}.${JSON.stringify(JSON.parse(body))}` }),
    ],
    ["takes what is old", ["timestamp-stale"], byPublicKey({ isInTime: (age) => age > -300 })],
  ])("names it, and no other: %s", async (_, defects, receiving) => {
    const scored = await score(receiving);
    expect(scored.failed.toSorted()).toEqual(defects.toSorted());
    expect([scored.exitCode, scored.conforms]).toEqual([1, false]);
  });

  it("judges nothing else when it has a secret only", async () => {
    const scored = await score(good);
    expect(scored.failed).toEqual(["in-time"]);
    expect(scored.checks[0]?.advice).toContain("does it verify v1a, by the public key of this key pair?");
    expect(scored.named("not judged").toSorted()).toEqual([...RULES.slice(1), MISTAKEN].toSorted());
  });

  it("speaks of key pairs, except where a public key is taken for a secret", async () => {
    const { checks } = await score(byPublicKey({ verifies: () => true }));
    const said = checks
      .filter(({ name }) => ![MISTAKEN, "every-type"].includes(name))
      .map(({ title, advice, exchanges }) => [title, advice, ...exchanges.map(({ sent }) => sent)].join(" "));
    expect(said.filter((text) => /secret|HMAC|32 bytes|whsec_/.test(text))).toEqual([]);
  });

  it("shows the check in the report, within 80 columns", async () => {
    const running = await runReceiver(mistaking(Buffer.from(PUBLIC_KEY)));
    const { out } = await desk(["conform", running.url, "--key-pair-file", keyFile]);
    await running.close();
    expect(out).toContain(
      [
        " FAIL public-key-as-secret",
        "      Refuses a v1 signature made with the public key as its secret.",
        "      sent     client.created, a v1 signature whose secret is the text of the",
        "               public key",
        "      expected a status that is not 2xx",
        "      got      204 after ",
      ].join("\n"),
    );
    expect(out).toContain("23 checks: 20 passed, 1 failed, 2 not visible.");
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });
});
