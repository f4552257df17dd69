import { errorPage } from "../../src/sign-on/browser/error-page.ts";
import { formPostPage } from "../../src/sign-on/browser/form-post-page.ts";
import { accountSignInPage, loginPage } from "../../src/sign-on/browser/sign-in-pages.ts";
import { accountPage } from "../../src/sign-on/conversations/account/account-page.ts";
import { changePasswordPage } from "../../src/sign-on/conversations/account/change-password-page.ts";
import { consentPage } from "../../src/sign-on/conversations/consent/consent-page.ts";
import { signedOutPage, signOutPage } from "../../src/sign-on/conversations/logout/sign-out-page.ts";
import {
  passwordSetPage,
  type SetPasswordPageValues,
  setPasswordPage,
} from "../../src/sign-on/conversations/set-password/set-password-page.ts";
import type { Texts } from "../../src/sign-on/texts/en.ts";

const LONG_NAME = `Vereinigte ${"Lohnabrechnungs".repeat(8)}gesellschaft`;
/** Reasons that no other sample has. */
const REASONS = [
  "ERROR_PAGE_REASON_UNKNOWN_APPLICATION",
  "ERROR_PAGE_REASON_UNREGISTERED_REDIRECT_URI",
  "ERROR_PAGE_REASON_FORM_REFUSED",
  "linkUnknown",
  "linkExpired",
  "linkUsed",
  "linkForm",
  "nothingHere",
  "unreadable",
  "serverError",
  "accountForm",
  "accountCookie",
  "logoutMalformed",
  "logoutApplication",
  "logoutAddress",
  "logoutGone",
  "logoutForm",
] as const;
const requestId = "req_4tGJ9sWmQ2xZbL7NcR5Kd";
const asked = { support: { contact: undefined, requestId } };
const askedByMail = { support: { contact: "help-with-signing-in@harbour-payroll.example", requestId } };
const askedOnAPage = { support: { contact: `https://help.harbour.example/${"signing-in-".repeat(15)}`, requestId } };
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
  otherAccount: "/auth/login?interaction=a&account=other",
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
      ended: false,
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

/** Every page as it can look, in one language; the names are those of the tests. */
export const samplePages = (texts: Texts): Readonly<Record<string, string>> => ({
  login: loginPage(login, texts),
  "login, refused, with long values": loginPage(
    { ...login, applicationName: LONG_NAME, email: `${"m".repeat(200)}@example.com`, refused: true, ...askedOnAPage },
    texts,
  ),
  "login that must wait": loginPage({ ...login, email: "maren@example.com", waitSeconds: 640, ...asked }, texts),
  "login from right to left": loginPage({ ...login, applicationName: "מערכת שכר" }, { ...texts, language: "he" }),
  "login with hostile values": loginPage(
    { ...login, applicationName: "<script>alert(1)</script>", email: '"><img src=x>' },
    texts,
  ),
  consent: consentPage(consent, texts),
  "consent with long values": consentPage(
    {
      ...consent,
      applicationName: LONG_NAME,
      redirectOrigin: `https://${"a".repeat(200)}.example`,
      scopes: ["other:scope"],
    },
    texts,
  ),
  "set password": setPasswordPage(setPassword, texts),
  "set password, with an address that a phone of 320 pixels has no line for": setPasswordPage(
    { ...setPassword, email: "maren.dahl@nordlicht.example" },
    texts,
  ),
  "set password, with an address that fits a line of 320 pixels": setPasswordPage(
    { ...setPassword, email: "jonas@nordlicht.example" },
    texts,
  ),
  "set password, with an address of 24 wide letters, which 320 pixels have no line for": setPasswordPage(
    { ...setPassword, email: "WWWWWWWWW@MMMMMM.example" },
    texts,
  ),
  "set password, refused, with a long address": setPasswordPage(
    { ...setPassword, email: `${"m".repeat(200)}@example.com`, flaw: "PASSWORD_FLAW_PERSONAL" },
    texts,
  ),
  "password set, with a long address": passwordSetPage(
    { email: `${"m".repeat(200)}@example.com`, account: "/auth/account" },
    texts,
  ),
  "error of a link": errorPage(
    { reason: "linkWithdrawn", requestId, supportContact: askedByMail.support.contact },
    texts,
  ),
  "error with a long address to ask at": errorPage(
    { reason: "linkExpired", requestId, supportContact: askedOnAPage.support.contact },
    texts,
  ),
  "an answer on its way, where no script runs": formPostPage(
    {
      redirectUri: "https://payroll.example/cb",
      parameters: [{ name: "state", value: '"><script>alert(1)</script>' }],
    },
    texts,
  ).replace(/<script>.*<\/script>/, ""),
  "sign-out question": signOutPage(signOut, texts),
  "sign-out question without an application": signOutPage(
    { ...signOut, applicationName: undefined, redirectOrigin: undefined },
    texts,
  ),
  "sign-out question with long values": signOutPage(
    { ...signOut, applicationName: LONG_NAME, redirectOrigin: `https://${"a".repeat(200)}.example` },
    texts,
  ),
  "sign-out question from right to left": signOutPage(
    { ...signOut, applicationName: "מערכת שכר" },
    { ...texts, language: "he" },
  ),
  "signed out": signedOutPage({ application: null, account: "/auth/account" }, texts),
  "signed out everywhere": signedOutPage({ application: null, account: "/auth/account", isEverywhere: true }, texts),
  "signed out, with an application": signedOutPage(
    { application: { name: "Harbour Payroll", origin: "https://payroll.example" }, account: "/auth/account" },
    texts,
  ),
  "signed out, with a long name": signedOutPage(
    { application: { name: LONG_NAME, origin: "https://payroll.example" }, account: "/auth/account" },
    texts,
  ),
  account: accountPage(account, texts),
  "account after a change": accountPage({ ...account, accesses: [], done: "access" }, texts),
  "account with an access that has ended": accountPage(
    { ...account, accesses: account.accesses.map((access) => ({ ...access, ended: true })) },
    texts,
  ),
  "account, with an address of 24 wide letters": accountPage({ ...account, email: "WWWWWWWWW@MMMMMM.example" }, texts),
  "account with long values": accountPage(
    {
      ...account,
      email: `${"m".repeat(200)}@example.com`,
      accesses: account.accesses.map((access) => ({ ...access, applicationName: LONG_NAME, instanceName: LONG_NAME })),
    },
    texts,
  ),
  "account from right to left": accountPage(account, { ...texts, language: "he" }),
  "account sign-in": accountSignInPage(accountSignIn, texts),
  "account sign-in after a form that changed nothing": accountSignInPage(
    { ...accountSignIn, isFormUndone: true },
    texts,
  ),
  "account sign-in, refused": accountSignInPage(
    { ...accountSignIn, ...askedByMail, email: "maren@example.com", refused: true },
    texts,
  ),
  "account sign-in, to wait": accountSignInPage({ ...accountSignIn, waitSeconds: 90 }, texts),
  "password change": changePasswordPage(passwordChange, texts),
  "password change, with an address that fits a line of 320 pixels": changePasswordPage(
    { ...passwordChange, email: "jonas@nordlicht.example" },
    texts,
  ),
  "password change, refused": changePasswordPage({ ...passwordChange, oldRefused: true }, texts),
  "password change, too short": changePasswordPage({ ...passwordChange, flaw: "PASSWORD_FLAW_TOO_SHORT" }, texts),
  "error of a sign-out": errorPage(
    { reason: "logoutHint", requestId, retryUrl: "/auth/sign-out", retryLabel: texts.signOut.instead },
    texts,
  ),
  "error with one cause": errorPage({ reason: "unavailable", requestId, retryUrl: "/auth/login?interaction=a" }, texts),
  "error with several causes": errorPage({ reason: "ERROR_PAGE_REASON_INTERACTION_ELSEWHERE", requestId }, texts),
  "error with a place to begin again": errorPage(
    {
      reason: "ERROR_PAGE_REASON_INTERACTION_GONE",
      requestId,
      startAgainOrigin: `https://${"payroll-of-the-harbour-".repeat(2)}x.example`,
    },
    texts,
  ),
  "consent from right to left": consentPage(
    { ...consent, applicationName: "نظام الرواتب", email: "اختبار@مثال.إختبار" },
    texts,
  ),
  "set password, not repeated": setPasswordPage({ ...setPassword, flaw: "PASSWORD_FLAW_DIFFERENT" }, texts),
  "set password, too long": setPasswordPage(
    { ...setPassword, purpose: "PASSWORD_LINK_PURPOSE_RESET", flaw: "PASSWORD_FLAW_TOO_LONG" },
    texts,
  ),
  ...Object.fromEntries(
    REASONS.map((reason) => [`error ${reason}`, errorPage({ reason, requestId, retryUrl: "/auth/account" }, texts)]),
  ),
});
