import fc from "fast-check";
import { networkOf, senderNetworkOf } from "../../../src/sign-on/throttling/network.ts";

const SHORT = { ipv4: 24, ipv6: 48 } as const;
const WHOLE = { ipv4: 32, ipv6: 64 } as const;

describe("the network of an address (R-X86, R-X87)", () => {
  it.each([
    ["192.0.2.77", "192.0.2.0/24", "192.0.2.77/32"],
    ["::ffff:192.0.2.77", "192.0.2.0/24", "192.0.2.77/32"],
    ["::FFFF:192.0.2.77", "192.0.2.0/24", "192.0.2.77/32"],
    ["::ffff:c000:24d", "192.0.2.0/24", "192.0.2.77/32"],
    ["0:0:0:0:0:FFFF:192.0.2.77", "192.0.2.0/24", "192.0.2.77/32"],
    ["::ffff:192.0.2.77%eth0", "192.0.2.0/24", "192.0.2.77/32"],
    ["127.0.0.1", "127.0.0.0/24", "127.0.0.1/32"],
    ["2001:db8:7:41:a:b:c:d", "2001:db8:7::/48", "2001:db8:7:41::/64"],
    ["2001:0DB8:0007::1", "2001:db8:7::/48", "2001:db8:7:0::/64"],
    ["fe80::1%eth0", "fe80:0:0::/48", "fe80:0:0:0::/64"],
    ["::1", "0:0:0::/48", "0:0:0:0::/64"],
    ["64:ff9b::192.0.2.77", "64:ff9b:0::/48", "64:ff9b:0:0::/64"],
  ])("of %s is %s, or %s", (address, short, whole) => {
    expect([networkOf(address, SHORT), networkOf(address, WHOLE)]).toEqual([short, whole]);
  });

  it.each([
    ["192.0.2.77", "192.0.2.77/32", "192.0.2.77/32"],
    ["::ffff:192.0.2.77", "192.0.2.77/32", "192.0.2.77/32"],
    ["2001:db8:7:41:a:b:c:d", "2001:db8:7:41::/64", "2001:db8:7::/48"],
    ["unknown", "", ""],
  ])("of the sender %s is %s, and the wide one %s (R-X436)", (address, narrow, wide) => {
    expect(senderNetworkOf(address)).toEqual({ narrow, wide });
  });

  it.each(["", "unknown", "192.0.2", "192.0.2.77:443", "[::1]", "::ffff:192.0.2.777", "_hidden"])(
    "of %j is none",
    (address) => {
      expect(networkOf(address, SHORT)).toBeUndefined();
    },
  );

  it("is one for all addresses that share its bits, and for no others", () => {
    const groups = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 });
    const text = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(":");
    fc.assert(
      fc.property(groups, groups, fc.integer({ min: 0, max: 8 }), (one, other, shared) => {
        const mixed = [...one.slice(0, shared), ...other.slice(shared)];
        const same = mixed.slice(0, 4).every((part, index) => part === one[index]);
        expect(networkOf(text(mixed), WHOLE) === networkOf(text(one), WHOLE)).toBe(same);
      }),
    );
  });
});
