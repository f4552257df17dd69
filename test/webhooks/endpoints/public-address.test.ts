import fc from "fast-check";
import { parseAddress } from "../../../src/runtime/basis/ip-address.ts";
import { mayDial, networksOf, parseNetwork, writtenNetwork } from "../../../src/webhooks/endpoints/public-address.ts";

const network = (text: string) => {
  const parsed = parseNetwork(text);
  if (parsed === undefined) throw new Error(`${text} is no network`);
  return parsed;
};

/** Every kind of S45 and §6 items 8 to 10 of the webhooks study, first and last of each range. */
const FORBIDDEN: readonly (readonly [kind: string, ...addresses: string[]])[] = [
  ["unspecified", "0.0.0.0", "0.0.0.1", "0.255.255.255", "::"],
  ["loopback", "127.0.0.1", "127.0.0.0", "127.1.2.3", "127.255.255.255", "::1", "0:0:0:0:0:0:0:1"],
  ["private", "10.0.0.0", "10.255.255.255", "172.16.0.0", "172.31.255.255", "192.168.0.0", "192.168.255.255"],
  ["carrier-grade NAT", "100.64.0.0", "100.127.255.255"],
  ["link-local", "169.254.0.0", "169.254.255.255", "fe80::", "fe80::1", "febf:ffff::1"],
  ["site-local", "fec0::1", "feff::1"],
  ["unique-local", "fc00::", "fd00::1", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  [
    "a cloud's metadata",
    "169.254.169.254",
    "169.254.170.2",
    "168.63.129.16",
    "100.100.100.200",
    "192.0.0.192",
    "fd00:ec2::254",
    "fd20:ce::254",
    "fd00:c1::a9fe:a9fe",
  ],
  [
    "protocol assignments",
    "192.0.0.0",
    "192.0.0.255",
    "192.31.196.1",
    "192.52.193.1",
    "192.175.48.1",
    "2620:4f:8000::1",
  ],
  ["documentation", "192.0.2.1", "198.51.100.1", "203.0.113.255", "2001:db8::1", "3fff::1", "3fff:fff::1"],
  ["benchmarking", "198.18.0.0", "198.19.255.255", "2001:2::1"],
  ["multicast", "224.0.0.0", "239.255.255.255", "ff00::", "ff02::1", "ff0e::1"],
  ["reserved and broadcast", "240.0.0.0", "255.255.255.254", "255.255.255.255"],
  ["discard", "100::", "100::1", "100:0:0:1::1"],
  ["IPv4-mapped", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:10.0.0.1", "::ffff:a9fe:a9fe", "0:0:0:0:0:ffff:c0a8:1"],
  ["IPv4-compatible", "::127.0.0.1", "::10.0.0.1", "::7f00:1", "::8.8.8.8"],
  ["IPv4-translated", "::ffff:0:127.0.0.1", "::ffff:0:8.8.8.8"],
  ["NAT64", "64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "64:ff9b:1::8.8.8.8"],
  ["6to4", "2002:7f00:1::", "2002:a00:1::1", "2002:808:808::1", "192.88.99.1"],
  ["Teredo", "2001::1", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
  ["ORCHID", "2001:10::1", "2001:20::1", "2001:2f:ffff::1"],
  ["ISATAP", "2a00::5efe:10.0.0.1", "2a00::200:5efe:192.168.0.1", "fe80::5efe:127.0.0.1"],
  ["6bone", "3ffe::1"],
  ["segment routing", "5f00::1"],
  ["outside of global unicast", "1fff::1", "4000::1", "8000::1", "e000::1", "200::1", "400::1"],
  [
    "no plain address",
    "",
    "localhost",
    "127.1",
    "0x7f.1",
    "017700000001",
    "2130706433",
    "127.0.0.01",
    "1.2.3.4.5",
    "256.1.1.1",
    "fe80::1%eth0",
    "2a00::1%1",
    "[::1]",
    "1.1.1.1 ",
    "1.1.1.1/32",
    ":::",
    "12345::",
  ],
];

const PUBLIC = [
  "1.1.1.1",
  "8.8.8.8",
  "9.255.255.255",
  "11.0.0.0",
  "100.63.255.255",
  "100.128.0.0",
  "126.255.255.255",
  "128.0.0.1",
  "168.63.129.15",
  "168.63.129.17",
  "169.253.255.255",
  "169.255.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "192.0.1.0",
  "192.167.255.255",
  "192.169.0.0",
  "198.17.255.255",
  "198.20.0.0",
  "203.0.114.0",
  "223.255.255.255",
  "::ffff:8.8.8.8",
  "64:ff9b::8.8.8.8",
  "2001:200::1",
  "2001:4860:4860::8888",
  "2003::1",
  "2606:4700:4700::1111",
  "2a00:1450:4001:82b::200e",
  // One bit beside ISATAP's.
  "2a00::100:5efe:808:808",
  "2a00::1:5efe:808:808",
  "2a00::5ffe:808:808",
  "2a00::5eff:808:808",
  "2a00::ffff:fffe:808:808",
];

describe("addresses that may be dialled (R-E11, S45, W9, W11)", () => {
  it.each(FORBIDDEN.flatMap(([kind, ...addresses]) => addresses.map((address) => [kind, address] as const)))(
    "refuses %s: %s",
    (_, address) => {
      expect(mayDial(address, [])).toBe(false);
    },
  );

  it("covers at least 80 spellings", () => {
    expect(FORBIDDEN.flatMap(([, ...addresses]) => addresses).length).toBeGreaterThanOrEqual(80);
  });

  it.each(PUBLIC)("lets %s through", (address) => {
    expect(mayDial(address, [])).toBe(true);
  });

  it("permits a network of the development switch, and no other", () => {
    const allowed = [network("127.0.0.0/8"), network("fd00:1::/32"), network("10.1.2.3")];
    expect(["127.0.0.1", "127.255.0.1", "fd00:1::7", "10.1.2.3"].map((address) => mayDial(address, allowed))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["126.0.0.1", "::1", "fd00:2::7", "10.1.2.4"].map((address) => mayDial(address, allowed))).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  it("treats mapped and NAT64 spellings like the address that they carry (R-X43)", () => {
    const ten = fc
      .tuple(...Array.from({ length: 3 }, () => fc.nat({ max: 255 })))
      .map((rest) => ["10", ...rest].join("."));
    const inTen = [network("10.0.0.0/8")];
    fc.assert(
      fc.property(fc.oneof(fc.ipV4(), ten), (address) => {
        for (const spelling of [`::ffff:${address}`, `64:ff9b::${address}`]) {
          expect(mayDial(spelling, [])).toBe(mayDial(address, []));
          expect(mayDial(spelling, inTen)).toBe(mayDial(address, inTen));
        }
      }),
    );
    expect(mayDial("64:ff9b::10.1.2.3", inTen)).toBe(true);
  });

  it.each([
    ["6to4", "2002:a00:1::1", "2002::/16"],
    ["Teredo", "2001:0:a00:1::", "2001::/32"],
    ["IPv4-compatible", "::10.0.0.1", "::/96"],
    ["ISATAP", "2a00::5efe:10.0.0.1", "2a00::/64"],
  ])(
    "permits %s addresses by their own network alone, not by that of an address inside (R-X43): %s",
    (_, address, own) => {
      expect([[], [network("10.0.0.0/8")], [network(own)]].map((allowed) => mayDial(address, allowed))).toEqual([
        false,
        false,
        true,
      ]);
    },
  );

  it("treats every spelling of an IPv6 address alike", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 8, maxLength: 8 }), (groups) => {
        const full = groups.map((group) => group.toString(16).padStart(4, "0")).join(":");
        const short = new URL(`http://[${full}]/`).hostname.slice(1, -1);
        expect(parseAddress(short)).toEqual(parseAddress(full));
        expect(parseAddress(full.toUpperCase())).toEqual(
          Uint8Array.from(groups.flatMap((group) => [group >> 8, group & 0xff])),
        );
      }),
    );
  });

  it("never throws, whatever the text", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.ipV6(), fc.ipV4Extended()), (text) => {
        expect(typeof mayDial(text, [])).toBe("boolean");
      }),
    );
  });
});

describe("networks that the program names itself", () => {
  it("are networks, or the program does not start", () => {
    expect(networksOf("10.0.0.0/8", "::1")).toEqual([network("10.0.0.0/8"), network("::1")]);
    expect(() => networksOf("10.0.0.0/8", "10.0.0.1/8")).toThrow("10.0.0.1/8 is no network.");
  });
});

describe("networks of the development switch", () => {
  it.each(["10.0.0.0/8", "127.0.0.1", "127.0.0.1/32", "0.0.0.0/0", "::1", "fd00::/8", "::/0", "2001:db8::/127"])(
    "accepts %s",
    (text) => {
      expect(parseNetwork(text)).toBeDefined();
    },
  );

  it.each([
    "",
    "10.0.0.1/8",
    "10.0.0.0/33",
    "10.0.0.0/",
    "10.0.0.0/08",
    "10.0.0.0/8/8",
    "fd00::1/8",
    "::/129",
    "localhost",
  ])("refuses %s", (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});

describe("a network in words", () => {
  it.each([
    ["10.0.0.0/8", "10.0.0.0/8"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["192.168.7.9", "192.168.7.9/32"],
    ["::ffff:10.1.0.0/112", "10.1.0.0/16"],
    ["::ffff:0:0/96", "0.0.0.0/0"],
    ["::fffe:0:0/95", "::fffe:0:0/95"],
    ["::/0", "::/0"],
    ["::1", "::1/128"],
    ["fd00::/8", "fd00::/8"],
    ["2001:0DB8:0000:0000:0001:0000:0000:0a0b", "2001:db8::1:0:0:a0b/128"],
    ["2001:db8:1203:405:607:809:a0b:c0d/128", "2001:db8:1203:405:607:809:a0b:c0d/128"],
    ["::fffe:a01:203", "::fffe:a01:203/128"],
    ["::ffff:0:10.1.2.3", "::ffff:0:a01:203/128"],
  ])("%s is %s", (text, written) => {
    expect(writtenNetwork(network(text))).toBe(written);
  });

  it("is read as the same one", () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 0, max: 128 }), fc.boolean(), (address, bits, isMapped) => {
        if (isMapped) address.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]);
        const prefix = address.map((byte, index) => byte & (0xff << (8 - Math.min(8, Math.max(0, bits - index * 8)))));
        const given = { prefix, bits };
        expect(parseNetwork(writtenNetwork(given))).toEqual(given);
      }),
    );
  });
});
