import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { startMock } from "../conformance/mock.ts";
import { freePort } from "../support/free-port.ts";
import { closingAfterAll } from "../support/scope.ts";

const ROOT = join(import.meta.dirname, "..", "..");

/** The mock as a process of its own. */
function mock(port: string) {
  const child = spawn(process.execPath, ["tools/mock.ts", port], { cwd: ROOT, stdio: ["ignore", "pipe", "pipe"] });
  const ended = Promise.all([once(child, "exit"), text(child.stderr)]);
  return { child, ended: ended.then(([[code], stderr]) => ({ code, stderr })) };
}

describe("the mock as a process", () => {
  const closeLater = closingAfterAll();

  it.each(["abc", "70000", "-1", "80.5", ""])("refuses the port %j before it starts anything", async (port) => {
    const { child, ended } = mock(port);
    child.stdout.resume();
    expect(await ended).toEqual({
      code: 2,
      stderr: "A port is a whole number from 1 to 65535: node tools/mock.ts 4010\n",
    });
  });

  it("fails when what answers behind it was killed", async () => {
    const { child, ended } = mock(String(await freePort()));
    await once(child.stdout, "data");
    const children = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, "utf8").trim().split(" ");
    expect(children).toHaveLength(1);
    process.kill(Number(children[0]), "SIGKILL");
    expect((await ended).code).toBe(1);
  });

  it("answers HEAD and OPTIONS as the gateway does", async () => {
    const baseUrl = await startMock(closeLater);
    const url = `${baseUrl}/v1/instance-integrations`;
    const key = { headers: { "x-api-key": "any" } };
    const get = await fetch(url, key);
    const head = await fetch(url, { ...key, method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), head.headers.get("etag"), await head.text()]).toEqual([
      200,
      get.headers.get("content-type"),
      get.headers.get("etag"),
      "",
    ]);
    const options = await fetch(url, { method: "OPTIONS" });
    expect([options.status, options.headers.get("allow")]).toEqual([204, "GET, HEAD, OPTIONS"]);
    const ofOne = `${baseUrl}/v1/webhooks/subscriptions/subscription_9`;
    expect((await fetch(ofOne, { method: "OPTIONS" })).headers.get("allow")).toBe("DELETE, GET, HEAD, OPTIONS, PATCH");
  });

  it("ends well when it is asked to", async () => {
    const { child, ended } = mock(String(await freePort()));
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(0);
  });
});
