import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { opensslPart, selfSigned } from "../support/certificates.ts";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { describeWith } from "../support/optional-part.ts";

const OPEN_KEY = "The private key that proves us to PostgreSQL can be read by others.";
const OLD_CERTIFICATE = "The certificate that proves us to PostgreSQL needs to be renewed.";

/** Starts services with both files, on a PostgreSQL that is not there, and returns the lines of their log. */
async function linesOfStart(certificate: string, key: string): Promise<readonly string[]> {
  const folder = newFolder("gh-client-");
  const masterKeys = join(folder, "master-keys");
  writeFileSync(masterKeys, Buffer.alloc(32, 1).toString("base64"), { mode: 0o600 });
  const [port, managementPort] = [await freePort(), await freePort()];
  const files = new URLSearchParams({ sslcert: certificate, sslkey: key });
  const flags = {
    issuer: "https://login.example.com",
    "data-directory": folder,
    "store-url": `postgresql://gatehouse@127.0.0.1:${port}/gatehouse?${files}`,
    "master-keys-file": masterKeys,
    "management-port": String(managementPort),
  };
  const words = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value]);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["src/main.ts", "serve", "--role", "services", ...words],
    {
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    },
  );
  expect([status, stderr]).toEqual([1, expect.stringContaining("does not accept us (ECONNREFUSED)")]);
  return stdout.split("\n");
}

describe("a start with a key for PostgreSQL in store-url (R-X401)", () =>
  it.each([
    [0o644, 1],
    [0o640, 0],
  ])("says once when all users can read it: mode %o", async (mode, times) => {
    const key = join(newFolder("gh-client-key-"), "client.key");
    writeFileSync(key, "");
    chmodSync(key, mode);
    const lines = (await linesOfStart(key, key)).filter((line) => line.includes(OPEN_KEY));
    expect(lines).toHaveLength(times);
    expect(lines.every((line) => line.includes(`chmod o= ${key}`))).toBe(true);
  }));

describeWith(opensslPart(), "a start with a certificate for PostgreSQL in store-url (R-X441)", () =>
  it.each([
    [0, ["It has expired: renew sslcert in store-url."]],
    [2, []],
  ])("says once when it needs to be renewed: of %i days", async (days, details) => {
    const { cert, key } = selfSigned("gatehouse.example", { days });
    const folder = newFolder("gh-client-certificate-");
    const files = { certificate: join(folder, "client.pem"), key: join(folder, "client.key") };
    writeFileSync(files.certificate, cert);
    writeFileSync(files.key, key, { mode: 0o600 });
    const lines = (await linesOfStart(files.certificate, files.key)).filter((line) => line.includes(OLD_CERTIFICATE));
    expect(lines.map((line) => (JSON.parse(line) as { detail: string }).detail)).toEqual(details);
  }),
);
