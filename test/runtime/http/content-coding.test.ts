import { acceptedCoding } from "../../../src/runtime/http/content-coding.ts";

const NONE = { coding: undefined, identity: true };

describe("Accept-Encoding (RFC 9110 §12.5.3, R-X62)", () => {
  it.each([
    ["gzip", "gzip"],
    ["br", "br"],
    ["gzip, br", "br"],
    ["GZIP , BR;q=0.5", "gzip"],
    ["br;q=0.5,gzip;q=0.501", "gzip"],
    ["gzip;q=1.000, br;q=0.999", "gzip"],
    ["x-gzip", "gzip"],
    ["deflate, gzip, br, zstd", "br"],
    ["*", "br"],
    ["*;q=0.1, br;q=0", "gzip"],
    ["br;q=0, gzip", "gzip"],
    ["identity, gzip", "gzip"],
    ["identity;q=0.5, gzip;q=0.8", "gzip"],
    ["gzip \t; \tq=0.3", "gzip"],
    ["gzip;q=0.001", "gzip"],
  ])("%s: %s", (header, coding) => {
    expect(acceptedCoding(header)).toEqual({ coding, identity: true });
  });

  it.each([
    undefined,
    "",
    "identity",
    "deflate, zstd",
    "gzip;q=0, br;q=0.0",
    "identity;q=0.8, gzip;q=0.5",
    "*;q=0.5, identity",
    // What cannot be read is passed over.
    "gzip;q=2",
    "gzip;q=0.1234",
    "gzip;level=9",
    "gzip;q=-1, br;q=one",
    "gzip br",
    "(gzip)",
    ",,;q=1,",
  ])("%s: no coding", (header) => {
    expect(acceptedCoding(header)).toEqual(NONE);
  });

  it("skips unreadable parts, and reads the rest", () => {
    expect(acceptedCoding("br;q=2, gzip;q=0.2, ;;;")).toEqual({ coding: "gzip", identity: true });
    expect(acceptedCoding(["gzip", "br"])).toEqual(NONE);
  });

  it.each(["gzip, identity;q=0", "gzip, *;q=0"])("%s: accepts only compressed answers", (header) => {
    expect(acceptedCoding(header)).toEqual({ coding: "gzip", identity: false });
  });

  it.each(["identity;q=0", "*;q=0"])("%s: accepts nothing at all", (header) => {
    expect(acceptedCoding(header)).toEqual({ coding: undefined, identity: false });
  });
});
