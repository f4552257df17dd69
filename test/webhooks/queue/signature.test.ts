import { createHmac, createPrivateKey, createPublicKey, createSecretKey, verify } from "node:crypto";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { signature, signatures } from "../../../src/webhooks/queue/signature.ts";
import { formatSigningSecret, parseSigningSecret } from "../../../src/webhooks/secrets/signing-secret.ts";

const keyOf = (secret: string) => createSecretKey(parseSigningSecret(secret));
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const OTHER = formatSigningSecret(Buffer.alloc(32, 1));

const bodies = fc.uint8Array({ maxLength: 2_000, size: "max" });

describe("signatures (Standard Webhooks §signature scheme, R-E5)", () => {
  it("equal those of the published vector", () => {
    const content = {
      id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
      timestamp: 1614265330,
      body: Buffer.from('{"test": 2432232314}'),
    };
    expect(signature(keyOf(SECRET), content)).toBe("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  });

  it("cover every byte of any body (S49, W6)", () => {
    fc.assert(
      fc.property(bodies, fc.nat({ max: 2_000_000_000 }), (body, timestamp) => {
        const expected = createHmac("sha256", parseSigningSecret(SECRET))
          .update(Buffer.concat([Buffer.from(`event_x.${timestamp}.`), body]))
          .digest("base64");
        expect(signature(keyOf(SECRET), { id: "event_x", timestamp, body })).toBe(`v1,${expected}`);
      }),
    );
  });

  it("by a private key are Ed25519 over id, timestamp and every byte of the body (R-X274)", () => {
    // The first vector of RFC 8032 §7.1, as PKCS #8.
    const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    const der = Buffer.from(`302e020100300506032b657004220420${seed}`, "hex");
    const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
    const publicKey = createPublicKey(privateKey);
    fc.assert(
      fc.property(bodies, fc.nat({ max: 2_000_000_000 }), (body, timestamp) => {
        const [version, text = ""] = signature(privateKey, { id: "event_x", timestamp, body }).split(",");
        const signed = Buffer.concat([Buffer.from(`event_x.${timestamp}.`), body]);
        const bytes = Buffer.from(text, "base64");
        expect([version, bytes.length, bytes.toString("base64")]).toEqual(["v1a", 64, text]);
        expect(verify(null, signed, publicKey, bytes)).toBe(true);
      }),
    );
  });

  it.each([
    ["first", [SECRET, OTHER]],
    ["last", [OTHER, SECRET]],
    ["alone", [SECRET]],
  ])(
    "satisfy the independent verifier when the receiver's secret is %s of the secrets that sign (W2)",
    (_, secrets) => {
      const timestamp = Math.floor(Date.now() / 1000);
      const body = Buffer.from(JSON.stringify({ text: "ä € \u{1f511}" }));
      const header = signatures(secrets.map(keyOf), { id: "event_x", timestamp, body });
      expect(header.split(" ")).toHaveLength(secrets.length);
      const headers = { "webhook-id": "event_x", "webhook-timestamp": String(timestamp), "webhook-signature": header };
      expect(new Webhook(SECRET).verify(body, headers)).toEqual({ text: "ä € \u{1f511}" });
      const changed = { ...headers, "webhook-id": "event_y" };
      expect(() => new Webhook(SECRET).verify(body, changed)).toThrow(/No matching signature/);
    },
  );
});
