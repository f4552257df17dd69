import { urlPort } from "../../../src/runtime/basis/url-port.ts";

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
