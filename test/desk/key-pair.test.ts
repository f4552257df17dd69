import { keyPairOf, parsePrivateKey } from "../../desk/src/key-pair.ts";
import { signWithKeyPair } from "../../desk/src/signature.ts";
import { signature } from "../../src/webhooks/queue/signature.ts";
import { privateKeyOf, publicKeyText } from "../../src/webhooks/secrets/key-pair.ts";
import { PRIVATE_KEY, PUBLIC_KEY } from "./support/receiver.ts";

const SEED = Buffer.from("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb", "hex");
const encoded = (...bytes: readonly Uint8Array[]): string => Buffer.concat(bytes).toString("base64");

describe("key pairs as texts (Standard Webhooks §signature scheme, R-X319)", () => {
  it("are those of a seed (RFC 8032 §7.1, second pair)", () => {
    expect(keyPairOf(SEED)).toMatchObject({ privateText: PRIVATE_KEY, publicText: PUBLIC_KEY });
    expect(parsePrivateKey(PRIVATE_KEY).publicText).toBe(PUBLIC_KEY);
  });

  it("are read and signed with as another sender of Standard Webhooks does", () => {
    const text = "whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg==";
    const content = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestamp: 1_614_265_330, body: '{"test": 2432232314}' };
    const { privateKey, publicText } = parsePrivateKey(text);
    expect(publicText).toBe("whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=");
    // The entry of the specification's example header.
    expect(signWithKeyPair(privateKey, content)).toBe(
      "v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==",
    );
  });

  it("sign as the product does, and have the public key that it shows (R-X274)", () => {
    const content = { id: "event_1", timestamp: 1_782_807_328, body: '{"name":"Žofie 東京 👩🏽‍🍳"}' };
    const { privateKey, publicText } = keyPairOf(SEED);
    expect(publicText).toBe(publicKeyText(SEED));
    expect(signWithKeyPair(privateKey, content)).toBe(
      signature(privateKeyOf(SEED), { ...content, body: Buffer.from(content.body) }),
    );
  });

  it.each([
    ["nothing", "", "A private key begins with whsk_."],
    ["no key", "my key", "A private key begins with whsk_."],
    ["a secret", `whsec_${encoded(SEED)}`, "A private key begins with whsk_; this is a signing secret, whsec_."],
    ["a public key", PUBLIC_KEY, "A private key begins with whsk_; this is a public key, whpk_."],
    ["no padding", PRIVATE_KEY.replaceAll("=", ""), "A private key is standard base64 with padding."],
    ["another alphabet", PRIVATE_KEY.replaceAll("+", "-"), "A private key is standard base64 with padding."],
    [
      "the seed alone",
      `whsk_${encoded(SEED)}`,
      "A private key has 64 bytes, its seed and its public key; this one has 32.",
    ],
    [
      "another public key behind the seed",
      `whsk_${encoded(SEED, SEED)}`,
      "The second half of this private key is not its public key.",
    ],
  ])("are refused: %s", (_, text, sentence) => {
    expect(() => parsePrivateKey(text)).toThrow(new TypeError(sentence));
  });
});
