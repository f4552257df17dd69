import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { dnsServer, NOERROR } from "../support/dns-server.ts";
import { newFolder } from "../support/folder.ts";
import { freePort } from "../support/free-port.ts";
import { TEST_MASTER_KEY } from "../support/gatehouse.ts";
import { withScope } from "../support/scope.ts";

const [SILENT, ANSWERING] = ["127.53.0.1", "127.53.0.2"] as const;

/** Runs a program for which another file is the machine's list of name servers; only root may do so, on Linux. */
const withServersOf = (file: string, program: string, words: readonly string[]) =>
  ["--mount", "sh", "-c", 'mount --bind "$0" /etc/resolv.conf && exec "$@"', file, program, ...words] as const;

const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
const mayMount =
  header.glibcVersionRuntime !== undefined &&
  spawnSync("unshare", withServersOf("/etc/hostname", "true", [])).status === 0;

(mayMount ? describe : describe.skip)("the first of two name servers is silent", () => {
  withScope((closeLater) => {
    it("the address of PostgreSQL is asked of the second in time", async () => {
      await dnsServer(closeLater, {}, { port: 53, address: SILENT });
      await dnsServer(closeLater, { name: NOERROR }, { port: 53, address: ANSWERING });
      const folder = newFolder("gh-names-");
      const servers = join(folder, "resolv.conf");
      writeFileSync(servers, `nameserver ${SILENT}\nnameserver ${ANSWERING}\n`);
      const port = await freePort();
      const words = Object.entries({
        development: "true",
        "data-directory": join(folder, "data"),
        "public-port": String(await freePort()),
        "management-port": String(await freePort()),
        "store-url": `postgresql://gatehouse@postgres.test:${port}/gatehouse`,
        "master-keys": TEST_MASTER_KEY,
      }).map(([name, value]) => `--${name}=${value}`);
      const command = withServersOf(servers, resolve("bin/gatehouse"), ["serve", ...words]);
      const { PATH, HOME } = process.env;
      const said = await new Promise<string>((resolve) =>
        execFile("unshare", command, { env: { PATH, HOME } }, (_, stdout, stderr) => resolve(stdout + stderr)),
      );
      // It was found, and nothing listens there.
      expect(said).toContain(`The PostgreSQL server at postgres.test:${port} does not accept us (ECONNREFUSED).`);
    });
  });
});
