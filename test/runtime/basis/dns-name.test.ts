import { isPossibleHost } from "../../../src/runtime/basis/dns-name.ts";

const LONGEST = "a".repeat(63);
/** 253 characters. */
const LONGEST_NAME = [LONGEST, LONGEST, LONGEST, "a".repeat(61)].join(".");

describe("hosts that a name server can be asked for (RFC 1035 §2.3.4, R-X357)", () => {
  it.each([
    "hooks.example",
    "hooks.example.",
    "localhost",
    "payroll",
    "my_hooks.example",
    "_hooks.example",
    "-hooks-.example",
    "r3---hooks.example",
    "xn--bcher-kva.example",
    "1.2.3.example",
    "192.0.2.1",
    "[2001:db8::1]",
    `${LONGEST}.example`,
    LONGEST_NAME,
    `${LONGEST_NAME}.`,
  ])("are %s", (host) => {
    const url = new URL(`https://${host}/`);
    expect(url.hostname).toBe(host);
    expect(isPossibleHost(url)).toBe(true);
  });

  it.each([
    "example..com",
    ".example.com",
    "example.com..",
    "..",
    ".",
    `${LONGEST}a.example`,
    `hooks.${LONGEST}a`,
    `${LONGEST_NAME}a`,
    `${LONGEST_NAME}.a`,
  ])("are not %s", (host) => {
    const url = new URL(`https://${host}/`);
    expect(url.hostname).toBe(host);
    expect(isPossibleHost(url)).toBe(false);
  });
});
