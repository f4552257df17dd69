import { execFileSync, spawn, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../support/folder.ts";
import { call } from "../../support/http.ts";
import { servedPortal } from "../../support/portal-edge.ts";

const ARCHIVE = "/tools/gatehouse-webhooks.tgz";

describe("the tools for receivers to download (R-X412)", () => {
  const portal = servedPortal();
  let folder: string;
  beforeAll(async () => {
    folder = newFolder("gh-tools-");
  });

  it("are the files that npm packs, and the text of the licence", async () => {
    const answer = await fetch(`${portal.url}${ARCHIVE}`);
    const archive = join(folder, "tools.tgz");
    writeFileSync(archive, Buffer.from(await answer.arrayBuffer()));
    const tar = (...words: readonly string[]) => execFileSync("tar", [...words], { encoding: "utf8" });
    const members = tar("-tzf", archive).trim().split("\n");
    const [{ files }] = JSON.parse(
      execFileSync("npm", ["pack", "--dry-run", "--json", "./desk"], { encoding: "utf8" }),
    ) as readonly [{ readonly files: readonly { readonly path: string }[] }];
    const paths = files.map(({ path }) => path);
    tar("-xzf", archive, "-C", folder);
    const differing = paths.filter(
      (path) =>
        readFileSync(join(folder, "gatehouse-webhooks", path), "utf8") !==
        readFileSync(path === "LICENSE" ? path : join("desk", path), "utf8"),
    );
    expect(paths).toContain("LICENSE");
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/gzip"]);
    expect(members.toSorted()).toEqual(paths.map((path) => `gatehouse-webhooks/${path}`).toSorted());
    expect(differing).toEqual([]);
  });

  it("are installed by npm from the address alone, in a folder that does not exist yet", async () => {
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      // Nothing but the archive is asked for.
      npm_config_registry: "http://127.0.0.1:9",
      npm_config_update_notifier: "false",
    };
    const installed = await new Promise<number | null>((resolve) => {
      const words = ["install", "--no-audit", "--prefix", "webhook-tools", `${portal.url}${ARCHIVE}`];
      spawn("npm", words, { cwd: folder, env, stdio: "ignore" }).once("close", resolve);
    });
    const command = join(folder, "webhook-tools", "node_modules", ".bin", "gatehouse-webhooks");
    const { stdout, stderr } = spawnSync(command, ["listen", "--help"], { cwd: folder, env, encoding: "utf8" });
    expect([installed, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("Usage: gatehouse-webhooks listen --forward-to <url> [flags]");
  });

  it("are the same bytes each time", async () => {
    const [first, second] = await Promise.all([1, 2].map(() => call(portal.url, ARCHIVE)));
    expect(second?.text).toBe(first?.text);
  });

  it.each(["webhooks.tgz", "gatehouse-webhooks", "gatehouse-webhooks.tgz.sha256"])("has no %s", async (file) => {
    expect((await call(portal.url, `/tools/${file}`)).status).toBe(404);
  });
});
