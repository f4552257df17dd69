import type { NetworkInterfaceInfo } from "node:os";
import { ownListeners } from "../../src/roles/own-listeners.ts";
import { isOwnListener } from "../../src/webhooks/endpoints/own-listeners.ts";

const CONFIG = { issuer: "", "gateway-url": "", "public-port": 8080, "management-port": 8081 };

describe("where this installation listens (R-X278)", () => {
  it("is at the addresses that the machine has by now: one that it gets is its own within a second, one that it loses no longer", () => {
    let addresses = ["10.1.2.3"];
    let at = 0;
    const interfaces = () => ({ eth0: addresses.map((address) => ({ address }) as NetworkInterfaceInfo) });
    const own = ownListeners(CONFIG, { has: () => false }, { interfaces, now: () => at });
    const areOwn = () => ["10.1.2.3", "203.0.113.5"].map((address) => isOwnListener(address, 8081, own));
    expect(areOwn()).toEqual([true, false]);
    addresses = ["203.0.113.5"];
    at = 1_000;
    expect(areOwn()).toEqual([false, true]);
  });
});
