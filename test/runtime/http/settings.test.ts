import { readConfig } from "../../../src/config.ts";
import { ROLES } from "../../../src/runtime/process/roles.ts";

const read = (flags: Readonly<Record<string, string>>) =>
  readConfig({ flags: { development: "true", ...flags }, environment: {}, roles: ROLES });

const FILES = { "tls-certificate-file": "chain.pem", "tls-key-file": "key.pem" };

describe("settings of the public listener", () => {
  it("serve plain HTTP and trust no proxy by default", () => {
    expect(read({})).toMatchObject({ "tls-certificate-file": undefined, "trusted-proxies": [] });
  });

  it.each(Object.keys(FILES))("refuse %s without its counterpart", (name) => {
    const issuer = "https://sign-on.example";
    expect(() => read({ [name]: "x.pem", issuer })).toThrow(/tls-certificate-file and tls-key-file belong together/);
  });

  it("refuse TLS under an issuer that is not https", () => {
    expect(() => read(FILES)).toThrow(/issuer \(http:\/\/localhost:8080\) must be https .* set issuer\./);
    expect(read({ ...FILES, issuer: "https://sign-on.example:8443" })).toMatchObject(FILES);
  });

  it.each(["issuer", "gateway-url"])("refuse plain http for %s but in development", (name) => {
    const flags = { issuer: "https://sign-on.example", [name]: "http://gatehouse.example" };
    expect(read(flags)).toMatchObject(flags);
    expect(() => read({ ...flags, development: "false" })).toThrow(
      `${name} (http://gatehouse.example) must be https. Plain http is for development: set development.`,
    );
  });

  it.each([
    ["10.0.3.0/24", ["10.0.3.0/24"]],
    ["10.0.3.7, fd00::/8,::1", ["10.0.3.7", "fd00::/8", "::1"]],
  ])("accept the proxies %s", (given, networks) => {
    expect(read({ "trusted-proxies": given })["trusted-proxies"]).toEqual(networks);
  });

  it.each([
    "proxy.example",
    "10.0.3.0/33",
    "0.0.0.0/0",
    "::/0",
    "fd00::/129",
    "10.0.3.0/",
    "10.0.3.0/8/8",
    "10.0.3",
    "true",
    "*",
    "10.0.0.1,",
  ])("refuse the proxies %j", (given) => {
    expect(() => read({ "trusted-proxies": given })).toThrow(/trusted-proxies .*must be addresses or networks/);
  });
});
