import { Browser } from "../support/browser.ts";
import type { Answer, CallInit } from "../support/http.ts";

/** What must be found nowhere afterwards, by kind; and what may be stored, but neither logged nor counted nor audited. */
export class CanaryNotes {
  readonly secrets = new Map<string, Set<string>>();
  readonly unspoken = new Map<string, Set<string>>();
  /** Of answers that were refusals, to look up what operators see of them. */
  readonly requestIds: string[] = [];
  /** Refusals as they were answered to programs: pages have form tokens in them, and hand cookies out. */
  readonly refusals: string[] = [];

  secret(kind: string, ...values: readonly (string | null | undefined)[]): void {
    add(this.secrets, kind, values);
  }

  private(kind: string, ...values: readonly (string | null | undefined)[]): void {
    add(this.unspoken, kind, values);
  }

  /** What a token answer has, each token whole and by its signature. */
  tokens<T extends Readonly<Record<string, string>>>(answer: Answer): T {
    const tokens = answer.json<T>();
    const { access_token, refresh_token, id_token } = tokens;
    this.secret("access token", access_token, access_token?.split(".")[2]);
    this.secret("refresh token", refresh_token);
    this.secret("ID token", id_token, id_token?.split(".")[2]);
    return tokens;
  }

  refused(answer: Answer): Answer {
    this.requestIds.push(answer.headers.get("x-request-id") ?? "");
    const headers = [...answer.headers].filter(([name]) => name !== "set-cookie");
    this.refusals.push(JSON.stringify([answer.status, headers]), answer.text);
    return answer;
  }
}

function add(to: Map<string, Set<string>>, kind: string, values: readonly (string | null | undefined)[]): void {
  const known = to.get(kind) ?? new Set();
  for (const value of values) if (value !== undefined && value !== null && value !== "") known.add(value);
  to.set(kind, known);
}

/** A browser that notes every cookie, form token and code that it sees. */
export class NotingBrowser extends Browser {
  readonly #notes: CanaryNotes;

  constructor(baseUrl: string, notes: CanaryNotes) {
    super(baseUrl);
    this.#notes = notes;
  }

  override async open(path: string, init?: CallInit): Promise<Answer> {
    const answer = await super.open(path, init);
    for (const line of answer.headers.getSetCookie()) {
      const [name = "", value] = (line.split(";", 1)[0] ?? "").split("=");
      // No secret: one of four words about the last form (R-X352).
      if (name === "gatehouse_note") continue;
      const kind = /^gatehouse_(interaction|session|account|device)/.exec(name)?.[1] ?? "other";
      this.#notes.secret(`cookie: ${kind}`, value);
    }
    for (const [, token] of answer.text.matchAll(/name="form_token" value="([^"]+)"/g))
      this.#notes.secret("form token", token);
    const location = new URL(answer.headers.get("location") ?? "none:", "http://none.invalid");
    this.#notes.secret("code", location.searchParams.get("code"));
    if (answer.status >= 400) this.#notes.requestIds.push(answer.headers.get("x-request-id") ?? "");
    return answer;
  }
}
