import type { Browser } from "playwright-core";
import { errorPage } from "../../src/sign-on/browser/error-page.ts";
import { accountPage } from "../../src/sign-on/conversations/account/account-page.ts";
import { accountSignInPage } from "../../src/sign-on/conversations/account/account-sign-in-page.ts";
import { changePasswordPage } from "../../src/sign-on/conversations/account/change-password-page.ts";
import { consentPage } from "../../src/sign-on/conversations/consent/consent-page.ts";
import { loginPage } from "../../src/sign-on/conversations/login/login-page.ts";
import { signOutPage } from "../../src/sign-on/conversations/logout/sign-out-page.ts";
import { signedOutPage } from "../../src/sign-on/conversations/logout/signed-out-page.ts";
import { passwordSetPage } from "../../src/sign-on/conversations/set-password/password-set-page.ts";
import {
  type SetPasswordPageValues,
  setPasswordPage,
} from "../../src/sign-on/conversations/set-password/set-password-page.ts";
import { en } from "../../src/sign-on/texts/en.ts";
import { findings, LOOKS } from "../runtime/pages/looked-at.ts";
import { describeChromium, launchChromium } from "../support/chromium.ts";

const LONG_NAME = `Vereinigte ${"Lohnabrechnungs".repeat(8)}gesellschaft`;
const requestId = "req_4tGJ9sWmQ2xZbL7NcR5Kd";
const login = {
  formToken: "t",
  applicationName: "Harbour Payroll",
  email: "",
  refused: false,
  action: "/auth/login?interaction=a",
};
const consent = {
  formToken: "t",
  applicationName: "Harbour Payroll",
  redirectOrigin: "https://payroll.example",
  email: "maren@example.com",
  scopes: ["openid", "profile", "email", "offline_access"],
  action: "/auth/consent?interaction=a",
};

const signOut = {
  action: "/auth/sign-out?logout=a",
  formToken: "t",
  applicationName: "Harbour Payroll",
  redirectOrigin: "https://payroll.example",
  stayAddress: "/auth/account",
};

const AT = new Date("2026-06-30T08:15:27.412Z");
const device = { browser: "Firefox", system: "Linux" };
const account = {
  formToken: "t",
  email: "maren@example.com",
  sessions: [
    { sid: "a", current: true, device, signedInAt: AT, lastUsedAt: AT },
    { sid: "b", current: false, device: { browser: "", system: "" }, signedInAt: AT, lastUsedAt: AT },
  ],
  accesses: [
    {
      applicationId: "app_a",
      applicationName: "Harbour Payroll",
      instanceId: "instance_a",
      instanceName: "Europe",
      scopes: ["openid", "profile", "email", "offline_access"],
      since: AT,
    },
  ],
  signIns: [
    { at: AT, succeeded: true, applicationName: "", device, network: "192.0.2.0/24" },
    { at: AT, succeeded: false, applicationName: "Harbour Payroll", device, network: "" },
  ],
  action: "/auth/account",
  passwordAddress: "/auth/account/password",
  done: undefined,
};
const accountSignIn = {
  action: "/auth/account/sign-in",
  formToken: "t",
  email: "",
  refused: false,
  waitSeconds: undefined,
};
const passwordChange = {
  formToken: "t",
  email: "maren@example.com",
  flaw: "PASSWORD_FLAW_UNSPECIFIED" as const,
  lengthMin: 15,
  lengthMax: 1_024,
  oldRefused: false,
  action: "/auth/account/password",
  back: "/auth/account",
};

const setPassword: SetPasswordPageValues = {
  formToken: "t",
  email: "maren@example.com",
  purpose: "PASSWORD_LINK_PURPOSE_INVITATION",
  flaw: "PASSWORD_FLAW_UNSPECIFIED",
  lengthMin: 15,
  lengthMax: 1024,
  action: "/auth/set-password?token=a",
};

const PAGES: Readonly<Record<string, string>> = {
  login: loginPage(login, en),
  "login, refused, with long values": loginPage(
    { ...login, applicationName: LONG_NAME, email: `${"m".repeat(200)}@example.com`, refused: true },
    en,
  ),
  "login that must wait": loginPage({ ...login, email: "maren@example.com", waitSeconds: 640 }, en),
  "login from right to left": loginPage({ ...login, applicationName: "מערכת שכר" }, { ...en, language: "he" }),
  "login with hostile values": loginPage(
    { ...login, applicationName: "<script>alert(1)</script>", email: '"><img src=x>' },
    en,
  ),
  consent: consentPage(consent, en),
  "consent with long values": consentPage(
    {
      ...consent,
      applicationName: LONG_NAME,
      redirectOrigin: `https://${"a".repeat(200)}.example`,
      scopes: ["other:scope"],
    },
    en,
  ),
  "sign-out question": signOutPage(signOut, en),
  "sign-out question that nobody asked for": signOutPage(
    { ...signOut, applicationName: undefined, redirectOrigin: undefined },
    en,
  ),
  "sign-out question with long values": signOutPage(
    { ...signOut, applicationName: LONG_NAME, redirectOrigin: `https://${"a".repeat(200)}.example` },
    en,
  ),
  "sign-out question from right to left": signOutPage(
    { ...signOut, applicationName: "מערכת שכר" },
    { ...en, language: "he" },
  ),
  "signed out": signedOutPage(en),
  account: accountPage(account, en),
  "account after a change": accountPage({ ...account, accesses: [], done: "access" }, en),
  "account with long values": accountPage(
    {
      ...account,
      email: `${"m".repeat(200)}@example.com`,
      accesses: account.accesses.map((access) => ({ ...access, applicationName: LONG_NAME, instanceName: LONG_NAME })),
    },
    en,
  ),
  "account from right to left": accountPage(account, { ...en, language: "he" }),
  "account sign-in": accountSignInPage(accountSignIn, en),
  "account sign-in, refused": accountSignInPage({ ...accountSignIn, email: "maren@example.com", refused: true }, en),
  "account sign-in, to wait": accountSignInPage({ ...accountSignIn, waitSeconds: 90 }, en),
  "password change": changePasswordPage(passwordChange, en),
  "password change, refused": changePasswordPage({ ...passwordChange, oldRefused: true }, en),
  "password change, too short": changePasswordPage({ ...passwordChange, flaw: "PASSWORD_FLAW_TOO_SHORT" }, en),
  "error of a sign-out": errorPage(
    { reason: "logoutHint", requestId, retryUrl: "/auth/sign-out", retryLabel: en.signOut.instead },
    en,
  ),
  "set password": setPasswordPage(setPassword, en),
  "set password, refused, with a long address": setPasswordPage(
    { ...setPassword, email: `${"m".repeat(200)}@example.com`, flaw: "PASSWORD_FLAW_PERSONAL" },
    en,
  ),
  "password set, with a long address": passwordSetPage({ email: `${"m".repeat(200)}@example.com` }, en),
  "error of a link": errorPage({ reason: "linkWithdrawn", requestId }, en),
  "error with one cause": errorPage({ reason: "unavailable", requestId, retryUrl: "/auth/login?interaction=a" }, en),
  "error with several causes": errorPage({ reason: "ERROR_PAGE_REASON_INTERACTION_ELSEWHERE", requestId }, en),
};

describeChromium("the sign-on pages, looked at", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser?.close());

  it.each(Object.entries(PAGES))("%s", async (_, markup) => {
    const found: (readonly string[])[] = [];
    for (const look of LOOKS) found.push(await findings(browser, markup, look));
    expect(found).toEqual(LOOKS.map(() => []));
  });
});
