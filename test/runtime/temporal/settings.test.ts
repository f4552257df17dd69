import { readConfig } from "../../../src/config.ts";
import { ROLES } from "../../../src/runtime/basis/settings.ts";

const read = (flags: Readonly<Record<string, string>>) =>
  readConfig({ flags: { development: "true", ...flags }, environment: {}, roles: ROLES });

describe("settings of a Temporal server", () => {
  it("use none unless one is named", () => {
    expect(read({})["temporal-address"]).toBeUndefined();
  });

  it.each(["127.0.0.1:7233", "temporal.internal:7233", "[::1]:7233"])("take %s", (address) => {
    expect(read({ "temporal-address": address })["temporal-address"]).toBe(address);
  });

  it.each(["7233", "http://127.0.0.1:7233", "127.0.0.1", "a b:1", ""])("refuse %j", (address) => {
    expect(() => read({ "temporal-address": address })).toThrow(/temporal-address/);
  });

  it("refuse a UI that is no web address", () => {
    expect(() => read({ "temporal-ui-url": "127.0.0.1:8233" })).toThrow(/temporal-ui-url/);
  });

  it("refuse a key that would travel in the clear", () => {
    expect(() => read({ "temporal-api-key": "secret" })).toThrow(/temporal-api-key would travel in the clear/);
    expect(read({ "temporal-api-key": "secret", "temporal-tls": "true" })["temporal-tls"]).toBe(true);
  });
});
