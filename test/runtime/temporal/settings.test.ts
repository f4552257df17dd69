import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { ROLES } from "../../../src/runtime/process/roles.ts";
import { type Certificate, opensslPart, selfSigned } from "../../support/certificates.ts";
import { newFolder } from "../../support/folder.ts";
import { describeWith } from "../../support/optional-part.ts";

const read = (flags: Readonly<Record<string, string>>) =>
  readConfig({ flags: { development: "true", ...flags }, environment: {}, roles: ROLES });

describe("settings of a Temporal server", () => {
  it("use no server unless one is named", () => {
    expect(read({})["temporal-address"]).toBeUndefined();
  });

  it.each(["127.0.0.1:7233", "temporal.internal:7233", "[::1]:65535"])("accept %s", (address) => {
    expect(read({ "temporal-address": address })["temporal-address"]).toBe(address);
  });

  it.each(["7233", "http://127.0.0.1:7233", "127.0.0.1", "a b:1", "127.0.0.1:0", "127.0.0.1:65536", ""])(
    "refuse %j",
    (address) => {
      expect(() => read({ "temporal-address": address })).toThrow(/temporal-address/);
    },
  );

  it("refuse a UI that is no web address", () => {
    expect(() => read({ "temporal-ui-url": "127.0.0.1:8233" })).toThrow(/temporal-ui-url/);
  });

  describeWith(opensslPart(), "for TLS", () => {
    const flags: Record<string, string> = { "temporal-tls": "true" };
    let other: Certificate;
    beforeAll(() => {
      const { cert, key } = selfSigned("gatehouse.example");
      other = selfSigned("other.example");
      Object.assign(flags, {
        "temporal-tls-ca": other.cert,
        "temporal-tls-certificate": cert,
        "temporal-tls-key": key,
      });
    });

    it("accept certificates and a key in PEM form", () => {
      expect(read(flags)).toMatchObject({ "temporal-tls-certificate": flags["temporal-tls-certificate"] });
    });

    it("accept them as files; every user may read a certificate's", () => {
      const folder = newFolder("gh-settings-");
      const file = join(folder, "ca.pem");
      writeFileSync(file, other.cert, { mode: 0o644 });
      const values = read({ "temporal-tls": "true", "temporal-tls-ca-file": file });
      expect(values["temporal-tls-ca"]).toBe(other.cert.trim());
    });

    it.each<[string, () => Record<string, string>, string]>([
      ["what is no certificate", () => ({ "temporal-tls-ca": "PEM" }), "temporal-tls-ca .* in PEM form"],
      ["what is no key", () => ({ "temporal-tls-key": "PEM" }), "temporal-tls-key .* in PEM form"],
      ["another certificate's key", () => ({ "temporal-tls-key": other.key }), "temporal-tls-key is not the key of"],
      ["a key without its certificate", () => ({ "temporal-tls-certificate": "" }), "temporal-tls-certificate"],
      ["any of them without TLS", () => ({ "temporal-tls": "false" }), "without TLS: set temporal-tls"],
    ])("refuse %s", (_, changed, sentence) => {
      expect(() => read({ ...flags, ...changed() })).toThrow(new RegExp(sentence));
    });

    it("refuse a certificate without its key (R-X81)", () => {
      const { "temporal-tls-key": _, ...rest } = flags;
      expect(() => read(rest)).toThrow(/temporal-tls-certificate and temporal-tls-key belong together/);
    });
  });

  it("refuse a key that would travel unencrypted", () => {
    expect(() => read({ "temporal-api-key": "secret" })).toThrow(/temporal-api-key would travel in the clear/);
    expect(read({ "temporal-api-key": "secret", "temporal-tls": "true" })["temporal-tls"]).toBe(true);
  });
});
