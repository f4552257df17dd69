import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { allSettings } from "../../src/config.ts";
import { openCertificateAuthority } from "../support/certificate-authority.ts";
import { opensslPart, selfSigned } from "../support/certificates.ts";
import { newFolder } from "../support/folder.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";

const config = (...flags: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["src/main.ts", "config", ...flags], {
    encoding: "utf8",
    env: { PATH: process.env.PATH },
  });
  return { status, stderr, names: [...stdout.matchAll(/^([a-z-]+) = /gm)].map(([, name]) => name), stdout };
};

describe("gatehouse config", () => {
  it("without an issuer shows every setting, then the mistake, and ends with 78", () => {
    const { status, stderr, stdout, names } = config();
    expect([status, names]).toEqual([78, Object.keys(allSettings)]);
    expect(stdout).toContain("issuer = (not set)\n");
    expect(stderr).toMatch(/^gatehouse: The configuration has 1 mistake:\n {2}- issuer is missing: /);
  });

  it("says first that a Gatehouse that runs may have other settings", () => {
    const { stdout } = config("--issuer", "https://login.example.com");
    expect(stdout).toMatch(
      /^# What a Gatehouse would use that is started with these flags .* one that runs may have others\.\n/,
    );
  });

  it("shows the default in place of a wrong value, and says what is wrong with it", () => {
    const { status, stderr, stdout } = config("--issuer=https://login.example.com", "--public-port=none");
    expect(status).toBe(78);
    expect(stdout).toContain("public-port = 8080\n");
    expect(stderr).toContain("public-port (--public-port): must be");
  });

  it.each([
    ["one port for both listeners", ["--management-port", "8080"], "public-port and management-port are both 8080"],
    [
      "… on hosts of which one is every address",
      ["--management-port", "8080", "--public-host", "0.0.0.0", "--management-host", "10.1.2.3"],
      "public-port and management-port are both 8080",
    ],
    [
      "a certificate that is not there",
      ["--tls-certificate-file", "/nowhere/chain.pem", "--tls-key-file", "/nowhere/key.pem"],
      "/nowhere/chain.pem (tls-certificate-file) cannot be read (ENOENT)",
    ],
  ])("names what a start would fail by: %s", (_, flags, sentence) => {
    const { status, stderr } = config("--issuer", "https://login.example.com", ...flags);
    expect(status).toBe(78);
    expect(stderr).toContain(`The configuration has 1 mistake:\n  - ${sentence}`);
  });

  it("names a socket path that is too long, for each role, before a start has made anything", () => {
    const directory = join(tmpdir(), "x".repeat(100));
    const path = join(directory, "sockets", "operator.sock");
    const sentence = `The configuration has 1 mistake:\n  - The socket path ${path} is longer than 103 bytes. Set socket-directory to a shorter one.`;
    const issuer = ["--issuer", "https://login.example.com", "--data-directory", directory];
    for (const role of [[], ["--role", "services"], ["--role", "edge"], ["--role", "worker"]]) {
      const shown = config(...issuer, ...role);
      expect([shown.status, shown.stderr]).toEqual([78, expect.stringContaining(sentence)]);
    }
    expect(config(...issuer, "--socket-directory", join(tmpdir(), "sockets")).status).toBe(0);
    const started = spawnSync(process.execPath, ["src/main.ts", "serve", ...issuer], { encoding: "utf8" });
    expect([started.status, started.stderr]).toEqual([78, expect.stringContaining(sentence)]);
    expect(existsSync(directory)).toBe(false);
  });

  it("lets both listeners have one port on different addresses", () => {
    const hosts = ["--public-host", "10.1.2.3", "--management-host", "10.1.2.4"];
    expect(config("--issuer", "https://login.example.com", "--management-port", "8080", ...hosts).status).toBe(0);
  });

  it.each([
    ["webhook-attempt-delays", "1m,60m", "1m,60m"],
    ["webhook-attempt-delays", "250ms,90s", "250ms,90s"],
    ["webhook-attempt-delays", "0s,24h", "0m,1440m"],
    [
      "webhook-allowed-networks",
      "10.1.0.0/16,127.0.0.1,0.0.0.0/0,fd00:1::/32,::1,::/0",
      "10.1.0.0/16,127.0.0.1/32,0.0.0.0/0,fd00:1::/32,::1/128,::/0",
    ],
    ["webhook-allowed-networks", "::ffff:10.0.0.0/104", "10.0.0.0/8"],
    ["webhook-endpoint-ports", "443,8000-8999", "443,8000-8999"],
    ["trusted-proxies", "10.0.3.0/24, fd00::7", "10.0.3.0/24,fd00::7"],
  ] as const)("shows --%s %s as a value that a start takes, with the same meaning", (name, given, shown) => {
    const issuer = ["--issuer", "https://login.example.com"];
    expect(config(...issuer, `--${name}=${given}`).stdout).toContain(`\n${name} = ${shown}\n`);
    const { schema } = allSettings[name];
    expect(schema.parse(shown)).toEqual(schema.parse(given));
  });

  it.each(Object.entries(allSettings))("says of --%s in words of ours what a wrong value must be", (_, { schema }) => {
    const given = [5.5, true, null, "", {}, [1]];
    const mistakes = given.flatMap(
      (value) => schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [],
    );
    expect(mistakes.filter((message) => !message.startsWith("must "))).toEqual([]);
    expect(mistakes).not.toEqual([]);
  });

  it("names a unit by its whole word, as the settings beside it do", () => {
    const units = new Set(Object.values(allSettings).flatMap((one) => ("unit" in one ? [one.unit] : [])));
    expect([...units].filter((unit) => String(unit).length < 3)).toEqual([]);
    expect(units).toContain("milliseconds");
  });

  it("says where each setting was given, since a variable of a shell wins over the file", () => {
    const folder = newFolder("gh-config-");
    const file = join(folder, "gatehouse.json");
    writeFileSync(file, JSON.stringify({ "data-directory": "/srv/gatehouse", "public-port": 9000 }), { mode: 0o600 });
    const env = { PATH: process.env.PATH, GATEHOUSE_DATA_DIRECTORY: "/elsewhere" };
    const words = ["src/main.ts", "config", "--config", file, "--issuer=https://login.example.com"];
    const lines = spawnSync(process.execPath, words, { encoding: "utf8", env }).stdout;
    const json = spawnSync(process.execPath, [...words, "--json"], { encoding: "utf8", env }).stdout;
    expect(lines).toContain("\ndata-directory = /elsewhere\n    Given by: GATEHOUSE_DATA_DIRECTORY. Directory of");
    expect(lines).toContain("\npublic-port = 9000\n    Given by: configuration file. Port of");
    expect(lines).toContain("\nissuer = https://login.example.com\n    Given by: --issuer. The issuer");
    expect(lines).toContain("\nmanagement-port = 8081\n    Port of");
    expect((JSON.parse(json) as { settings: readonly object[] }).settings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "public-port", from: "configuration file" }),
        expect.objectContaining({ name: "management-port", from: null }),
      ]),
    );
  });

  it("shows an empty list as (none)", () => {
    const { stdout } = config("--issuer", "https://login.example.com", "--webhook-allowed-networks=");
    expect(stdout).toContain("\nwebhook-allowed-networks = (none)\n");
  });

  it("looks for what a start of the named role would refuse, as each process of an installation has its own settings", () => {
    const files = ["--tls-certificate-file", "/nowhere/chain.pem", "--tls-key-file", "/nowhere/key.pem"];
    expect(config("--role", "worker", ...files)).toMatchObject({ status: 0, stderr: "" });
    expect(config("--role", "services").stderr).toContain("mistake:\n  - issuer is missing");
    expect(config("--role", "edge", "--issuer=https://login.example.com", ...files).stderr).toContain("chain.pem");
    expect(config("--role", "gateway").stderr).toContain("--role must be one of edge, services, worker");
    expect(config("--role", "worker", "--role=edge").stderr).toContain(
      "--role is given twice: a process has one role, or all three without it.",
    );
  });

  it("prints one JSON document with --json, in which no secret is, and a mistake as one too", () => {
    const flags = [
      "--json",
      "--issuer=https://login.example.com",
      `--master-keys=${Buffer.alloc(32).toString("base64")}`,
    ];
    const { status, stdout, stderr } = config(...flags, "--webhook-allowed-networks=");
    const { settings, warnings } = JSON.parse(stdout) as {
      settings: readonly { readonly name: string }[];
      warnings: readonly string[];
    };
    expect([status, stderr, warnings, settings.map(({ name }) => name)]).toEqual([0, "", [], Object.keys(allSettings)]);
    const of = (...names: string[]) => settings.filter(({ name }) => names.includes(name));
    expect(
      of("public-port", "store-url", "master-keys", "webhook-allowed-networks", "drain-milliseconds"),
    ).toMatchObject([
      { name: "public-port", state: "set", value: "8080", unit: null, meaning: expect.any(String) },
      { name: "drain-milliseconds", state: "set", value: "500", unit: "milliseconds" },
      { name: "store-url", state: "not_set", value: null },
      { name: "master-keys", state: "secret", value: null },
      { name: "webhook-allowed-networks", state: "set", value: "" },
    ]);
    const mistaken = config("--json");
    expect(mistaken.status).toBe(78);
    expect(JSON.parse(mistaken.stdout)).toMatchObject({ settings: expect.any(Array) });
    expect(JSON.parse(mistaken.stderr)).toMatchObject({ error: { reason: "configuration" } });
  });

  describeWith(opensslPart(), "with a key file that all users can read (R-X401)", () =>
    withScope((closeLater) =>
      it("warns, and says what to do", async () => {
        const authority = await openCertificateAuthority(closeLater);
        const { certificateFile, keyFile } = authority.issue("open", ["login.example.com"]);
        const files = ["--tls-certificate-file", certificateFile, "--tls-key-file", keyFile];
        chmodSync(keyFile, 0o644);
        const { status, stderr } = config("--issuer", "https://login.example.com", ...files);
        const warning = `${keyFile} (tls-key-file) can be read by all users. Run: chmod o= ${keyFile}`;
        expect([status, stderr]).toEqual([0, `gatehouse: ${warning}\n`]);
        const asJson = config("--json", "--issuer", "https://login.example.com", ...files);
        expect([asJson.stderr, JSON.parse(asJson.stdout)]).toEqual([
          "",
          expect.objectContaining({ warnings: [warning] }),
        ]);
        chmodSync(keyFile, 0o640);
        expect(config("--issuer", "https://login.example.com", ...files).stderr).toBe("");
      }),
    ),
  );

  describeWith(opensslPart(), "with a certificate that clients would refuse (R-X126)", () =>
    withScope((closeLater) =>
      it("warns, as a start does", async () => {
        const authority = await openCertificateAuthority(closeLater);
        const warningsOf = (hosts: readonly string[], { expired }: { readonly expired: boolean }) => {
          const { certificateFile, keyFile } = authority.issue("served", hosts);
          // The same again, valid for no time at all.
          const again = ["-signkey", keyFile, "-days", "0", "-out", certificateFile];
          if (expired) execFileSync("openssl", ["x509", "-in", certificateFile, ...again], { stdio: "ignore" });
          const files = ["--tls-certificate-file", certificateFile, "--tls-key-file", keyFile];
          const origins = ["--issuer=https://login.example.com", "--gateway-url=https://api.example.com:8443"];
          const { status, stdout } = config("--json", ...origins, ...files);
          const { warnings } = JSON.parse(stdout) as { warnings: readonly string[] };
          return [status, ...warnings.map((warning) => warning.replace(certificateFile, "FILE"))];
        };
        expect(warningsOf(["login.example.com", "api.example.com"], { expired: false })).toEqual([0]);
        expect(warningsOf(["api.example.com"], { expired: true })).toEqual([
          0,
          "The certificate in FILE has expired: renew tls-certificate-file.",
          "The certificate in FILE does not cover a public hostname of this server: login.example.com.",
        ]);
      }),
    ),
  );

  describeWith(opensslPart(), "with certificates that prove us to PostgreSQL and Temporal (R-X441)", () =>
    it.each([
      [
        0,
        ["PostgreSQL has expired: renew sslcert in store-url", "Temporal has expired: renew temporal-tls-certificate"],
      ],
      [2, []],
    ])("warns of those that need to be renewed: of %i days", (days, expected) => {
      const folder = newFolder("gh-client-certificates-");
      const { cert, key } = selfSigned("gatehouse.example", { days });
      const at = (name: string, content: string) => {
        writeFileSync(join(folder, name), content, { mode: 0o600 });
        return join(folder, name);
      };
      const [certificate, ofIt] = [at("client.pem", cert), at("client.key", key)];
      const { stdout, status } = config(
        "--json",
        ...["--issuer", "https://login.example.com"],
        ...["--store-url", `postgresql://db.example/gatehouse?sslcert=${certificate}&sslkey=${ofIt}`],
        ...["--master-keys-file", at("master-keys", Buffer.alloc(32, 1).toString("base64"))],
        ...["--temporal-address", "temporal.example:7233", "--temporal-tls"],
        ...["--temporal-tls-certificate-file", certificate, "--temporal-tls-key-file", ofIt],
      );
      const { warnings } = JSON.parse(stdout) as { warnings: readonly string[] };
      expect([status, warnings]).toEqual([0, expected.map((what) => `The certificate that proves us to ${what}.`)]);
    }),
  );

  describe("with a key for PostgreSQL in store-url", () =>
    it.each([
      [0o644, true],
      [0o640, false],
    ])("warns when all users can read it (R-X401): mode %o", (mode, warns) => {
      const folder = newFolder("gh-client-key-");
      const key = join(folder, "client.key");
      writeFileSync(key, "");
      chmodSync(key, mode);
      const url = `postgresql://gatehouse@db.example/gatehouse?sslcert=${encodeURIComponent(key)}&sslkey=${encodeURIComponent(key)}`;
      const masterKeys = join(folder, "master-keys");
      writeFileSync(masterKeys, Buffer.alloc(32, 1).toString("base64"), { mode: 0o600 });
      const shared = ["--store-url", url, "--master-keys-file", masterKeys];
      const { status, stderr } = config("--issuer", "https://login.example.com", ...shared);
      const warning = `gatehouse: ${key} (sslkey in store-url) can be read by all users. Run: chmod o= ${key}\n`;
      expect([status, stderr]).toEqual([0, warns ? warning : ""]);
    }));

  it("names what a start refuses in a store-url, beside its other mistakes (R-X379)", () => {
    const urls = ["connect_timeout=2", "sslmode=verify-fully", "ssl=false", "sslmode=verify-full#gatehouse-secret"].map(
      (query) => `postgresql://gatehouse:gatehouse-secret@db.example/gatehouse?${query}`,
    );
    const asked = urls.map((url) => config("--store-url", url));
    expect(asked.map(({ status }) => status)).toEqual([78, 78, 78, 78]);
    expect(asked.map(({ stderr }) => stderr.split("\n").filter((line) => line.includes("store-url")))).toEqual([
      ["  - store-url has connect_timeout, which has no effect here. Take it out. Set store-connect-timeout-ms."],
      ["  - store-url has an sslmode that does not exist: verify-fully. Write sslmode=verify-full, or disable."],
      ["  - store-url has ssl=false, which does not exist. Write one of: true, 1, 0, no-verify."],
      ["  - store-url has a #, which cuts off what follows it. Write it as %23."],
    ]);
    expect(asked.filter(({ stderr }) => stderr.includes("issuer is missing"))).toHaveLength(4);
    expect(asked.filter(({ stdout, stderr }) => `${stdout}${stderr}`.includes("gatehouse-secret"))).toEqual([]);
  });

  it("ends with 0 where nothing is wrong", () => {
    const { status, stderr, names } = config("--issuer", "https://login.example.com");
    expect([status, stderr, names.length]).toEqual([0, "", Object.keys(allSettings).length]);
  });
});
