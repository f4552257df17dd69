import { join } from "node:path";
import { eventually } from "../support/eventually.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { present } from "../support/world.ts";

const FLAGS = { "log-level": "info" };

const saidAtStart = (processes: ProcessGatehouse) =>
  eventually(
    async () => present(processes.programs.all).output(),
    (written) => written.includes('"msg":"Started."'),
  );

describe("the master key of the embedded store", () => {
  withScope((closeLater) => {
    it("is said to be made at the first start, with its place, and at no later one (R-X398)", async () => {
      const first = await openProcesses(closeLater, { flags: FLAGS });
      const said = await saidAtStart(first);
      expect(said).toContain("A master key was made: keep a copy of it, apart from the backups.");
      expect(said).toContain(join(first.dataDirectory, "master.key"));
      await first.stop();

      const second = await openProcesses(closeLater, { flags: FLAGS, dataDirectory: first.dataDirectory });
      expect(await saidAtStart(second)).not.toContain("master key");
    });
  });
});
