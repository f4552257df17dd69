import { GatewayService } from "../../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import { eachCarrier } from "../../support/carriers.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, withKey } from "../workforce-fixture.ts";

eachStore((_, openStore) => {
  describe("the caller of a gateway call, however it is carried (R-G15)", () => {
    eachCarrier((_, openCarrier) => {
      it("is the integration whose key the metadata proves", async () => {
        const workforce = await openWorkforce(openStore);
        const [mine, theirs] = [
          await workforce.integration(await workforce.instance("Europe")),
          await workforce.integration(await workforce.instance("Asia")),
        ];
        const { connect } = await openCarrier({ registrations: workforce.registrations });
        const gateway = connect(GatewayService);
        const seen = async (secret: string) =>
          (await gateway.listInstanceIntegrations({}, withKey(secret))).instanceIntegrations.map(({ id }) => id);
        expect(await Promise.all([seen(mine.secret), seen(theirs.secret)])).toEqual([
          [mine.connectionId],
          [theirs.connectionId],
        ]);
        expect(await refusal(gateway.checkCaller({}))).toMatchObject({ code: "UNAUTHENTICATED" });
      });
    });
  });
});
