import type { Closer } from "../support/scope.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import { type Recorder, type Seen, startRecorder } from "./recorder.ts";
import { type CallerAnswer, type Command, type Driver, startDriver } from "./sdk-driver.ts";
import type { Ask } from "./set-up.ts";
import { type Departures, departuresOf } from "./subjects.ts";

/** An SDK against the product: what came over the wire, and what the caller got of it. */
export interface SdkSubject {
  ask(one: Case, ask: Ask): Promise<Departures>;
}

export async function startSdkSubject(
  closeLater: (closer: Closer) => void,
  command: Command,
  { urls }: Installations,
): Promise<SdkSubject> {
  const driver = startDriver(closeLater, command);
  const recorders: Readonly<Record<keyof typeof urls, Recorder>> = {
    whole: await startRecorder(closeLater, urls.whole),
    failing: await startRecorder(closeLater, urls.failing),
    unreachable: await startRecorder(closeLater, urls.unreachable),
  };
  return { ask: (one, ask) => askSdk(driver, recorders[ask.at ?? "whole"], one, ask) };
}

async function askSdk(driver: Driver, recorder: Recorder, one: Case, ask: Ask): Promise<Departures> {
  await ask.first?.();
  recorder.begin();
  const got = await driver.ask({
    baseUrl: recorder.url,
    operationId: one.operationId,
    parameters: { ...ask.path, ...ask.query },
    body: ask.json ?? null,
    apiKey: ask.apiKey ?? null,
    basic: ask.basic === undefined ? null : { username: ask.basic.id, password: ask.basic.secret },
    bearer: ask.accessToken ?? null,
    headers: ask.headers ?? {},
  });
  const [seen, ...further] = recorder.seen();
  if (seen === undefined) return [`nothing was sent: ${JSON.stringify(got)}`];
  const repeated = further.length === 0 ? [] : [`it was sent ${further.length + 1} times`];
  return [...repeated, ...departuresOf(one, seen), ...callerDepartures(one, seen, got)];
}

/** Where that which the caller got departs from what was on the wire. */
function callerDepartures(one: Case, seen: Seen, got: CallerAnswer): Departures {
  if (one.status < 300) {
    const sent = JSON.stringify(plain(JSON.parse(seen.text === "" ? "null" : seen.text)));
    const given = JSON.stringify(plain(got.body ?? null));
    // What went wrong has no body, like a success without one.
    const wrong = got.error ?? got.refused ?? got.unsupported;
    return wrong === undefined && given === sent
      ? []
      : [`the caller got ${wrong === undefined ? given : JSON.stringify(wrong)}, not ${sent}`];
  }
  const { status, code, requestId } = got.error ?? {};
  const expected = {
    status: one.status,
    code: one.code ?? "not_modified",
    requestId: seen.headers.get("x-request-id"),
  };
  return JSON.stringify({ status, code, requestId }) === JSON.stringify(expected)
    ? []
    : [`the caller got ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** Equal for values that mean the same: members sorted and without those that are null, instants in one spelling. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "string") return INSTANT.test(value) ? new Date(value).toISOString() : value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).filter(([, member]) => member !== null && member !== undefined);
  return Object.fromEntries(
    members.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, member]) => [name, plain(member)]),
  );
}
