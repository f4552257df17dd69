import { endpointUrlProblem } from "../../../src/webhooks/endpoints/endpoint-url.ts";
import { isOwnListener, type OwnListeners } from "../../../src/webhooks/endpoints/own-listeners.ts";
import { parseNetwork } from "../../../src/webhooks/endpoints/public-address.ts";

const OWN: OwnListeners = {
  origins: ["https://gatehouse.example", "https://gateway.example:8443"],
  ports: new Set([8080, 8081]),
  addresses: ["10.1.2.3", "fe80::1%eth0", "2606:4700:4700::1111"],
};
const RULES = {
  allowHttp: true,
  allowedPorts: [],
  allowedNetworks: ["127.0.0.0/8", "::1", "10.0.0.0/8", "fe80::/10"].flatMap((text) => parseNetwork(text) ?? []),
  own: OWN,
};

describe("endpoints that lead back to us (R-X278)", () => {
  it.each([
    ["the origin of sign-on", "https://gatehouse.example/hooks"],
    ["the same with its port", "https://gatehouse.example:443/hooks"],
    ["the same port, whatever is spoken there", "http://gatehouse.example:443/hooks"],
    ["the origin of the gateway", "https://GATEWAY.example:8443/"],
    ["the same with a full stop behind the name", "https://gatehouse.example./hooks"],
    ["the gateway's with one, and its port", "https://gateway.example.:8443/hooks"],
    ["loopback by NAT64", "http://[64:ff9b::7f00:1]:8081/"],
    ["an address of this machine by NAT64", "http://[64:ff9b::a01:203]:8080/"],
    ["loopback and the public port", "http://127.0.0.1:8080/"],
    ["loopback and the management port", "http://127.0.0.1:8081/metrics"],
    ["another spelling of loopback", "http://0x7f.1:8081/"],
    ["IPv6 loopback", "http://[::1]:8081/"],
    ["a mapped address", "http://[::ffff:127.0.0.1]:8081/"],
    ["the name of this machine", "http://localhost:8081/"],
    ["the same with a full stop", "http://localhost.:8081/"],
    ["a name below it", "http://in.localhost:8081/"],
    ["an address of this machine", "http://10.1.2.3:8081/"],
    ["a public one", "http://[2606:4700:4700::1111]:8080/"],
  ])("are refused: %s", (_, url) => {
    expect(endpointUrlProblem(url, RULES)).toMatch(/Gatehouse itself listens/);
  });

  it.each([
    ["another port of loopback", "http://127.0.0.1:9100/"],
    ["our port at another address", "http://10.1.2.4:8080/"],
    ["another host of our domain", "https://hooks.gatehouse.example/"],
    ["another port of our host", "https://gatehouse.example:9443/"],
  ])("others are not: %s", (_, url) => {
    expect(endpointUrlProblem(url, RULES)).toBeUndefined();
  });

  it("are recognised when a connection is made, by any name", () => {
    expect(isOwnListener("::ffff:10.1.2.3", 8081, OWN)).toBe(true);
    expect(isOwnListener("fe80::1", 8080, OWN)).toBe(true);
    expect(["0.0.0.0", "::"].map((all) => isOwnListener(all, 8081, OWN))).toEqual([true, true]);
    expect(isOwnListener("64:ff9b::7f00:1", 8081, OWN)).toBe(true);
    expect(isOwnListener("10.1.2.3", 9100, OWN)).toBe(false);
    expect(isOwnListener("no address", 8080, OWN)).toBe(false);
  });
});
