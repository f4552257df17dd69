import { endpointUrlProblem } from "../../../src/webhooks/endpoints/endpoint-url.ts";
import { parseNetwork } from "../../../src/webhooks/endpoints/public-address.ts";

const STRICT = { allowHttp: false, allowedNetworks: [], allowedPorts: [] };
const DEVELOPMENT = {
  allowHttp: true,
  allowedPorts: [],
  allowedNetworks: ["127.0.0.0/8", "::1"].flatMap((text) => parseNetwork(text) ?? []),
};

describe("endpoint URLs (R-E11, S44)", () => {
  it.each([
    "https://hooks.example/in",
    "https://hooks.example",
    "https://hooks.example:8443/a/b?c=d&e=%20",
    "https://hooks.example/@acme/in?mail=a@b.example",
    "https://hooks.example/acme:in@b.example",
    "https://1.1.1.1/in",
    "https://[2606:4700:4700::1111]/in",
    "https://xn--bcher-kva.example/",
    "HTTPS://HOOKS.example/",
    "https://hooks.example./in",
    "https://my_hooks.example/in",
    "https://hooks.semilocal/in",
    `https://${"a".repeat(63)}.example/in`,
    `https://hooks.example/${"a".repeat(2_026)}`,
  ])("accepts %s", (url) => {
    expect(endpointUrlProblem(url, STRICT)).toBeUndefined();
  });

  it.each([
    ["plain http", "http://hooks.example/in", /must be https/],
    ["another scheme", "ftp://hooks.example/", /must be https/],
    ["a file", "file:///etc/passwd", /./],
    ["a script", "javascript:alert(1)", /absolute/],
    ["a path", "/in", /absolute/],
    ["nothing", "", /absolute/],
    ["no host", "https://", /absolute/],
    ["a missing slash", "https:hooks.example", /absolute/],
    ["a user name", "https://user@hooks.example/", /user name/],
    ["a password", "https://user:secret@hooks.example/", /user name/],
    ["an empty user", "https://@hooks.example/", /user name/],
    ["a host that looks like another", "https://good.example@10.0.0.1/", /user name/],
    ["a fragment", "https://hooks.example/#x", /fragment/],
    ["an empty fragment", "https://hooks.example/#", /fragment/],
    ["a backslash", "https://hooks.example\\@10.0.0.1/", /absolute/],
    ["a space in front", " https://hooks.example/", /absolute/],
    ["a line break", "https://hooks.example/\n", /absolute/],
    ["a tab within", "https://hooks\t.example/", /absolute/],
    ["letters beyond ASCII", "https://bücher.example/", /absolute/],
    ["a port that is none", "https://hooks.example:99999/", /absolute/],
    ["a broken escape in the host", "https://%zz.example/", /absolute/],
    ["too long a text", `https://hooks.example/${"a".repeat(2_048)}`, /2048/],
    ["an empty part of the name", "https://hooks..example/", /host name of at most 253/],
    ["a part of 64 characters", `https://${"a".repeat(64)}.example/`, /1 to 63/],
    ["loopback", "https://127.0.0.1/", /not public/],
    ["short loopback", "https://127.1/", /not public/],
    ["loopback in hexadecimal", "https://0x7f.1/", /not public/],
    ["loopback in octal", "https://017700000001/", /not public/],
    ["loopback as a number", "https://2130706433/", /not public/],
    ["loopback with a final dot", "https://127.0.0.1./", /not public/],
    ["loopback in full-width digits", "https://127.0.0.%EF%BC%91/", /not public/],
    ["IPv6 loopback", "https://[::1]/", /not public/],
    ["a mapped address", "https://[::ffff:127.0.0.1]/", /not public/],
    ["a metadata address", "https://169.254.169.254/latest/meta-data", /not public/],
  ])("refuses %s", (_, url, problem) => {
    expect(endpointUrlProblem(url, STRICT)).toMatch(problem);
  });

  it("accepts http and the named networks under the development switch, and no others", () => {
    expect(endpointUrlProblem("http://127.0.0.1:8080/in", DEVELOPMENT)).toBeUndefined();
    expect(endpointUrlProblem("http://localhost:8080/in", DEVELOPMENT)).toBeUndefined();
    expect(endpointUrlProblem("http://[::1]/in", DEVELOPMENT)).toBeUndefined();
    expect(endpointUrlProblem("http://payroll:8080/in", DEVELOPMENT)).toBeUndefined();
    expect(endpointUrlProblem("http://payroll..local/in", DEVELOPMENT)).toMatch(/host name/);
    expect(endpointUrlProblem("http://10.0.0.1/in", DEVELOPMENT)).toMatch(/not public/);
    expect(endpointUrlProblem("ftp://127.0.0.1/in", DEVELOPMENT)).toMatch(/https or http/);
  });
});

describe("ports of endpoints (S44, R-X141)", () => {
  it.each([
    ["https://hooks.example:443/", STRICT],
    ["https://hooks.example:1024/", STRICT],
    ["https://hooks.example:8443/", STRICT],
    ["https://hooks.example:65535/", STRICT],
    ["http://hooks.example/", DEVELOPMENT],
    ["http://127.0.0.1:43211/", DEVELOPMENT],
    ["https://hooks.example:22/", { ...STRICT, allowedPorts: [{ first: 20, last: 30 }] }],
  ])("accepts %s", (url, rules) => {
    expect(endpointUrlProblem(url, rules)).toBeUndefined();
  });

  it.each([
    ["ssh", "https://hooks.example:22/", STRICT, /port 443/],
    ["mail", "https://hooks.example:25/", STRICT, /port 443/],
    ["the port of http, without http", "https://hooks.example:80/", STRICT, /port 443/],
    ["the last privileged one", "https://hooks.example:1023/", STRICT, /port 443/],
    ["PostgreSQL", "https://hooks.example:5432/", STRICT, /port 443/],
    ["Redis, by http", "http://hooks.example:6379/", DEVELOPMENT, /port 443/],
    ["port 0", "https://hooks.example:0/", STRICT, /port 443/],
    [
      "one that the operator's list leaves out",
      "https://hooks.example/",
      { ...STRICT, allowedPorts: [{ first: 8443, last: 8443 }] },
      /must have a port that the operator allows/,
    ],
  ])("refuses %s", (_, url, rules, problem) => {
    expect(endpointUrlProblem(url, rules)).toMatch(problem);
  });
});

describe("what would allow a refused endpoint (R-X424)", () => {
  it.each([
    ["http://hooks.example/", STRICT, "webhook-allow-http"],
    ["https://10.0.0.1/", STRICT, "webhook-allowed-networks"],
    ["https://hooks.internal/", STRICT, "webhook-allowed-networks"],
    ["https://hooks.example:5432/", STRICT, "webhook-endpoint-ports"],
    ["https://hooks.example/", { ...STRICT, allowedPorts: [{ first: 8443, last: 8443 }] }, "webhook-endpoint-ports"],
  ])("%s: an operator reads the setting, and an integration the rule alone", (url, rules, setting) => {
    expect(endpointUrlProblem(url, { ...rules, namesSettings: true })).toContain(setting);
    expect(endpointUrlProblem(url, rules)).not.toContain("webhook-");
  });

  it.each(["ftp://hooks.example/", "https://user@hooks.example/", "https://hooks.example/#x"])(
    "%s: no setting would",
    (url) => {
      expect(endpointUrlProblem(url, { ...STRICT, namesSettings: true })).not.toContain("webhook-");
    },
  );
});
