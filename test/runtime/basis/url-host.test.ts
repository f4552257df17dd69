import { urlHost } from "../../../src/runtime/basis/url-host.ts";

describe("a host in an address", () => {
  it.each([
    ["127.0.0.1", "http://127.0.0.1:8081"],
    ["localhost", "http://localhost:8081"],
    ["::1", "http://[::1]:8081"],
    ["::", "http://[::]:8081"],
  ])("is one that can be opened: %s", (host, address) => {
    expect(new URL(`http://${urlHost(host)}:8081`).origin).toBe(address);
  });
});
