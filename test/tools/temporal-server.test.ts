import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";

const TOOL = resolve("tools", "temporal-server.ts");

/** A `temporal` that is ready at once, and whose server does what the test wants. */
const temporalOf = (server: string) => `#!/bin/sh
case "$1" in
  --version) echo "temporal version 0.0.0 (Server 1.31.0, UI 2.0.0)" ;;
  server) ${server} ;;
esac
`;

describe("tools/temporal-server.ts", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-temporal-");
  });

  /** Starts it with a server; it has nothing of ours but what it reads. */
  const start = async (server: string, ports: Readonly<Record<string, number>> = {}) => {
    const cli = join(folder, "temporal");
    writeFileSync(cli, temporalOf(server));
    chmodSync(cli, 0o755);
    const env = { PATH: process.env.PATH, GATEHOUSE_TEMPORAL_CLI: cli };
    const all = { port: await freePort(), "ui-port": await freePort(), ...ports };
    const words = Object.entries(all).flatMap(([name, port]) => [`--${name}`, String(port)]);
    const child = spawn(process.execPath, [TOOL, ...words], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = Promise.all([once(child, "exit"), text(child.stderr)]);
    return { child, ended: ended.then(([[code], stderr]) => ({ code, stderr })) };
  };

  it("ends with 1 and says so when its server is killed", async () => {
    const { ended } = await start("sleep 1; kill -KILL $$");
    expect(await ended).toEqual({ code: 1, stderr: "temporal-server: The Temporal server was ended by SIGKILL.\n" });
  });

  it("ends with the code of a server that ends by itself", async () => {
    const { ended } = await start("sleep 1; exit 3");
    expect(await ended).toMatchObject({ code: 3 });
  });

  it.each([
    ["port", "TEMPORAL_PORT"],
    ["ui-port", "TEMPORAL_UI_PORT"],
  ])("starts nothing where its %s is taken, and says which variable of make gives another", async (name, variable) => {
    const other = createServer();
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    try {
      const { child, ended } = await start("exec sleep 60", { [name]: port });
      const printed = text(child.stdout);
      expect(await ended).toEqual({
        code: 1,
        stderr: `temporal-server: Port ${port} on 127.0.0.1 is taken by another program. Another one: make temporal ${variable}=…\n`,
      });
      expect(await printed).toBe("");
    } finally {
      other.close();
    }
  });

  it("ends with 0 when it is asked to end", async () => {
    const { child, ended } = await start("exec sleep 60");
    await once(child.stdout, "data");
    child.kill("SIGINT");
    expect(await ended).toEqual({ code: 0, stderr: "" });
  });
});
