import { createPublicKey, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import eventsContract from "#generated/contracts/webhooks.asyncapi.json" with { type: "json" };
import vectorsFile from "#generated/contracts/webhooks.vectors.json" with { type: "json" };
import { SENT_TYPES } from "#generated/event-types.ts";
import { eventDepartures } from "../support/event-contract.ts";

const { vectors, keyPairVectors, toleranceSeconds } = vectorsFile;

/** What the scheme's own library says, asked at the vector's time. */
function verdictOf({
  secret,
  body,
  headers,
  verifiedAt,
}: Pick<(typeof vectors)[number], "secret" | "body" | "headers" | "verifiedAt">): "accept" | "refuse" {
  jest.useFakeTimers({ now: verifiedAt * 1000, doNotFake: ["nextTick", "setImmediate"] });
  try {
    new Webhook(secret).verify(body, headers);
    return "accept";
  } catch {
    return "refuse";
  } finally {
    jest.useRealTimers();
  }
}

describe("the published signed deliveries (R-E5, Standard Webhooks v1)", () => {
  it("are of every event type and of a ping, each with the same five cases", () => {
    const cases = ["genuine", "rotating", "tampered", "foreign", "replayed"];
    expect(vectors.map(({ name }) => name)).toEqual(SENT_TYPES.flatMap((type) => cases.map((one) => `${type} ${one}`)));
    expect(toleranceSeconds).toBe(300);
  });

  it("are signed with secrets that say in plain text what they are for (R-X80)", () => {
    const secrets = [...new Set(vectors.map(({ secret }) => secret))];
    expect(secrets.map((secret) => Buffer.from(secret.replace("whsec_", ""), "base64").toString("utf8"))).toEqual([
      "gatehouse published test vector!",
      "gatehouse retiring test vectors!",
    ]);
  });

  it.each(vectors)("$name: an independent verifier says $verdict", (vector) => {
    expect(verdictOf(vector)).toBe(vector.verdict);
  });

  it.each(vectors.filter(({ verdict }) => verdict === "accept"))("$name keeps the contract of events", (vector) => {
    expect(eventDepartures({ headers: vector.headers, body: Buffer.from(vector.body) })).toEqual([]);
  });
});

describe("the published deliveries signed with a key pair (R-X274, Standard Webhooks v1a)", () => {
  /** By Node's Ed25519, whose key is made from its JWK: no library of the scheme knows `v1a`. */
  const isSignedBy = (publicKey: string, { headers, body }: (typeof keyPairVectors)[number]): boolean => {
    const x = Buffer.from(publicKey.replace("whpk_", ""), "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    const signed = Buffer.from(`${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`);
    const given = headers["webhook-signature"].split(" ").filter((text) => text.startsWith("v1a,"));
    return given.some((text) => verify(null, signed, key, Buffer.from(text.replace("v1a,", ""), "base64")));
  };

  it("are six cases of one event type", () => {
    const cases = ["genuine", "rotating", "tampered", "foreign", "mistaken", "replayed"];
    expect(keyPairVectors.map(({ name }) => name)).toEqual(cases.map((one) => `client.created key pair ${one}`));
  });

  it.each(keyPairVectors)("$name: Ed25519 and the time say $verdict", (vector) => {
    const age = Math.abs(vector.verifiedAt - Number(vector.headers["webhook-timestamp"]));
    const isGenuine = isSignedBy(vector.publicKey, vector) && age <= toleranceSeconds;
    expect(isGenuine ? "accept" : "refuse").toBe(vector.verdict);
  });

  it.each(keyPairVectors.filter(({ name }) => name.endsWith("mistaken")))(
    "$name: a verifier that takes the public key for a secret accepts it",
    ({ publicKey, ...vector }) => {
      expect(verdictOf({ ...vector, secret: publicKey.replace("whpk_", "whsec_") })).toBe("accept");
    },
  );

  it.each(keyPairVectors.filter(({ verdict }) => verdict === "accept"))("$name keeps the contract", (vector) => {
    expect(eventDepartures({ headers: vector.headers, body: Buffer.from(vector.body) })).toEqual([]);
  });
});

describe("the examples in the events' contract (R-E5)", () => {
  const examples = Object.values(eventsContract.components.messages).flatMap(({ name, examples }) =>
    examples.map((example) => ({ eventType: name, ...example })),
  );
  /** What the document says in words: the payload as JSON without white space, and the secret that it names. */
  const [secret = ""] = /whsec_[A-Za-z0-9+/=]+/.exec(eventsContract.info.description) ?? [];

  it("are one of every event type and one of a ping", () => {
    expect(examples.map(({ eventType }) => eventType)).toEqual(SENT_TYPES);
  });

  it.each(examples)(
    "$eventType: an independent verifier accepts it (`make check-contracts` prints the signature it needs), and not another body",
    ({ headers, payload }) => {
      const body = JSON.stringify(payload);
      const asked = { secret, headers, verifiedAt: Number(headers["webhook-timestamp"]) };
      expect([verdictOf({ ...asked, body }), verdictOf({ ...asked, body: `${body}\n` })]).toEqual(["accept", "refuse"]);
    },
  );

  it.each(examples)("$eventType: is sent after it happened", ({ headers, payload }) => {
    expect(Number(headers["webhook-timestamp"]) * 1000).toBeGreaterThanOrEqual(Date.parse(payload.occurredAt));
  });
});
