import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, credentials, type ServiceError } from "@grpc/grpc-js";
import { type OnboardWorkerRequest, PlatformService } from "../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { withScope } from "../support/scope.ts";

/** What an outsider reads: the comment that each published proto begins with. */
const prose = (file: string): string => readFileSync(file, "utf8").split("syntax =")[0] ?? "";
const PUBLISHED = globSync("generated/contracts/platform.*.proto").sort();

withScope((closeLater) => {
  let gatehouse: Gatehouse;
  let client: Client;
  beforeAll(async () => {
    gatehouse = await openGatehouse(closeLater);
    client = new Client(
      `unix:${join(gatehouse.dataDirectory, "sockets", "platform.sock")}`,
      credentials.createInsecure(),
    );
    closeLater(async () => client.close());
  });

  /** A worker without an address or a name, whose primary unit is none of her units. */
  const REFUSED: OnboardWorkerRequest = {
    requestId: "",
    tenantId: "",
    email: "",
    firstName: "",
    lastName: "",
    jobTitles: [],
    address: null,
    unitIds: [],
    primaryUnitId: "unit",
    emailVerified: false,
  };
  const refusal = () =>
    new Promise<ServiceError>((resolve, reject) => {
      const { path, requestSerialize, responseDeserialize } = PlatformService.onboardWorker;
      client.makeUnaryRequest(path, requestSerialize, responseDeserialize, REFUSED, (error) =>
        error === null ? reject(new Error("It is not refused.")) : resolve(error),
      );
    });

  describe("a refusal on the platform's socket (R-X207)", () => {
    it("has no metadata that the published protos do not describe", async () => {
      const { metadata } = await refusal();
      const ours = Object.keys(metadata.getMap()).filter((name) => name.startsWith("gatehouse-"));
      expect(ours).toEqual(["gatehouse-reason", "gatehouse-violations-bin", "gatehouse-named"]);
      expect(PUBLISHED).toHaveLength(2);
      for (const file of PUBLISHED) for (const name of ours) expect(`${file}: ${prose(file)}`).toContain(`\`${name}\``);
    });
  });
});
