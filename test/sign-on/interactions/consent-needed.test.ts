import type { Application, ConsentPolicy } from "../../../src/sign-on/applications/application.ts";
import { isConsentNeeded } from "../../../src/sign-on/interactions/needs.ts";

const HTTPS = "https://app.example/cb";
const LOOPBACK = "http://127.0.0.1:51004/cb";
const PRIVATE_USE = "com.example.app:/cb";
const LOCALHOST = "http://localhost:3000/cb";
const ALL = ["openid", "email"];

type Row = readonly [
  kind: "confidential" | "public",
  policy: ConsentPolicy,
  redirectUri: string,
  prompts: readonly string[],
  approvedBefore: readonly string[],
  asked: boolean,
];

describe("whether to ask for consent (R-S18)", () => {
  it.each<Row>([
    // once: until every scope was approved
    ["confidential", "once", HTTPS, [], [], true],
    ["confidential", "once", HTTPS, [], ["openid"], true],
    ["confidential", "once", HTTPS, [], ["openid", "profile"], true],
    ["confidential", "once", HTTPS, [], ALL, false],
    ["confidential", "once", HTTPS, [], [...ALL, "profile"], false],
    ["confidential", "once", HTTPS, ["login"], ALL, false],
    ["confidential", "once", HTTPS, ["none"], ALL, false],
    // always: whatever was approved
    ["confidential", "always", HTTPS, [], [], true],
    ["confidential", "always", HTTPS, [], ALL, true],
    ["confidential", "always", HTTPS, ["none"], ALL, true],
    // never: not even the first time
    ["confidential", "never", HTTPS, [], [], false],
    ["confidential", "never", HTTPS, ["none"], [], false],
    // prompt=consent asks whatever the policy
    ["confidential", "once", HTTPS, ["consent"], ALL, true],
    ["confidential", "never", HTTPS, ["consent"], ALL, true],
    ["confidential", "always", HTTPS, ["login", "consent"], ALL, true],
    // A public application whose address is not https is always asked about
    ["public", "never", LOOPBACK, [], ALL, true],
    ["public", "once", LOOPBACK, [], ALL, true],
    ["public", "never", PRIVATE_USE, [], ALL, true],
    ["public", "once", PRIVATE_USE, ["none"], ALL, true],
    ["public", "never", LOCALHOST, [], ALL, true],
    ["public", "never", HTTPS, [], [], false],
    ["public", "once", HTTPS, [], ALL, false],
    ["public", "once", HTTPS, [], [], true],
    ["public", "once", "HTTPS://app.example/cb", [], ALL, false],
    // A confidential one proves itself with its secret, so its http address (development only) changes nothing
    ["confidential", "never", LOCALHOST, [], [], false],
    ["confidential", "once", LOCALHOST, [], ALL, false],
  ])("%s, %s, %s, prompt %j, approved before %j: %j", (kind, consentPolicy, redirectUri, prompts, approved, asked) => {
    const secretDigest = kind === "public" ? undefined : Buffer.alloc(32);
    const application = { secretDigest, consentPolicy } as Application;
    expect(isConsentNeeded(application, { redirectUri, scopes: ALL, prompts }, approved)).toBe(asked);
  });
});
