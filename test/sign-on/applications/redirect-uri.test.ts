import fc from "fast-check";
import type { InstanceId } from "../../../src/runtime/basis/ids.ts";
import type { ApplicationKind, RegisteredRedirectUri } from "../../../src/sign-on/applications/application.ts";
import {
  conflictProblem,
  matchRedirectUri,
  redirectOrigin,
  redirectUriProblem,
  webOrigin,
} from "../../../src/sign-on/applications/redirect-uri.ts";

const KINDS: readonly ApplicationKind[] = ["web", "browser", "native"];
const register = (...uris: readonly string[]): readonly RegisteredRedirectUri[] =>
  uris.map((uri, index) => ({ uri, instanceId: `instance_${index}` as InstanceId }));

const CALLBACK = "https://app.example/callback";
const WITH_QUERY = "https://app.example/callback?tenant=a%2Fb&x=";

/** Spellings of CALLBACK or WITH_QUERY that some parser takes for the same address (S2, R-S15; RFC 9700 §4.1). */
const SPELLINGS: readonly string[] = [
  // Case
  "HTTPS://app.example/callback",
  "https://APP.example/callback",
  "https://app.Example/callback",
  "https://app.example/Callback",
  "https://app.example/callbacK",
  // Port
  "https://app.example:443/callback",
  "https://app.example:/callback",
  "https://app.example:8443/callback",
  "https://app.example:00443/callback",
  // Path
  "https://app.example/callback/",
  "https://app.example//callback",
  "https://app.example/./callback",
  "https://app.example/callback/.",
  "https://app.example/x/../callback",
  "https://app.example/callback/../callback",
  "https://app.example/callback/..",
  "https://app.example/%2e/callback",
  "https://app.example/callback%2F",
  "https://app.example/callback/evil",
  "https://app.example/callbackevil",
  "https://app.example/callback;x",
  "https://app.example/",
  "https://app.example",
  // Encoding
  "https://app.example/%63allback",
  "https://app.example/callbac%6B",
  "https://app.example/callbac%6b",
  "https://app%2Eexample/callback",
  "https:%2F%2Fapp.example/callback",
  "https%3A%2F%2Fapp.example%2Fcallback",
  // Scheme
  "http://app.example/callback",
  "https:app.example/callback",
  "https:/app.example/callback",
  "https:///app.example/callback",
  "//app.example/callback",
  "/callback",
  "javascript://app.example/callback",
  // User and host
  "https://user@app.example/callback",
  "https://user:secret@app.example/callback",
  "https://@app.example/callback",
  "https://app.example@evil.example/callback",
  "https://app.example%40evil.example/callback",
  "https://evil.example/https://app.example/callback",
  "https://app.example.evil.example/callback",
  "https://app.example./callback",
  "https://sub.app.example/callback",
  "https://app-example/callback",
  "https://аpp.example/callback",
  "https://xn--pp-8cd.example/callback",
  "https://app。example/callback",
  "https://ａpp.example/callback",
  "https://app.exa\u00admple/callback",
  // Backslash, white space, control characters
  "https:\\\\app.example\\callback",
  "https://app.example\\callback",
  "https://app.example\\@evil.example/callback",
  " https://app.example/callback",
  "https://app.example/callback ",
  "https://app.example/call\tback",
  "https://app.example/callback\n",
  "https://app.example/callback\r\n",
  "\thttps://app.example/callback",
  "https://app.example/callback\u0000",
  "https://app.example/callback%00",
  "https://app.example/callback%0d%0aset-cookie:a=b",
  "\ufeffhttps://app.example/callback",
  "https://app.example/callback\u200b",
  // Query and fragment
  "https://app.example/callback?",
  "https://app.example/callback?code=1",
  "https://app.example/callback?redirect=https://evil.example",
  "https://app.example/callback#",
  "https://app.example/callback#evil",
  "https://app.example/callback?tenant=a%2fb&x=",
  "https://app.example/callback?tenant=a/b&x=",
  "https://app.example/callback?x=&tenant=a%2Fb",
  "https://app.example/callback?tenant=a%2Fb&x",
  "https://app.example/callback?tenant=a%2Fb&x=&y=1",
  "https://app.example/callback?tenant=a%2Fb",
  // Wildcards and nothing
  "https://*.example/callback",
  "https://app.example/*",
  "https://app.example/callback,https://evil.example/",
  "https://app.example/callback https://evil.example/",
  "",
  "null",
];

describe("matching a redirect URI (R-S15, S2)", () => {
  const registered = register(CALLBACK, WITH_QUERY);

  it("covers more than sixty other spellings", () => {
    expect(new Set(SPELLINGS).size).toBeGreaterThanOrEqual(60);
  });

  it.each(KINDS)("matches the registered bytes, for a %s application", (kind) => {
    expect(matchRedirectUri(registered, kind, CALLBACK)?.instanceId).toBe("instance_0");
    expect(matchRedirectUri(registered, kind, WITH_QUERY)?.instanceId).toBe("instance_1");
  });

  it.each(SPELLINGS)("does not match %j", (spelling) => {
    expect(KINDS.map((kind) => matchRedirectUri(registered, kind, spelling))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("matches nothing when nothing is registered", () => {
    expect(matchRedirectUri([], "native", "http://127.0.0.1/cb")).toBeUndefined();
  });

  const edit = fc.record({
    at: fc.nat(),
    cut: fc.constantFrom(0, 1),
    put: fc.oneof(fc.string({ unit: "binary", maxLength: 1 }), fc.string({ unit: "grapheme-ascii", maxLength: 1 })),
  });
  const edited = (uri: string, { at, cut, put }: { at: number; cut: number; put: string }) => {
    const place = at % (uri.length + 1);
    return uri.slice(0, place) + put + uri.slice(place + cut);
  };

  it.each([CALLBACK, WITH_QUERY, "com.example.app:/callback", "http://localhost:3000/cb"])(
    "does not match any edit of one character of %s",
    (uri) => {
      const property = fc.property(edit, fc.constantFrom(...KINDS), (change, kind) => {
        const requested = edited(uri, change);
        fc.pre(requested !== uri);
        return matchRedirectUri(register(uri), kind, requested) === undefined;
      });
      expect(() => fc.assert(property, { numRuns: 2_000 })).not.toThrow();
    },
  );

  it.each([
    ["http://127.0.0.1:8000/cb", /^http:\/\/127\.0\.0\.1(:\d{1,5})?\/cb$/],
    ["http://[::1]/cb?x=1", /^http:\/\/\[::1\](:\d{1,5})?\/cb\?x=1$/],
  ])("matches no edit of one character of %s but of its port (RFC 8252 §7.3)", (uri, differentPort) => {
    const property = fc.property(edit, (change) => {
      const requested = edited(uri, change);
      const expected = differentPort.test(requested) && URL.canParse(requested);
      return (matchRedirectUri(register(uri), "native", requested) !== undefined) === expected;
    });
    expect(() => fc.assert(property, { numRuns: 3_000 })).not.toThrow();
  });
});

describe("the loopback address of a native application (RFC 8252 §7.3)", () => {
  const registered = register("http://127.0.0.1/cb", "http://[::1]:9000/cb?x=1", "http://127.0.0.1");
  const instanceOf = (uri: string, kind: ApplicationKind = "native") =>
    matchRedirectUri(registered, kind, uri)?.instanceId;

  it.each([
    ["http://127.0.0.1/cb", "instance_0"],
    ["http://127.0.0.1:1/cb", "instance_0"],
    ["http://127.0.0.1:51004/cb", "instance_0"],
    ["http://127.0.0.1:65535/cb", "instance_0"],
    ["http://[::1]/cb?x=1", "instance_1"],
    ["http://[::1]:51004/cb?x=1", "instance_1"],
    ["http://127.0.0.1:51004", "instance_2"],
  ])("may have any port: %s", (uri, instanceId) => {
    expect(instanceOf(uri)).toBe(instanceId);
  });

  it.each([
    "http://127.0.0.1:65536/cb",
    "http://127.0.0.1:-1/cb",
    "http://127.0.0.1:8o/cb",
    "http://127.0.0.1:/cb",
    "http://127.0.0.1:80:80/cb",
    "http://127.0.0.1:80@evil.example/cb",
    "http://127.0.0.1:80\\@evil.example/cb",
    "http://127.0.0.1:80.evil.example/cb",
    "http://127.0.0.1:80/cb/",
    "http://127.0.0.1:80/CB",
    "http://127.0.0.1:80/cb?x=1",
    "http://127.0.0.1:80/cb#",
    "http://127.0.0.1:80/cb\n",
    "http://127.0.0.2:80/cb",
    "http://127.1:80/cb",
    "http://localhost:80/cb",
    "https://127.0.0.1:80/cb",
    "http://[::1]:80/cb",
    "http://[::1%25lo]:80/cb?x=1",
    "http://[0:0:0:0:0:0:0:1]:80/cb?x=1",
    "http://[::ffff:127.0.0.1]:80/cb?x=1",
  ])("has its port alone free, not: %j", (uri) => {
    expect(instanceOf(uri)).toBeUndefined();
  });

  it("prefers the port that is registered", () => {
    const registered = register("http://127.0.0.1:1/cb", "http://127.0.0.1:2/cb");
    expect(matchRedirectUri(registered, "native", "http://127.0.0.1:2/cb")?.instanceId).toBe("instance_1");
  });

  it("has a fixed port inside an address of another scheme", () => {
    const registered = register("com.example.app:http://127.0.0.1:1/cb");
    expect(matchRedirectUri(registered, "native", "com.example.app:http://127.0.0.1:2/cb")).toBeUndefined();
  });

  it.each(["web", "browser"] as const)("has a fixed port for a %s application", (kind) => {
    expect(instanceOf("http://127.0.0.1:51004/cb", kind)).toBeUndefined();
  });
});

const FOR_EVERYONE = [
  "https://app.example/callback",
  "https://app.example",
  "https://app.example:8443/callback?tenant=a&b=c",
  "https://xn--bcher-kva.example/callback",
  "https://[2001:db8::1]/callback",
  "https://app.example/a~b/c.d/(e)/'f'",
  "https://my_app.example./callback",
  "https://intranet/callback",
  "https://app.example?user=@maren",
  "https://app.example/@maren",
  "https://app.example/callback?next=https://user@other.example",
  "HTTPS://app.example/callback",
];
const FOR_NATIVE = [
  "com.example.app:/callback",
  "com.example.app://callback/path",
  "com.example-corp.app2:/cb",
  "com.example.https:/callback",
  "com.example.app:/callback/@maren",
  "http://127.0.0.1/callback",
  "http://127.0.0.1:8080/callback",
  "http://127.0.0.1",
  "http://[::1]/callback",
  "http://[::1]:8080/callback?x=1",
];
const FOR_NOBODY: readonly (readonly [string, string])[] = [
  ["", "absolute"],
  ["callback", "absolute"],
  ["/callback", "absolute"],
  ["//app.example/callback", "absolute"],
  ["https://", "absolute"],
  ["https:app.example/callback", "absolute"],
  ["https:/app.example/callback", "absolute"],
  ["https:///app.example/callback", "absolute"],
  ["https://app.example:70000/", "absolute"],
  ["https://app example/", "absolute"],
  [" https://app.example/", "absolute"],
  ["https://app.example/\n", "absolute"],
  ["https://app.example/\u0000", "absolute"],
  ["https://bücher.example/", "absolute"],
  ["https://app.example/ü", "absolute"],
  ["https://app.example/callback#", "fragment"],
  ["https://app.example/callback#top", "fragment"],
  ["com.example.app:/callback#top", "fragment"],
  ["https://app..example/callback", "host name"],
  ["https://.app.example/callback", "host name"],
  [`https://${"a".repeat(64)}.example/callback`, "host name"],
  ["https://*.example/callback", "wildcard"],
  ["https://app.example/*", "wildcard"],
  ["https://app.example/callback?to=*", "wildcard"],
  ["https://app.example\\callback", "backslash"],
  ["https:\\\\app.example/callback", "backslash"],
  ["https://user@app.example/", "names a user"],
  ["https://user:secret@app.example/", "names a user"],
  ["https://@app.example/", "names a user"],
  ["https://:@app.example/", "names a user"],
  ["http://app.example@127.0.0.1/", "names a user"],
  ["com.example.app://user@callback", "names a user"],
  ["http://app.example/callback", "must be https"],
  ["http://192.168.1.10/callback", "must be https"],
  ["http://127.0.0.2/callback", "must be https"],
  ["http://127.1/callback", "must be https"],
  ["http://2130706433/callback", "must be https"],
  ["http://127.0.0.1.evil.example/callback", "must be https"],
  ["http://[::2]/callback", "must be https"],
  ["http://[0:0:0:0:0:0:0:1]/callback", "must be https"],
  ["http://0.0.0.0/callback", "must be https"],
  ["javascript:alert(1)", "scheme"],
  ["javascript://app.example/%0aalert(1)", "scheme"],
  ["JavaScript:alert(1)", "scheme"],
  ["data:text/html,x", "scheme"],
  ["file:///etc/passwd", "scheme"],
  ["vbscript:x", "scheme"],
  ["blob:https://app.example/0", "scheme"],
  ["about:blank", "scheme"],
  ["ftp://app.example/", "scheme"],
  ["ws://app.example/", "scheme"],
  ["myapp:/callback", "scheme"],
  ["myapp://callback", "scheme"],
  ["Com.example.app:/callback", "scheme"],
  ["urn:ietf:wg:oauth:2.0:oob", "scheme"],
  [`https://app.example/${"a".repeat(2_000)}`, "longer"],
];

describe("registering a redirect URI (R-S15, S3)", () => {
  const production = { development: false };

  it.each(FOR_EVERYONE)("takes %s for every kind", (uri) => {
    expect(KINDS.map((kind) => redirectUriProblem(uri, kind, production))).toEqual([undefined, undefined, undefined]);
  });

  it.each(FOR_NATIVE)("takes %s for native applications only", (uri) => {
    expect(redirectUriProblem(uri, "native", production)).toBeUndefined();
    expect(redirectUriProblem(uri, "web", production)).toMatch(/must be https|scheme/);
    expect(redirectUriProblem(uri, "browser", production)).toMatch(/must be https|scheme/);
  });

  it.each(FOR_NOBODY)("refuses %j for everybody, also under the development switch: %s", (uri, reason) => {
    const problems = KINDS.flatMap((kind) =>
      [false, true].map((development) => redirectUriProblem(uri, kind, { development })),
    );
    expect(problems).toEqual(Array(6).fill(expect.stringContaining(reason)));
  });

  it.each(["http://localhost/callback", "http://localhost:3000/callback"])(
    "takes %s under the development switch only",
    (uri) => {
      const problems = (development: boolean) => KINDS.map((kind) => redirectUriProblem(uri, kind, { development }));
      expect(problems(true)).toEqual([undefined, undefined, undefined]);
      expect(problems(false)).toEqual(Array(3).fill(expect.stringContaining("must be https")));
    },
  );

  it.each([
    "http://localhost.evil.example/",
    "http://localhost./",
    "http://sub.localhost/",
    "http:localhost/callback",
    "http:/localhost/callback",
    "http:///localhost/callback",
  ])("does not take %s for localhost", (uri) => {
    expect(redirectUriProblem(uri, "web", { development: true })).toMatch(/must be https|absolute/);
  });

  it.each<[string, ApplicationKind, string]>([
    ["http://127.0.0.1/cb", "web", "must be https (loopback addresses are for native applications, RFC 8252 §7.3)"],
    ["http://localhost/cb", "web", "must be https (http://localhost is for the development switch)"],
    [
      "http://localhost/cb",
      "native",
      "must be https, or the loopback address http://127.0.0.1 or http://[::1] in place of localhost (RFC 8252 §8.3)",
    ],
    ["http://app.example/cb", "web", "must be https"],
    ["http://app.example/cb", "native", "must be https"],
  ])("says what to do in place of %s, to a %s application", (uri, kind, sentence) => {
    expect(redirectUriProblem(uri, kind, production)).toBe(sentence);
  });

  it.each<ApplicationKind>(["web", "browser"])(
    "names http://localhost where a %s application may have it, in place of a loopback address",
    (kind) => {
      const instead =
        "must be https, or http://localhost (loopback addresses are for native applications, RFC 8252 §7.3)";
      expect(redirectUriProblem("http://127.0.0.1:3000/cb", kind, { development: true })).toBe(instead);
      expect(redirectUriProblem("http://localhost:3000/cb", kind, { development: true })).toBeUndefined();
    },
  );

  it("takes an address of 2000 characters and not of 2001", () => {
    const of = (length: number) => "https://app.example/".padEnd(length, "a");
    expect(redirectUriProblem(of(2_000), "web", production)).toBeUndefined();
    expect(redirectUriProblem(of(2_001), "web", production)).toContain("longer than 2000");
  });

  it("matches only what can be registered: every registered spelling is found again", () => {
    const all = [...FOR_EVERYONE, ...FOR_NATIVE];
    expect(all.map((uri) => matchRedirectUri(register(uri), "native", uri)?.uri)).toEqual(all);
  });
});

describe("a redirect URI beside others (R-S15, RFC 8252 §7.3)", () => {
  const LOOPBACK = { uri: "http://127.0.0.1:8000/cb", instanceId: "instance_1" };
  const OTHER_PORT = "http://127.0.0.1:9000/cb";

  it.each([
    ["another port, another instance", OTHER_PORT, "instance_2", [LOOPBACK], true],
    ["no port, another instance", "http://127.0.0.1/cb", "instance_2", [LOOPBACK], true],
    ["another port, the same instance", OTHER_PORT, "instance_1", [LOOPBACK], false],
    ["another path", "http://127.0.0.1:9000/other", "instance_2", [LOOPBACK], false],
    ["another loopback address", "http://[::1]:9000/cb", "instance_2", [LOOPBACK], false],
    ["the same once more, which is refused as repeated", LOOPBACK.uri, "instance_2", [LOOPBACK], false],
    ["none registered", OTHER_PORT, "instance_2", [], false],
    [
      "an address of the web, whose port belongs to it",
      "https://app.example:9000/cb",
      "instance_2",
      [{ uri: "https://app.example:8000/cb", instanceId: "instance_1" }],
      false,
    ],
  ])("%s", (_, uri, instanceId, registered, refused) => {
    const problem = `differs in its port alone from ${LOOPBACK.uri}, which belongs to another instance (RFC 8252 §7.3: any port)`;
    expect(conflictProblem({ uri, instanceId }, registered)).toBe(refused ? problem : undefined);
  });
});

describe("the origin that a page shows", () => {
  it.each([
    ["https://app.example/callback?x=1", "https://app.example"],
    ["https://app.example:443/", "https://app.example"],
    ["http://127.0.0.1:8080/cb", "http://127.0.0.1:8080"],
    ["com.example.app:/callback", "com.example.app:"],
  ])("of %s is %s", (uri, origin) => {
    expect(redirectOrigin(uri)).toBe(origin);
  });
});

describe("where a person finds the application", () => {
  it.each([
    ["https://app.example:8443/cb?x=y", "https://app.example:8443"],
    ["HTTPS://app.example/cb", "https://app.example"],
    ["http://localhost:9/callback", "http://localhost:9"],
    ["http://127.0.0.1:51004/cb", undefined],
    ["http://[::1]/cb", undefined],
    ["com.example.app:/cb", undefined],
    ["com.example.https:/cb", undefined],
  ])("%s: %s", (uri, expected) => {
    expect(webOrigin(uri)).toBe(expected);
  });
});
