import { openGatehouse } from "../../../support/gatehouse.ts";
import { withScope } from "../../../support/scope.ts";
import { makeWorld } from "../../../support/world.ts";
import { gatehouse, type Ran } from "../../command-line.ts";

describe("gatehouse subscriptions create, with filters that exclude each other", () => {
  withScope((closeLater) => {
    let create: (label: string, ...filters: string[]) => Promise<Ran>;

    beforeAll(async () => {
      const product = await openGatehouse(closeLater);
      await makeWorld(product);
      create = (label, ...filters) =>
        gatehouse([
          ...["subscriptions", "create", "--label", label, "--instance-integration", "Marigold"],
          ...["--endpoint-url", "https://hooks.example/in", ...filters, "--data-directory", product.dataDirectory],
        ]);
    });

    it("warns that client.created never comes with a list of tenants (R-E14)", async () => {
      const filters = ["--event-type", "client.created", "--event-type", "user.*", "--tenant", "Harbour Bakery"];
      const { exitCode, stderr } = await create("both", ...filters);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(
        "It will never get client.created: a new tenant is on no list yet. Make a subscription without --tenant for that type.",
      );
      expect(exitCode).toBe(0);
    });

    it.each([
      ["no list of tenants", ["--event-type", "client.created"]],
      ["another type", ["--event-type", "user.*", "--tenant", "Harbour Bakery"]],
    ])("does not warn with %s", async (_, filters) => {
      const { exitCode, stderr } = await create(`fine-${filters.length}`, ...filters);
      expect(stderr).not.toContain("never");
      expect(exitCode).toBe(0);
    });
  });
});
