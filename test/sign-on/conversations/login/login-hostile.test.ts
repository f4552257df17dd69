import { authorizePath, Browser, tokenOf } from "../../../support/browser.ts";
import type { Answer } from "../../../support/http.ts";
import { PASSWORD, type World } from "../../../support/world.ts";
import { describeSignOn, withPerson } from "../../sign-on-fixture.ts";

const FORM = { "content-type": "application/x-www-form-urlencoded" };
const FIELDS = ["form_token", "email", "password"] as const;
type Field = (typeof FIELDS)[number];
type Right = Readonly<Record<Field, string>>;

const encoded = (right: Right, but?: Field): readonly string[] =>
  FIELDS.filter((field) => field !== but).map((field) => `${field}=${encodeURIComponent(right[field])}`);
/** A form with one field written in another way. */
const instead = (spelling: (field: Field, right: Right) => readonly string[]) => (field: Field, right: Right) =>
  [...encoded(right, field), ...spelling(field, right)].join("&");

/** What a form can do wrong with one of its fields; each is refused as a form, before anything is looked up (S14, S40). */
const MALFORMED: readonly (readonly [string, (field: Field, right: Right) => string])[] = [
  ["is missing", instead(() => [])],
  [
    "is sent twice, the same",
    instead((field, right) => [field, field].map((name) => `${name}=${encodeURIComponent(right[name])}`)),
  ],
  [
    "is sent twice, the other empty",
    instead((field, right) => [`${field}=`, `${field}=${encodeURIComponent(right[field])}`]),
  ],
  ["is a list", instead((field, right) => [`${field}[]=${encodeURIComponent(right[field])}`])],
  ["is an object", instead((field, right) => [`${field}[x]=${encodeURIComponent(right[field])}`])],
  ["holds NUL", instead((field, right) => [`${field}=${encodeURIComponent(right[field])}%00`])],
  ["holds half of a surrogate pair, as CESU-8", instead((field) => [`${field}=%ED%A0%80`])],
  ["holds overlong UTF-8", instead((field) => [`${field}=%C0%AF`])],
  ["holds a cut character", instead((field) => [`${field}=%F0%9F%99`])],
  ["is percent-encoded badly", instead((field) => [`${field}=%u0041`])],
  ["is spelt in capitals", instead((field, right) => [`${field.toUpperCase()}=${encodeURIComponent(right[field])}`])],
];

/** What only the token of a form can do wrong: people do not type it. */
const TOO_LONG = ["form_token", "is too long", instead((field) => [`${field}=${"a".repeat(1_025)}`])] as const;

/** Addresses and passwords that are possible but unknown, or longer than any; refused like any wrong one (R-S17, R-X377). */
const ODD: readonly (readonly [string, string])[] = [
  ["empty", ""],
  ["white space", " \t\u00a0\u2003"],
  ["four-byte characters", "🙂𝟘𐍈".repeat(20)],
  ["line breaks", "a\r\nset-cookie: x=y\r\n\r\n<script>alert(1)</script>"],
  ["control characters", "\u0001\u0008\u001f\u007f\u0085"],
  ["code points that are no characters", "\uffff\ufffe\ufeff"],
  ["combining characters", "e\u0301".repeat(100)],
  ["writing from right to left", "\u202e\u2066moc.elpmaxe"],
  ["SQL", "' or 1=1; drop table sign_on_sessions; --"],
  ["a pattern", "%@harbour.example"],
  ["a member of every object", "__proto__"],
  ["one character more than a password has", "a".repeat(1_025)],
  ["a whole page, pasted", "a password of many words ".repeat(800)],
];

describeSignOn("POST /auth/login with hostile input (R-S17, S40)", (scene) => {
  let people = 0;
  async function begin() {
    const { signOn, world } = scene();
    const person = await withPerson(signOn, world, `hostile${++people}@harbour.example`);
    const browser = new Browser(signOn.url);
    const { answer, path } = await browser.follow(authorizePath(person));
    const form_token = tokenOf(answer);
    return { signOn, person, browser, path, right: { form_token, email: person.email, password: PASSWORD } };
  }
  const seen = ({ status, headers, text }: Answer) => ({
    status,
    cookies: headers.getSetCookie(),
    location: headers.get("location"),
    acts: /<script(?! src="\/assets\/gatehouse-)|drop table/.test(text.replaceAll(/value="[^"]*"/g, "")),
  });
  const refused = { status: 400, cookies: [], location: null, acts: false };
  const recorded = async ({ personId }: World) =>
    scene().signOn.db.selectFrom("sign_on_sign_ins").select("id").where("person_id", "=", personId).execute();

  it.each([...MALFORMED.flatMap(([what, body]) => FIELDS.map((field) => [field, what, body] as const)), TOO_LONG])(
    "refuses a form whose %s %s, without an attempt to sign in",
    async (field, _, body) => {
      const { person, browser, path, right } = await begin();
      const answer = await browser.open(path, { body: body(field, right), headers: FORM });
      expect(seen(answer)).toEqual(refused);
      expect(answer.text).toContain("We did not accept this form");
      expect(await recorded(person)).toEqual([]);
      expect((await browser.open(path, { body: encoded(right).join("&"), headers: FORM })).status).toBe(303);
    },
  );

  it.each(ODD)("%s as an address, and as a password, is refused like any wrong one", async (_, odd) => {
    const { signOn, browser, path, right } = await begin();
    const before = signOn.log.lines.length;
    const answers = [
      await browser.open(path, { form: { ...right, email: odd } }),
      await browser.open(path, { form: { ...right, password: odd } }),
      await browser.open(path, { form: { ...right, email: odd, password: odd } }),
    ];
    expect(answers.map(seen)).toEqual([refused, refused, refused]);
    expect(answers.map(({ text }) => text.includes("is wrong"))).toEqual([true, true, true]);
    expect(signOn.log.lines.slice(before).filter(({ level }) => level === "error")).toEqual([]);
  });

  it("takes nothing from the address: neither e-mail nor password nor token (S31)", async () => {
    const { browser, path, right } = await begin();
    const answer = await browser.open(`${path}&${encoded(right).join("&")}`, { body: "x=y", headers: FORM });
    expect(seen(answer)).toEqual(refused);
  });

  it.each([
    ["without an interaction", () => "/auth/login"],
    ["with an empty one", () => "/auth/login?interaction="],
    ["with two", (path: string) => `${path}&interaction=x`],
    ["with the right one twice", (path: string) => `${path}&${path.split("?")[1]}`],
    ["with one that is too long", () => `/auth/login?interaction=${"a".repeat(200)}`],
    ["with NUL in it", (path: string) => `${path}%00`],
    ["with half of a surrogate pair", () => "/auth/login?interaction=%ED%A0%80"],
  ])("refuses the right form %s", async (_, at) => {
    const { browser, path, right } = await begin();
    const answer = await browser.open(at(path), { body: encoded(right).join("&"), headers: FORM });
    expect(seen(answer)).toEqual(refused);
  });

  it("ignores an interaction whose cookie came twice, even with the same value (S13)", async () => {
    const { browser, path, right } = await begin();
    const [[name, secret] = []] = [...browser.cookies];
    const cookie = `${name}=${secret}; ${name}=${secret}`;
    const answer = await browser.open(path, { form: right, headers: { cookie } });
    expect(seen(answer)).toEqual(refused);
    expect(answer.text).toContain("did not begin in this browser");
    expect((await browser.open(path, { form: right })).status).toBe(303);
  });

  it("begins a session of its own beside two planted ones, and ends neither (S12, S13)", async () => {
    const { signOn, browser, path, right, person } = await begin();
    const mallory = await withPerson(signOn, person, `mallory-hostile${people}@harbour.example`);
    const attacker = new Browser(signOn.url);
    const page = await attacker.follow(authorizePath(mallory));
    await attacker.submit(page.answer, { email: mallory.email, password: PASSWORD });
    const planted = attacker.cookies.get("gatehouse_session");
    const own = [...browser.cookies].map(([name, value]) => `${name}=${value}`);
    const cookie = [...own, `gatehouse_session=${planted}`, `gatehouse_session=${planted}`].join("; ");
    const answer = await browser.open(path, { form: right, headers: { cookie } });
    const begun = browser.cookies.get("gatehouse_session");
    expect([answer.status, begun === planted, begun?.length]).toEqual([303, false, 43]);
    expect((await attacker.open(authorizePath(mallory, { prompt: "none" }))).headers.get("location")).toContain(
      "consent_required",
    );
  });

  it.each([
    ["none", undefined, null],
    ["an empty one", "", null],
    ["a long one", "a".repeat(9_000), "a".repeat(256)],
    ["one of bytes beyond ASCII", "caf\u00e9\u0080", "caf\u00e9"],
    ["one with markup", "<script>alert(1)</script>", "<script>alert(1)</script>"],
  ])("keeps of a User-Agent what can be kept: %s (R-X86)", async (_, userAgent, kept) => {
    const { signOn, browser, path, right, person } = await begin();
    const headers = userAgent === undefined ? {} : { "user-agent": userAgent };
    expect((await browser.open(path, { form: right, headers })).status).toBe(303);
    const rows = signOn.db.selectFrom("sign_on_sign_ins").select("user_agent").where("person_id", "=", person.personId);
    expect(await rows.execute()).toEqual([{ user_agent: kept }]);
  });
});
