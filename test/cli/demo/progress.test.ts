import { join } from "node:path";
import { connectTo } from "../../../src/cli/connection/connection.ts";
import { readDemoProgress } from "../../../src/cli/demo/progress.ts";
import { INVITED, importCompanies } from "../../../src/cli/demo/workforce.ts";
import { openGatehouse } from "../../support/gatehouse.ts";
import { withScope } from "../../support/scope.ts";

describe("what somebody has done with a demonstration", () => {
  withScope((closeLater) => {
    it("is known, too, when the company that invited the person was erased", async () => {
      const { dataDirectory } = await openGatehouse(closeLater);
      const socketDirectory = join(dataDirectory, "sockets");
      const connection = connectTo(socketDirectory);
      closeLater(() => connection.close());
      await importCompanies(connection, "demo-progress");
      const begun = { hasSignedIn: false, newClientName: "Harbour Bakery" };
      expect(await readDemoProgress(socketDirectory)).toEqual(begun);
      await connection.erasure.erase({ target: { id: { $case: "tenantId", value: INVITED.tenantId } } });
      expect(await readDemoProgress(socketDirectory)).toEqual({ ...begun, hasSignedIn: true });
    });
  });
});
