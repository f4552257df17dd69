import { contractDepartures, type Exchange } from "../support/contract.ts";
import { call } from "../support/http.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import type { Ask } from "./set-up.ts";

/** Where an answer departs from its case: status, headers and schema of the contract, and the code that tells the example. */
export type Departures = readonly string[];

/** Anything will do: the mock looks whether there is a credential, not whether it is right. */
const CREDENTIALS = { apiKey: { "x-api-key": "any" }, accessToken: { authorization: "Bearer any" }, none: {} } as const;

/** The mock: sends what the contract shows, and asks by `Prefer` for the case. */
export async function askMock(one: Case, url: string): Promise<Departures> {
  const { body, path, query } = one.shown;
  const prefer = [`code=${one.status}`, ...(one.example === undefined ? [] : [`example=${one.example}`])].join(", ");
  const answer = await call(url, addressOf(one, path, query), {
    method: one.method,
    headers: { prefer, ...CREDENTIALS[one.shown.credential] },
    ...sent(body),
    contract: "unchecked",
  });
  // The mock lets pages of every origin read its answers; those headers are its own, and only declared ones are judged.
  return departuresOf(one, { ...answer, headers: { get: (name) => answer.headers.get(name) } });
}

const sent = (body: Case["shown"]["body"]) => {
  if (body === undefined) return {};
  return body.type === "application/json" ? { json: body.value } : { form: body.value as Record<string, string> };
};

/** The product, over plain HTTP. */
export async function askServer(one: Case, ask: Ask, { urls }: Installations): Promise<Departures> {
  await ask.first?.();
  const headers: Record<string, string> = {
    ...ask.headers,
    ...(ask.apiKey === undefined ? {} : { "x-api-key": ask.apiKey }),
    ...(ask.accessToken === undefined ? {} : { authorization: `Bearer ${ask.accessToken}` }),
    ...(ask.basic === undefined ? {} : { authorization: `Basic ${btoa(`${ask.basic.id}:${ask.basic.secret}`)}` }),
  };
  const answer = await call(urls[ask.at ?? "whole"], addressOf(one, ask.path ?? {}, ask.query ?? {}), {
    method: one.method,
    headers,
    contract: "unchecked",
    ...(ask.json === undefined ? {} : { json: ask.json }),
    ...(ask.form === undefined ? {} : { form: ask.form }),
    ...(ask.body === undefined ? {} : { body: ask.body }),
  });
  return departuresOf(one, answer);
}

/** The path of a case with these values, and its query. */
export const addressOf = (
  { path }: Case,
  values: Readonly<Record<string, string>>,
  query: Readonly<Record<string, string>>,
): string => {
  const search = new URLSearchParams(query).toString();
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
  return search === "" ? filled : `${filled}?${search}`;
};

/** What every subject's answer is held to. */
export function departuresOf(
  one: Case,
  { status, headers, text }: Pick<Exchange, "status" | "headers" | "text">,
): Departures {
  if (status !== one.status) return [`status ${status}: ${text.slice(0, 200)}`];
  const departures = contractDepartures({
    method: one.method,
    url: one.path.replaceAll(/[{}]/g, ""),
    status,
    headers,
    text,
  });
  const said = one.code === undefined ? undefined : codeIn(text);
  return said === one.code ? departures : [...departures, `the answer says ${said}, not ${one.code}`];
}

const codeIn = (text: string): string | undefined => {
  const { code, error } = JSON.parse(text) as { readonly code?: string; readonly error?: string };
  return code ?? error;
};
