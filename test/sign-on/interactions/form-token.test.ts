import type { PersonId } from "../../../src/runtime/basis/ids.ts";
import { type FormPurpose, formToken, isFormToken } from "../../../src/sign-on/interactions/form-token.ts";

const ID = "Zk3vQ9xT2bW7mL5cN8sRfG";
const SECRET = "s".repeat(43);
const MAREN = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
const TOMAS = "person_EXUAD7sVdMrrwGoyGkSEM" as PersonId;
const login: FormPurpose = { page: "login" };
const consentOf = (personId: PersonId): FormPurpose => ({ page: "consent", personId });

describe("the token of a form (S10)", () => {
  it("fits its own form, again and again", () => {
    expect(isFormToken(formToken(ID, SECRET, login), formToken(ID, SECRET, login))).toBe(true);
    expect(formToken(ID, SECRET, consentOf(MAREN))).toBe(formToken(ID, SECRET, consentOf(MAREN)));
  });

  it("is another one for every interaction, browser, page and person", () => {
    const tokens = [
      formToken(ID, SECRET, login),
      formToken(`${ID}x`, SECRET, login),
      formToken(ID, `${SECRET}x`, login),
      formToken(ID, "", login),
      formToken(ID, SECRET, consentOf(MAREN)),
      formToken(ID, SECRET, consentOf(TOMAS)),
    ];
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it("keeps its parts apart", () => {
    expect(formToken("ab", "c", login)).not.toBe(formToken("a", "bc", login));
  });

  it("shows nothing of the secret", () => {
    expect(formToken(ID, SECRET, login)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(formToken(ID, SECRET, login)).not.toContain("sss");
  });

  it.each([
    ["nothing", ""],
    ["a part of it", formToken(ID, SECRET, login).slice(0, -1)],
    ["more than it", `${formToken(ID, SECRET, login)}A`],
    ["white space around it", ` ${formToken(ID, SECRET, login)}`],
    ["padding", `${formToken(ID, SECRET, login)}=`],
    ["another case", formToken(ID, SECRET, login).toLowerCase()],
  ])("does not fit %s", (_, given) => {
    expect(isFormToken(given, formToken(ID, SECRET, login))).toBe(false);
  });
});
