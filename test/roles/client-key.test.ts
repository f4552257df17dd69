import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";

const SENTENCE = "The private key that proves us to PostgreSQL can be read by others.";

describe("a start with a key for PostgreSQL in store-url (R-X401)", () =>
  it.each([
    [0o644, 1],
    [0o640, 0],
  ])("says once when all users can read it: mode %o", async (mode, times) => {
    const folder = newFolder("gh-client-key-");
    const key = join(folder, "client.key");
    writeFileSync(key, "");
    chmodSync(key, mode);
    const masterKeys = join(folder, "master-keys");
    writeFileSync(masterKeys, Buffer.alloc(32, 1).toString("base64"), { mode: 0o600 });
    const [port, managementPort] = [await freePort(), await freePort()];
    const ours = encodeURIComponent(key);
    const url = `postgresql://gatehouse@127.0.0.1:${port}/gatehouse?sslcert=${ours}&sslkey=${ours}`;
    const flags = {
      issuer: "https://login.example.com",
      "data-directory": folder,
      "store-url": url,
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
    const lines = stdout.split("\n").filter((line) => line.includes(SENTENCE));
    expect(lines).toHaveLength(times);
    expect(lines.every((line) => line.includes(`chmod o= ${key}`))).toBe(true);
  }));
