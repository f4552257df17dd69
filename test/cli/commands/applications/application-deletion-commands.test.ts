import { type Gatehouse, openGatehouse } from "../../../support/gatehouse.ts";
import { withScope } from "../../../support/scope.ts";
import { gatehouse, type RunOptions } from "../../command-line.ts";

describe("gatehouse applications delete and redirect-uris list, beside a running Gatehouse", () => {
  withScope((closeLater) => {
    let product: Gatehouse;
    const run = (words: readonly string[], options?: RunOptions) =>
      gatehouse([...words, "--data-directory", product.dataDirectory], options);
    const exists = async () => (await run(["applications", "show", "Paytide"])).exitCode === 0;

    beforeAll(async () => {
      product = await openGatehouse(closeLater);
      await run(["instances", "create", "--name", "Europe"]);
    });
    beforeEach(async () => {
      const uris = ["--redirect-uri", "https://a.example/cb", "--redirect-uri", "https://b.example/cb"];
      await run(["applications", "create", "--name", "Paytide", "--instance", "Europe", ...uris]);
    });
    afterEach(() => run(["applications", "delete", "Paytide", "--yes"]));

    it("deletes only with --yes in a script (R-X202)", async () => {
      const refused = await run(["applications", "delete", "Paytide"]);
      expect([refused.exitCode, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toMatch(/^gatehouse: This ends Paytide \(app_\w+\) for good: [\s\S]+Add --yes if/);
      expect(await exists()).toBe(true);
      const { exitCode, stdout } = await run(["applications", "delete", "Paytide", "--yes", "--json"]);
      expect([exitCode, JSON.parse(stdout).name]).toEqual([0, "Paytide"]);
      expect(await exists()).toBe(false);
    });

    it.each([
      ["no", "no\n", 2, true],
      ["nothing", "\n", 2, true],
      ["the end of the input", "", 2, true],
      ["yes", "yes\n", 0, false],
    ])("at a terminal it says what it ends, and takes %s as such (R-X202)", async (_, stdin, exitCode, isLeft) => {
      const answered = await run(["applications", "delete", "Paytide"], { stdin, typed: true });
      expect(answered.exitCode).toBe(exitCode);
      expect(answered.stderr).toContain("for good: sign-ins with it, its codes, tokens and secret");
      expect(answered.stderr).toContain("Delete Paytide? [y/N]: ");
      expect(await exists()).toBe(isLeft);
    });

    it("lists the redirect URIs with their instances", async () => {
      const { stdout } = await run(["applications", "redirect-uris", "list", "Paytide"]);
      expect(stdout).toMatch(/^https:\/\/a\.example\/cb +Europe\nhttps:\/\/b\.example\/cb +Europe$/m);
      const json = await run(["applications", "redirect-uris", "list", "Paytide", "--json"]);
      expect(JSON.parse(json.stdout)).toEqual({
        redirectUris: [
          { uri: "https://a.example/cb", instanceId: expect.stringMatching(/^instance_/) },
          { uri: "https://b.example/cb", instanceId: expect.stringMatching(/^instance_/) },
        ],
      });
    });
  });
});
