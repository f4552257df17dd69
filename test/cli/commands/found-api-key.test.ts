import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { newFolder } from "../../support/folder.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";
import { gatehouse, type Ran } from "../command-line.ts";

describe("api-keys find, beside a running Gatehouse (R-G11)", () => {
  withScope((closeLater) => {
    let directory: string;
    let run: (words: readonly string[], stdin?: string) => Promise<Ran>;
    let secret: string;
    let id: string;

    beforeAll(async () => {
      const product = await openGatehouse(closeLater);
      run = (words, stdin = "") => gatehouse([...words, "--data-directory", product.dataDirectory], { stdin });
      directory = newFolder("gatehouse-found-");
      await run(["integrations", "create", "--name", "Quay Payroll"]);
      ({ secret, id } = await issue("nightly"));
    });

    const issue = async (label: string): Promise<{ readonly secret: string; readonly id: string }> =>
      JSON.parse(
        (await run(["api-keys", "issue", "--json", "--label", label, "--integration", "Quay Payroll"])).stdout,
      );

    it("names integration and label of the key in a file, and the command that revokes it", async () => {
      await writeFile(join(directory, "key"), `${secret}\n`);
      const { exitCode, stdout, stderr } = await run(["api-keys", "find", "--file", join(directory, "key")]);
      expect(exitCode).toBe(0);
      expect(stdout).toMatch(/^label +nightly\nintegration +Quay Payroll\nstate +live$/m);
      expect(stderr).toContain(`gatehouse api-keys revoke ${id}`);
      expect(stdout + stderr).not.toContain(secret);
    });

    it("is what tokens explain names for an API key", async () => {
      const { stdout } = await run(["tokens", "explain"], secret);
      expect(stdout).toContain("gatehouse api-keys find");
    });

    it("says that a revoked key is refused", async () => {
      const revoked = await issue("revoked");
      await run(["api-keys", "revoke", revoked.id]);
      const { exitCode, stdout, stderr } = await run(["api-keys", "find"], revoked.secret);
      expect([exitCode, stderr.split("\n")[0]]).toEqual([0, "The key is refused."]);
      expect(stdout).toMatch(/^state +revoked /m);
    });

    it("ends with code 2 for a key of another installation, and with code 1 for half a key; neither is repeated", async () => {
      const other = newApiKey({ bytes: randomBytes });
      const unknown = await run(["api-keys", "find"], other);
      expect([unknown.exitCode, unknown.stdout]).toEqual([2, ""]);
      expect(unknown.stderr).toContain("No integration of this installation has that key.");
      expect((await run(["api-keys", "find"], "\n")).stderr).toContain("There was no key to read.");
      const half = await run(["api-keys", "find"], secret.slice(0, 30));
      expect([half.exitCode, half.stdout]).toEqual([1, ""]);
      expect(half.stderr).toContain("must be a whole API key");
      expect(unknown.stderr + half.stderr).not.toContain(other.slice(4, 16));
      expect(half.stderr).not.toContain(secret.slice(4, 16));
    });
  });
});
