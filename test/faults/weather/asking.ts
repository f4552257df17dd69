import { Browser } from "../../support/browser.ts";
import { contractDepartures } from "../../support/contract.ts";
import { type Answer, type CallInit, call } from "../../support/http.ts";
import type { Fleet } from "./fleet.ts";
import type { Ledger } from "./ledger.ts";

/** Longer than any fault of the run but a network that is silent for a minute, and longer than any deadline of the product. */
const ANSWER_MS_MAX = 45_000;

/** The product asked to try again later (503), or no answer arrived: what was asked may have been done or not. */
export class Unanswered extends Error {
  override readonly name = "Unanswered";
}

export interface Asking {
  /** HTTP addresses of the edges, one of each site. */
  readonly urls: readonly string[];
  readonly fleet: Fleet;
  readonly ledger: Ledger;
}

/**
 * One request to the edge of a site. The answer is counted and held against the contract; what it breaks becomes an incident.
 * @throws Unanswered for 503, 408 and no answer.
 */
export async function ask(asking: Asking, site: number, path: string, init: CallInit = {}): Promise<Answer> {
  return judged(asking, site, path, init, () => call(urlOf(asking, site), path, { ...init, contract: "unchecked" }));
}

const urlOf = ({ urls }: Asking, site: number): string => urls[site % urls.length] ?? "";

async function judged(
  { fleet, ledger }: Asking,
  site: number,
  path: string,
  init: CallInit,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const method = init.method ?? (init.form === undefined && init.json === undefined ? "GET" : "POST");
  const kind = `${method} ${kindOf(path)}`;
  const askedAt = Date.now();
  let answer: Answer;
  try {
    answer = await withinLimit(send());
  } catch (error) {
    const how = (error as NodeJS.ErrnoException).code ?? (error as Error).message;
    ledger.answered(kind, how);
    if (!fleet.disturbedSince(site, askedAt))
      ledger.incident(`${kind}: ${how}, while no process of the site was disturbed`);
    throw new Unanswered(how);
  }
  const { status, headers, text } = answer;
  ledger.answered(kind, String(status));
  const departures = contractDepartures({ method, url: path, status, headers, text });
  if (departures.length > 0) ledger.incident(`${kind} → ${status}: ${departures.join("; ")} ${text.slice(0, 200)}`);
  if (status >= 500 && status !== 503) ledger.incident(`${kind} → ${status}: ${text.slice(0, 200)}`);
  if (status === 503 && headers.get("retry-after") === null) ledger.incident(`${kind} → 503 without retry-after`);
  // 408: the process was stopped for so long that the request, though sent, had not arrived in time.
  if (status >= 500 || status === 408) throw new Unanswered(String(status));
  return answer;
}

function withinLimit<T>(asked: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`no answer in ${ANSWER_MS_MAX / 1000} s`)), ANSWER_MS_MAX);
  asked.catch(() => undefined);
  return Promise.race([asked, late.promise]).finally(() => clearTimeout(timer));
}

/** A path without query and ids, so that a report has few rows. */
const kindOf = (path: string): string =>
  (path.split("?")[0] ?? "").replaceAll(/\/[a-z]+_[\w-]{15,}/g, "/…").replace("/instance-integrations", "");

/** A browser whose every answer is judged like any other. */
export class JudgedBrowser extends Browser {
  readonly #asking: Asking;
  readonly #site: number;

  constructor(asking: Asking, site: number) {
    super(urlOf(asking, site));
    this.#asking = asking;
    this.#site = site;
  }

  override open(path: string, init: CallInit = {}): Promise<Answer> {
    const send = () => super.open(path, { ...init, contract: "unchecked" });
    return judged(this.#asking, this.#site, path, init, send);
  }
}
