import { createCookies } from "../../../src/sign-on/browser/cookies.ts";

const secure = createCookies("https://sign-on.example");
const plain = createCookies("http://localhost:8080");

describe("cookies (S13)", () => {
  it("are __Host- and Secure where the issuer is https", () => {
    expect(secure.session).toBe("__Host-gatehouse_session");
    expect(secure.interaction("abc")).toBe("__Host-gatehouse_interaction_abc");
    expect(secure.write({ name: secure.session, value: "v" })).toBe(
      "__Host-gatehouse_session=v; Path=/; HttpOnly; SameSite=Lax; Secure",
    );
  });

  it("carry neither under plain http, where browsers would not take them", () => {
    expect(plain.write({ name: plain.session, value: "v" })).toBe(
      "gatehouse_session=v; Path=/; HttpOnly; SameSite=Lax",
    );
  });

  it("never name a domain, which would let other hosts set them", () => {
    expect(secure.write({ name: secure.session, value: "v", maxAgeSeconds: 60 })).not.toMatch(/domain/i);
  });

  it("live as long as the browser is open, or for the seconds given; without a value they go (R-X7)", () => {
    expect(plain.write({ name: "n", value: "v", maxAgeSeconds: 60 })).toMatch(/; Max-Age=60$/);
    expect(secure.write({ name: "n", value: undefined })).toBe("n=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0");
  });

  it.each<[string, string | undefined]>([
    ["gatehouse_session=abc", "abc"],
    ["a=1; gatehouse_session=abc; b=2", "abc"],
    ["a=1;gatehouse_session=abc;b=2", "abc"],
    ["a=b=c; gatehouse_session=abc", "abc"],
    ["=x; gatehouse_session=abc", "abc"],
    ["gatehouse_session=A-_0", "A-_0"],
    [`gatehouse_session=${"a".repeat(128)}`, "a".repeat(128)],
    // Twice: ours cannot be identified
    ["gatehouse_session=abc; gatehouse_session=def", undefined],
    ["gatehouse_session=abc; gatehouse_session=abc", undefined],
    ["gatehouse_session=abc; x=1; gatehouse_session=", undefined],
    // Another name: compared byte for byte
    ["Gatehouse_session=abc", undefined],
    ["gatehouse_session2=abc", undefined],
    ["xgatehouse_session=abc", undefined],
    ["  gatehouse_session=abc", undefined],
    ["gatehouse_session =abc", undefined],
    ["\tgatehouse_session=abc", undefined],
    ["\u00a0gatehouse_session=abc", undefined],
    ["\u2003gatehouse_session=abc", undefined],
    ["\ufeffgatehouse_session=abc", undefined],
    ["gatehouse_session\u3000=abc", undefined],
    ["__Host-gatehouse_session=abc", undefined],
    ["gatehouse%5Fsession=abc", undefined],
    // No value of ours
    ["gatehouse_session", undefined],
    ["gatehouse_session=", undefined],
    ['gatehouse_session="abc"', undefined],
    ["gatehouse_session=a b", undefined],
    ["gatehouse_session=abc\u00a0", undefined],
    ["gatehouse_session=abc\r\n", undefined],
    ["gatehouse_session=%61bc", undefined],
    ["gatehouse_session=a.b", undefined],
    [`gatehouse_session=${"a".repeat(129)}`, undefined],
    ["", undefined],
    [";;;", undefined],
    ["; ; =", undefined],
  ])("reads %j as %j", (header, value) => {
    expect(plain.read(header, plain.session)).toBe(value);
  });

  it("reads nothing where no cookie was sent", () => {
    expect(plain.read(undefined, plain.session)).toBeUndefined();
  });

  it("takes no cookie of the plain name for the __Host- one, which a neighbouring host could plant", () => {
    expect(secure.read("gatehouse_session=planted", secure.session)).toBeUndefined();
    expect(secure.read("gatehouse_session=planted; __Host-gatehouse_session=ours", secure.session)).toBe("ours");
  });

  it("lists the interactions of a browser, oldest first, without what cannot be one (R-X6)", () => {
    const header =
      "gatehouse_interaction_a=1; gatehouse_session=s; gatehouse_interaction_b=2; gatehouse_interaction_=3; gatehouse_interaction_c d=4; gatehouse_interaction_a=5";
    expect(plain.interactionIds(header)).toEqual(["a", "b", "a"]);
    expect(plain.interactionIds(undefined)).toEqual([]);
  });
});
