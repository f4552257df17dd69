import fc from "fast-check";
import { maskOf } from "../../../src/webhooks/sending/masked-answer.ts";
import { withScope } from "../../support/scope.ts";
import { workOf } from "../../support/work.ts";
import { attemptSenderFor, attemptTo, serveHttp } from "./attempt-sender-kit.ts";

const MASK = "********";
const OURS = attemptTo("https://hooks.example/").headers;

const masked = (value: string, text: string, isCut = false) =>
  maskOf([...OURS, { name: "authorization", value }])?.(text, isCut);

describe("values of extra headers in answers (R-X342, W17)", () => {
  it.each([
    ["the value", "TOPSECRETVALUE", "key TOPSECRETVALUE is unknown", `key ${MASK} is unknown`],
    ["every time", "TOPSECRET", "TOPSECRET,TOPSECRET", `${MASK},${MASK}`],
    [
      "with its scheme",
      "Bearer TOPSECRET",
      "bad header: authorization: Bearer TOPSECRET",
      `bad header: authorization: ${MASK}`,
    ],
    ["without its scheme", "Bearer TOPSECRET", "no token TOPSECRET", `no token ${MASK}`],
    ["in base64", "TOPSECRET!", `got ${btoa("TOPSECRET!")}`, `got ${MASK}`],
    ["in base64 without padding", "TOPSECRET!", `got ${btoa("TOPSECRET!").replaceAll("=", "")}.`, `got ${MASK}.`],
    ["without its scheme in base64", "Bearer TOPSECRET", `got ${btoa("TOPSECRET")}`, `got ${MASK}`],
    [
      "of Basic, decoded",
      `Basic ${btoa("user:TOPSECRET")}`,
      "user user has not the password TOPSECRET",
      `user user has not the password ${MASK}`,
    ],
    ["in JSON", 'to"p/secret', JSON.stringify({ got: 'to"p/secret' }), `{"got":"${MASK}"}`],
    ["in JSON of PHP", "top/secret", '{"got":"top\\/secret"}', `{"got":"${MASK}"}`],
    ["in a URL", "top secret&", "?key=top%20secret%26 or ?key=top+secret%26", `?key=${MASK} or ?key=${MASK}`],
    ["in HTML", "<top&secret>", "<p>&lt;top&amp;secret&gt;</p>", `<p>${MASK}</p>`],
    ["in a URL of .NET", "s3cret+abc/def==", "q=s3cret%2babc%2fdef%3d%3d&r=1", `q=${MASK}&r=1`],
    ["in a URL of PHP", "it's(1)!", "?q=it%27s%281%29%21", `?q=${MASK}`],
    ["in HTML of Go", '"s3cret"', "<p>&#34;s3cret&#34;</p>", `<p>${MASK}</p>`],
    ["in HTML of Python", "it's<here>", "<p>it&#x27;s&lt;here&gt;</p>", `<p>${MASK}</p>`],
    ["in JSON of Go", "a&b<c>d", '{"got":"a\\u0026b\\u003cc\\u003ed"}', `{"got":"${MASK}"}`],
    ["in JSON within JSON", 'to"p\\secret', JSON.stringify(JSON.stringify(['to"p\\secret'])), `"[\\"${MASK}\\"]"`],
    ["in base64 in a URL", "TOPSECRET!", `?k=${encodeURIComponent(btoa("TOPSECRET!"))}`, `?k=${MASK}`],
    ["with signs of patterns", "a.b*[c]$", "a.b*[c]$ axb*[c]$", `${MASK} axb*[c]$`],
    ["when short, as a word", "a1", "a1 data1 a1.", `${MASK} data1 ${MASK}.`],
    ["where they overlap", "abab", "ab ababab abababa", `ab ${MASK} ${MASK}a`],
    ["where they follow each other", "TOPSECRET", "TOPSECRETTOPSECRET.", `${MASK}${MASK}.`],
  ])("are masked %s", (_, value, text, expected) => {
    expect(masked(value, text)).toBe(expected);
  });

  it.each([
    ["cut within it", true, "got Bearer TOPSEC", `got ${MASK}`],
    ["cut within what is behind its scheme", true, "got TOPSEC", `got ${MASK}`],
    ["cut within a sign of it", true, "got Bearer%20TOPSEC%5", `got ${MASK}`],
    ["whole", false, "expected Bearer", "expected Bearer"],
  ])("at the end of an answer that is %s", (_, isCut, text, expected) => {
    expect(masked("Bearer TOPSECRET", text, isCut)).toBe(expected);
  });

  it("are found however each sign of them is spelled", () => {
    const value = fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{2,30}[\x21-\x7e]$/).filter((one) => !MASK.includes(one));
    const hexOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(2, "0");
    const ENCODERS: readonly ((sign: string) => string)[] = [
      (sign) => `%${hexOf(sign)}`,
      (sign) => `%${hexOf(sign).toUpperCase()}`,
      (sign) => `&#${sign.charCodeAt(0)};`,
      (sign) => `&#x${hexOf(sign)};`,
      (sign) => `\\u00${hexOf(sign)}`,
    ];
    fc.assert(
      fc.property(value, fc.constantFrom(...ENCODERS), fc.boolean(), (secret, encode, isAll) => {
        const text = [...secret].map((sign) => (isAll || /[^A-Za-z0-9]/.test(sign) ? encode(sign) : sign)).join("");
        expect(maskOf([{ name: "x-key", value: secret }])?.(`<${text}>`, false)).toBe(`<${MASK}>`);
      }),
    );
  });

  it("are looked for in no more time than the answer and they are long, whatever both are", () => {
    const hostile = [...'a\\%&+/"', "%25", "&amp;", "\\/"].map((part) => part.repeat(Math.floor(1_020 / part.length)));
    const headers = hostile.map((value, index) => ({ name: `x-${index}`, value: `${value}Z` }));
    for (const value of hostile) expect(maskOf(headers)?.(value.repeat(4), true)).toMatch(/[*]{8}$/);
  });

  it.each([
    ["signs of JSON within JSON", `${"\\".repeat(4_000)}x&amp;%41\\"`],
    ["beginnings of a value", `%41&amp;\\"${"a".repeat(4_000)}b`],
  ])("keep no other request waiting while they are looked for among many %s", async (_, text) => {
    const basic = Buffer.from(`u:${"a".repeat(740)}`).toString("base64");
    const mask = maskOf(
      Array.from({ length: 10 }, (__, index) => ({ name: `x-${index}`, value: `Basic ${basic}${index}` })),
    );
    expect(await workOf(async () => mask?.(text, true))).toBeLessThan(250_000);
  });

  it.each([
    ["a beginning that repeats itself", "ababababac", "got abababab", `got ${MASK}`],
    ["the longest one of several", "abcdabcdef", "got abcdabcd", `got ${MASK}`],
    ["with a sign of JSON that was cut", "abcdefgh/i", "got abcdefgh\\", `got ${MASK}`],
    ["with one of JSON within JSON", 'abcd"efgh', "got abcd\\\\\\", `got ${MASK}`],
    ["fewer signs than say anything", "abcdefgh", "got abc", "got abc"],
  ])("are masked at the end of an answer that was cut: %s", (_, value, text, expected) => {
    expect(masked(value, text, true)).toBe(expected);
  });

  it("leaves answers alone where deliveries have no headers but ours", () => {
    expect(maskOf(OURS)).toBeUndefined();
    expect(masked("TOPSECRET", "application/json, event_x")).toBe("application/json, event_x");
  });

  it("are never left in an answer, wherever they are in it and whatever they are", () => {
    const value = fc.stringMatching(/^[\x21-\x7e][\x20-\x7e]{2,30}[\x21-\x7e]$/).filter((one) => !MASK.includes(one));
    const between = fc.stringMatching(/^[ü ,;\n]{0,9}$/);
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 10 }),
        fc.array(between, { minLength: 11, maxLength: 11 }),
        (values, texts) => {
          const mask = maskOf(values.map((one, index) => ({ name: `x-${index}`, value: one })));
          const answer = texts.map((text, index) => `${text}${values[index] ?? ""}`).join("\n");
          const shown = mask?.(answer, false) ?? answer;
          expect(values.filter((one) => shown.replaceAll(MASK, "\n").includes(one))).toEqual([]);
        },
      ),
    );
  });

  withScope((closeLater) => {
    it("are masked before an answer is recorded, in its body and in Retry-After", async () => {
      const endpoint = await serveHttp(closeLater, (request, response) => {
        const { authorization = "" } = request.headers;
        response.writeHead(403, { "retry-after": authorization }).end(`bad header: authorization: ${authorization}`);
      });
      const { headers, ...attempt } = attemptTo(`http://127.0.0.1:${endpoint.port}/in`);
      const extra = [{ name: "authorization", value: "Bearer TOPSECRETVALUE" }, ...headers];
      const result = await attemptSenderFor(closeLater).send({ ...attempt, headers: extra });
      expect(result).toMatchObject({ outcome: "refused", httpStatus: 403, retryAfter: MASK });
      expect(result.responseExcerpt.toString()).toBe(`bad header: authorization: ${MASK}`);
    });

    it("leave a Retry-After as it is that only begins like one of them", async () => {
      const endpoint = await serveHttp(closeLater, (_, response) =>
        response.writeHead(429, { "retry-after": "3600" }).end(),
      );
      const { headers, ...attempt } = attemptTo(`http://127.0.0.1:${endpoint.port}/in`);
      const extra = [{ name: "x-account", value: "36001234" }, ...headers];
      const { retryAfter } = await attemptSenderFor(closeLater).send({ ...attempt, headers: extra });
      expect(retryAfter).toBe("3600");
    });

    it("are masked where Retry-After is cut in the middle of them", async () => {
      const endpoint = await serveHttp(closeLater, ({ headers: { authorization } }, response) =>
        response.writeHead(429, { "retry-after": `${"x".repeat(56)}${authorization}` }).end(),
      );
      const { headers, ...attempt } = attemptTo(`http://127.0.0.1:${endpoint.port}/in`);
      const extra = [{ name: "authorization", value: "TOPSECRETVALUE" }, ...headers];
      const { retryAfter } = await attemptSenderFor(closeLater).send({ ...attempt, headers: extra });
      expect(retryAfter).toBe(`${"x".repeat(56)}${MASK}`);
    });

    it("are masked where the kept part of a long answer ends in the middle of them", async () => {
      const endpoint = await serveHttp(closeLater, ({ headers: { authorization } }, response) =>
        response.writeHead(200).end(`${"x".repeat(4 * 1024 - 12)}${authorization}${"y".repeat(100)}`),
      );
      const { headers, ...attempt } = attemptTo(`http://127.0.0.1:${endpoint.port}/in`);
      const extra = [{ name: "authorization", value: "Bearer TOPSECRETVALUE" }, ...headers];
      const { responseExcerpt } = await attemptSenderFor(closeLater).send({ ...attempt, headers: extra });
      expect(responseExcerpt.toString()).toBe("x".repeat(4 * 1024 - 12) + MASK);
    });
  });
});
