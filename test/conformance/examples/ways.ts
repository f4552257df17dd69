import { type Given, giving, type Place } from "./browsing.ts";
import { EXAMPLE } from "./example-names.ts";

/** How the request that a contract shows is sent, and what it must bring. */
export interface Way {
  readonly status: number;
  /** Where a redirect leads: how the address begins. */
  readonly location?: string;
  /** The good answer is the example's, to the letter. */
  readonly exact?: true;
  /** Values that cannot be as shown whatever data there is, by name, each with the reason. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Brings the values named above, and the credentials and cookies that no contract shows. */
  readonly give?: (place: Place) => Promise<Given>;
}

const OF_A_SECRET = "it follows from a secret that only the cookie of one browser has";
const OF_A_BROWSER = "it is drawn at random, and good in the browser that began the sign-in";
const SIGNED = "it is signed with a key that every installation makes for itself";
const FORM = { form_token: OF_A_SECRET };
const FORM_OF_SIGN_IN = { interaction: OF_A_BROWSER, form_token: OF_A_SECRET };
const EXACT: Way = { status: 200, exact: true };
const SHOWN: Way = { status: 200 };
const MADE: Way = { status: 201 };

/** By operationId; an operation that is missing here fails. */
export const WAYS: Readonly<Record<string, Way>> = {
  authorize: { status: 302, location: "/auth/login?interaction=" },
  authorizeByPost: { status: 303, location: "/auth/login?interaction=" },
  showLogin: { status: 200, instead: { interaction: OF_A_BROWSER }, give: giving.interaction },
  submitLogin: { status: 303, location: "/auth/consent?", instead: FORM_OF_SIGN_IN, give: giving.loginForm },
  showConsent: { status: 200, instead: { interaction: OF_A_BROWSER }, give: giving.consent },
  submitConsent: {
    status: 303,
    location: "https://payroll.example/callback?code=",
    instead: FORM_OF_SIGN_IN,
    give: giving.consentForm,
  },
  logout: {
    status: 303,
    location: "https://payroll.example/signed-out?state=af0ifjsldkj",
    instead: { id_token_hint: SIGNED },
    give: giving.idToken,
  },
  submitLogout: {
    status: 303,
    location: "/auth/sign-out?logout=",
    instead: { id_token_hint: SIGNED },
    give: giving.idToken,
  },
  showSignOut: { status: 200, give: giving.session },
  submitSignOut: {
    status: 303,
    location: "https://payroll.example/signed-out?state=af0ifjsldkj",
    instead: FORM,
    give: giving.formAt(`/auth/sign-out?logout=${EXAMPLE.logout}`),
  },
  showSignedOut: SHOWN,
  showSetPassword: SHOWN,
  submitSetPassword: {
    status: 200,
    instead: FORM,
    give: giving.formWithoutSession(`/auth/set-password?token=${EXAMPLE.passwordLink}`),
  },
  showAccount: { status: 200, give: giving.session },
  submitAccount: { status: 303, location: "/auth/account?done=access", instead: FORM, give: giving.accountForm },
  showAccountSignIn: SHOWN,
  submitAccountSignIn: {
    status: 303,
    location: "/auth/account",
    instead: FORM,
    give: giving.formWithoutSession("/auth/account/sign-in"),
  },
  findPasswordChange: { status: 303, location: "/auth/account/password" },
  showPasswordChange: { status: 200, give: giving.session },
  submitPasswordChange: {
    status: 303,
    location: "/auth/account?done=password",
    instead: FORM,
    give: giving.formAt("/auth/account/password"),
  },
  exchangeToken: SHOWN,
  getUserinfo: { ...EXACT, give: giving.accessToken },
  postUserinfo: { ...EXACT, instead: { access_token: SIGNED }, give: giving.accessTokenInBody },
  revokeToken: SHOWN,
  introspectToken: SHOWN,
  getOpenidConfiguration: EXACT,
  getAuthorizationServerMetadata: EXACT,
  getJwks: SHOWN,
  listInstanceIntegrations: EXACT,
  listClients: EXACT,
  getClient: EXACT,
  listJobTitles: EXACT,
  getOrganizationStructure: EXACT,
  listUsers: SHOWN,
  getUser: EXACT,
  listWorkers: EXACT,
  listWorkersV2: SHOWN,
  getWorkerV2: EXACT,
  listSubscriptions: SHOWN,
  createSubscription: MADE,
  getSubscription: SHOWN,
  updateSubscription: SHOWN,
  deleteSubscription: { status: 204 },
  pauseSubscription: SHOWN,
  resumeSubscription: SHOWN,
  enableSubscription: SHOWN,
  pingSubscription: SHOWN,
  sendTestEvent: { status: 202 },
  signTestMessages: SHOWN,
  listSigningSecrets: SHOWN,
  rotateSigningSecret: MADE,
  revokeSigningSecret: { status: 204 },
  listPublicKeys: SHOWN,
  readEvents: SHOWN,
  listEvents: SHOWN,
  explainEvent: SHOWN,
  listDeliveries: SHOWN,
  getDelivery: SHOWN,
  resendDelivery: { status: 202 },
  listRecoveries: SHOWN,
  startRecovery: MADE,
  startRecoveries: MADE,
  getRecovery: SHOWN,
  pauseRecovery: SHOWN,
  resumeRecovery: SHOWN,
  cancelRecovery: SHOWN,
  listEventTypes: SHOWN,
  showFrontPage: SHOWN,
  getOverview: SHOWN,
  findContracts: { status: 303, location: "/docs#contracts" },
  getContract: SHOWN,
  showDocumentationIndex: SHOWN,
  showDocumentation: SHOWN,
  findGuides: { status: 303, location: "/docs#guides" },
  showGuide: SHOWN,
  searchDocumentation: SHOWN,
  listProblems: SHOWN,
  showProblem: SHOWN,
  findSdks: { status: 303, location: "/docs/guides/" },
  getSdk: SHOWN,
  findTools: { status: 303, location: "/docs/guides/" },
  getTool: SHOWN,
  getAsset: {
    status: 200,
    instead: { file: "its name has the digest of what is inside, so that it may be kept for ever" },
    give: giving.stylesheet,
  },
};
