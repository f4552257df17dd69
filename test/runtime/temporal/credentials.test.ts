import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { renewedCredentials } from "../../../src/runtime/temporal/credentials.ts";
import { type Certificate, opensslPart, selfSigned } from "../../support/certificates.ts";
import { newFolder } from "../../support/folder.ts";
import { describeWith } from "../../support/optional-part.ts";
import { recordedLog } from "../../support/recorded-log.ts";

const FILES_UNUSABLE = "The files of Temporal's credentials cannot be used; the previous ones still count.";

describeWith(opensslPart(), "credentials for a Temporal server, given as files (R-X440)", () => {
  let first: Certificate;
  let second: Certificate;
  let paths: Record<string, string>;
  let log: ReturnType<typeof recordedLog>;
  beforeAll(() => {
    first = selfSigned("first.example");
    second = selfSigned("second.example");
  });
  beforeEach(() => {
    const folder = newFolder("gh-credentials-");
    const names = ["temporal-tls-certificate", "temporal-tls-key", "temporal-tls-ca", "temporal-api-key"];
    paths = Object.fromEntries(names.map((name) => [name, join(folder, name)]));
    log = recordedLog();
    write({ "temporal-tls-ca": first.cert, "temporal-api-key": "key-1", ...pairOf(first) });
  });

  const pairOf = ({ cert, key }: Certificate) => ({ "temporal-tls-certificate": cert, "temporal-tls-key": key });

  const write = (texts: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(texts)) writeFileSync(paths[name] ?? "", `${text}\n`, { mode: 0o600 });
  };

  const given = () => ({
    "temporal-address": "temporal.example:7233",
    "temporal-namespace": "default",
    "temporal-tls": true,
    "temporal-tls-ca": first.cert,
    "temporal-tls-server-name": "temporal.example",
    "temporal-tls-certificate": first.cert,
    "temporal-tls-key": first.key,
    "temporal-api-key": "key-1",
    "temporal-ui-url": undefined,
  });

  const credentials = (own: Certificate, apiKey: string, authority = first) => ({
    tls: {
      authorities: authority.cert.trim(),
      serverName: "temporal.example",
      own: { certificate: own.cert.trim(), key: own.key.trim() },
    },
    apiKey,
  });

  it.each<[string, () => Record<string, string>, () => object]>([
    ["nothing", () => ({}), () => credentials(first, "key-1")],
    ["the API key", () => ({ "temporal-api-key": "key-2" }), () => credentials(first, "key-2")],
    ["certificate and key", () => pairOf(second), () => credentials(second, "key-1")],
    ["the authority", () => ({ "temporal-tls-ca": second.cert }), () => credentials(first, "key-1", second)],
  ])("are as the files have them after a change of %s", (_, changed, expected) => {
    const renewed = renewedCredentials(given(), paths, log);
    renewed.latest();
    write(changed());
    expect([renewed.latest(), renewed.trouble(), log.lines]).toEqual([expected(), undefined, []]);
  });

  it.each<[string, () => void, RegExp]>([
    [
      "the certificate alone is replaced",
      () => write({ "temporal-tls-certificate": second.cert }),
      /^temporal-tls-key is not the key of temporal-tls-certificate/,
    ],
    [
      "the key is half written",
      () => write({ "temporal-tls-key": second.key.slice(0, 40) }),
      /^temporal-tls-key \(temporal-tls-key-file\): must be a private key in PEM form/,
    ],
    ["the API key is empty", () => write({ "temporal-api-key": "" }), /^temporal-api-key \(temporal-api-key-file\): /],
    [
      "a file is gone",
      () => rmSync(paths["temporal-api-key"] ?? ""),
      /^temporal-api-key-file: \S+ cannot be read \(ENOENT\)/,
    ],
    [
      "all users can read the key",
      () => chmodSync(paths["temporal-tls-key"] ?? "", 0o604),
      /^temporal-tls-key-file: \S+ can be read by all users\. Run: chmod 600 /,
    ],
  ])("stay as they were, which the log says once, while %s", (_, spoil, detail) => {
    const renewed = renewedCredentials(given(), paths, log);
    const before = renewed.latest();
    spoil();
    expect([renewed.latest(), renewed.latest()]).toEqual([before, before]);
    expect(renewed.trouble()).toMatch(detail);
    expect(log.lines).toEqual([
      { level: "warn", sentence: FILES_UNUSABLE, fields: { detail: expect.stringMatching(detail) } },
    ]);
    write({ ...pairOf(second), "temporal-api-key": "key-2" });
    chmodSync(paths["temporal-tls-key"] ?? "", 0o600);
    expect([renewed.latest(), renewed.trouble()]).toEqual([credentials(second, "key-2"), undefined]);
  });

  it("are those of the start where no file was named", () => {
    const renewed = renewedCredentials(given(), {}, log);
    write({ ...pairOf(second), "temporal-api-key": "key-2" });
    expect(renewed.latest()).toEqual({
      tls: {
        authorities: first.cert,
        serverName: "temporal.example",
        own: { certificate: first.cert, key: first.key },
      },
      apiKey: "key-1",
    });
  });
});
