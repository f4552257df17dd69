import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { rememberIssuer, type ServedIssuerTables } from "../../../src/runtime/upkeep/served-issuer.ts";
import { type IdentityTables, identifyStore } from "../../../src/runtime/upkeep/store-identity.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { eachStore } from "../../support/stores.ts";

eachStore((_, open) => {
  it("warns at a start with another issuer than the last, with both of them, and not at the next one (R-X364)", async () => {
    const { store } = await open();
    const sealer = createSealer([Buffer.alloc(32, 7)], systemRandom);
    const now = new Date();
    await identifyStore(store.view<IdentityTables>(), { sealer, sealed: [], random: systemRandom, now });
    const started = async (issuer: string) => {
      const log = recordedLog();
      await rememberIssuer(store.view<ServedIssuerTables>(), issuer, log);
      return log.lines.map(({ level, fields }) => [level, fields.detail]);
    };
    expect(await started("https://first.example")).toEqual([]);
    expect(await started("https://first.example")).toEqual([]);
    expect(await started("https://second.example")).toEqual([
      ["warn", "https://first.example, now https://second.example"],
    ]);
    expect(await started("https://second.example")).toEqual([]);
  });
});
