import { isPort, urlPort } from "../../../src/runtime/basis/url-port.ts";

describe("the port of an address", () => {
  it.each([
    ["http://sample.example", 80],
    ["http://sample.example:80", 80],
    ["https://sample.example", 443],
    ["https://sample.example:443/webhooks", 443],
    ["http://[::1]:8082", 8082],
    ["https://sample.example:80", 80],
  ])("%s", (text, port) => {
    expect(urlPort(new URL(text))).toBe(port);
  });
});

describe("a text that is a port to connect to", () => {
  it.each(["1", "80", "65535", "00080"])("%j", (text) => {
    expect(isPort(text)).toBe(true);
  });

  it.each(["", "0", "65536", "99999", "123456", "-1", "80 ", "8e1", "80.0", "http"])("and not %j", (text) => {
    expect(isPort(text)).toBe(false);
  });
});
