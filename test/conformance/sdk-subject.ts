import * as sdk from "../../generated/sdk/typescript/dist/gatehouse.js";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import type { Ask } from "./set-up.ts";
import { type Departures, departuresOf } from "./subjects.ts";

type Raw = (parameters: object, init: () => Promise<object>) => Promise<{ value(): Promise<unknown> }>;

/** The SDK in TypeScript against the product: what came over the wire, and what the caller got of it. */
export async function askSdk(one: Case, ask: Ask, { urls }: Installations): Promise<Departures> {
  await ask.first?.();
  let seen: { status: number; headers: Headers; text: string } | undefined;
  const fetchAndKeep: typeof fetch = async (url, init) => {
    const response = await fetch(url, { ...init, redirect: "manual" });
    seen = { status: response.status, headers: response.headers, text: await response.clone().text() };
    return response;
  };
  const { gateway, signOn } = sdk.gatehouse({
    url: urls[ask.at ?? "whole"],
    fetch: fetchAndKeep,
    ...(ask.apiKey === undefined ? {} : { apiKey: ask.apiKey }),
    ...(ask.accessToken === undefined ? {} : { accessToken: ask.accessToken }),
    ...(ask.basic === undefined ? {} : { application: ask.basic }),
  });
  const api = (one.api === "Gateway" ? gateway : signOn) as unknown as Readonly<Record<string, Raw>>;
  const operation = api[`${one.operationId}Raw`]?.bind(api);
  if (operation === undefined) return [`the SDK has no ${one.operationId}`];
  const parameters = {
    ...ask.path,
    ...ask.query,
    ...(ask.headers?.["if-none-match"] === undefined ? {} : { ifNoneMatch: ask.headers["if-none-match"] }),
    ...(ask.json === undefined ? {} : { tokenRequest: sdk.TokenRequestFromJSON(ask.json) }),
  };
  // An operation without parameters takes what overrides the request in their place.
  const outcome = await outcomeOf(
    Object.keys(parameters).length === 0 && one.api === "SignOn"
      ? operation({} as never, noOverride)
      : operation(parameters, noOverride),
  );
  if (seen === undefined) return [`nothing was sent: ${outcome.said}`];
  return [
    ...departuresOf(one, seen),
    ...(outcome.said === expected(one) ? [] : [`the caller got ${outcome.said}, not ${expected(one)}`]),
  ];
}

const noOverride = async () => ({});

/** What a caller should get, in words. */
function expected({ status, api, code }: Case): string {
  if (status < 300) return "a value";
  if (code === undefined) return `GatehouseFailure ${status}`;
  return `${api === "Gateway" ? "GatewayProblem" : "SignOnRefusal"} ${status} ${code}`;
}

async function outcomeOf(reply: Promise<{ value(): Promise<unknown> }>): Promise<{ readonly said: string }> {
  try {
    const value = await (await reply).value();
    return { said: value === undefined || value === null ? "nothing" : "a value" };
  } catch (error) {
    if (error instanceof sdk.GatewayProblem) return { said: `GatewayProblem ${error.status} ${error.problem.code}` };
    if (error instanceof sdk.SignOnRefusal) return { said: `SignOnRefusal ${error.status} ${error.refusal.error}` };
    if (error instanceof sdk.GatehouseFailure) return { said: `GatehouseFailure ${error.status}` };
    return { said: String(error) };
  }
}
