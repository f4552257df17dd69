import { acceptsGzip } from "../../../src/portal/assets/accepts-gzip.ts";

describe("Accept-Encoding (RFC 9110 §12.5.3)", () => {
  it.each([
    ["gzip", true],
    ["gzip, deflate, br, zstd", true],
    ["br;q=1.0, GZIP;q=0.8", true],
    ["*", true],
    ["deflate, *;q=0.5", true],
    [undefined, false],
    ["", false],
    ["identity", false],
    ["gzip;q=0", false],
    ["*, gzip;q=0", false],
    ["gzip;q=0.000", false],
    ["gzipped", false],
  ])("%j: %j", (header, accepted) => {
    expect(acceptsGzip(header)).toBe(accepted);
  });
});
