import { Browser, tokenOf } from "../../support/browser.ts";
import type { Gatehouse } from "../../support/gatehouse.ts";
import { type Answer, call } from "../../support/http.ts";
import { EXAMPLE } from "./example-names.ts";

/** The installation with the examples' data, and where it really listens. */
export interface Place extends Pick<Gatehouse, "signOn"> {
  readonly url: string;
}

/** What is sent beside, or in place of, what a contract shows. */
export interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  /** By name of a parameter or of a member of the body. */
  readonly values?: Readonly<Record<string, string>>;
}

const AUTHORIZE = {
  response_type: "code",
  client_id: EXAMPLE.applicationId,
  redirect_uri: EXAMPLE.redirectUri,
  scope: "openid profile email",
};

/** A form of a page, as the browser that was shown it would send it. */
const formOf = (browser: Browser, page: Answer, more: Given["values"] = {}): Given => ({
  headers: { cookie: browser.cookie },
  values: { ...more, form_token: tokenOf(page) },
});

/** A browser at the login page of an authorization request. */
async function atLogin({ url }: Place) {
  const browser = new Browser(url);
  const step = await browser.follow(`/auth/authorize?${new URLSearchParams(AUTHORIZE)}`);
  const interaction = new URL(step.path, url).searchParams.get("interaction") ?? "";
  return { browser, page: step.answer, interaction };
}

async function withPassword({ signOn }: Place): Promise<{ readonly email: string; readonly password: string }> {
  await signOn.setPassword({ personId: EXAMPLE.personId, password: EXAMPLE.password });
  return { email: EXAMPLE.email, password: EXAMPLE.password };
}

/** The same browser after the password, at the question for consent. */
async function atConsent(place: Place) {
  const { browser, page, interaction } = await atLogin(place);
  const { answer } = await browser.submit(page, await withPassword(place));
  return { browser, page: answer, interaction };
}

/** A browser in which the person has signed in at the account page. */
async function signedIn(place: Place): Promise<Browser> {
  const browser = new Browser(place.url);
  const { answer } = await browser.follow("/auth/account/sign-in");
  await browser.submit(answer, await withPassword(place));
  return browser;
}

const token = (place: Place, code: string): Promise<Answer> =>
  call(place.url, "/auth/token", {
    json: {
      grant_type: "authorization_code",
      code,
      redirect_uri: AUTHORIZE.redirect_uri,
      client_id: EXAMPLE.applicationId,
      client_secret: EXAMPLE.applicationSecret,
    },
  });

/** A browser in which the application had its sign-in, and the tokens that it got. */
async function withTokens(place: Place) {
  const { browser, page } = await atConsent(place);
  const { left } = await browser.submit(page, { decision: "approve" });
  const answer = await token(place, left?.searchParams.get("code") ?? "");
  return { browser, tokens: answer.json<{ readonly access_token: string; readonly id_token: string }>() };
}

export const giving = {
  interaction: async (place: Place): Promise<Given> => {
    const { browser, interaction } = await atLogin(place);
    return { headers: { cookie: browser.cookie }, values: { interaction } };
  },
  loginForm: async (place: Place): Promise<Given> => {
    await withPassword(place);
    const { browser, page, interaction } = await atLogin(place);
    return formOf(browser, page, { interaction });
  },
  consent: async (place: Place): Promise<Given> => {
    const { browser, interaction } = await atConsent(place);
    return { headers: { cookie: browser.cookie }, values: { interaction } };
  },
  consentForm: async (place: Place): Promise<Given> => {
    const { browser, page, interaction } = await atConsent(place);
    return formOf(browser, page, { interaction });
  },
  session: async (place: Place): Promise<Given> => ({ headers: { cookie: (await signedIn(place)).cookie } }),
  formAt:
    (path: string) =>
    async (place: Place): Promise<Given> => {
      const browser = await signedIn(place);
      return formOf(browser, await browser.open(path));
    },
  accountForm: async (place: Place): Promise<Given> => {
    const { browser } = await withTokens(place);
    return formOf(browser, await browser.open("/auth/account"));
  },
  formWithoutSession:
    (path: string) =>
    async (place: Place): Promise<Given> => {
      await withPassword(place);
      const browser = new Browser(place.url);
      return formOf(browser, await browser.open(path));
    },
  accessToken: async (place: Place): Promise<Given> => {
    const { tokens } = await withTokens(place);
    return { headers: { authorization: `Bearer ${tokens.access_token}` } };
  },
  accessTokenInBody: async (place: Place): Promise<Given> => {
    const { tokens } = await withTokens(place);
    return { values: { access_token: tokens.access_token } };
  },
  idToken: async (place: Place): Promise<Given> => {
    const { browser, tokens } = await withTokens(place);
    return { headers: { cookie: browser.cookie }, values: { id_token_hint: tokens.id_token } };
  },
  stylesheet: async ({ url }: Place): Promise<Given> => {
    const { text } = await call(url, "/");
    return { values: { file: /href="\/assets\/([^"]+\.css)"/.exec(text)?.[1] ?? "" } };
  },
};
