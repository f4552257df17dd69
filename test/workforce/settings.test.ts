import { workforceSettings } from "../../src/workforce/settings.ts";

const parse = (text: string) => workforceSettings["gateway-url"].schema.safeParse(text);

describe("the setting gateway-url", () => {
  it.each([
    ["https://gateway.example.com", "https://gateway.example.com"],
    ["https://gateway.example.com/", "https://gateway.example.com"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["https://Gateway.Example.com:443", "https://gateway.example.com"],
  ])("takes %s as %s", (text, origin) => {
    expect(parse(text).data).toBe(origin);
  });

  it.each([
    "",
    "gateway.example.com",
    "https://",
    "ftp://gateway.example.com",
    "https://gateway.example.com/v1",
    "https://gateway.example.com?x",
    "https://gateway.example.com#x",
    "https://user:secret@gateway.example.com",
  ])("refuses %p", (text) => {
    expect(parse(text).success).toBe(false);
  });

  it("may be missing: the composition fills in the issuer (R-D7)", () => {
    expect(workforceSettings["gateway-url"].fallback).toBeUndefined();
    expect("fallback" in workforceSettings["gateway-url"]).toBe(true);
  });
});
