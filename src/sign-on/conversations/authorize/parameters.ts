import type { Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import { hasAtMost } from "#runtime/basis/text.ts";
import { AUTHORIZATION_PARAMETERS } from "../../authorization-parameters.ts";
import { refuse } from "../../refusals/refused.ts";

/** Parameters as sent: name to all values. */
export type Parameters = ReadonlyMap<string, readonly string[]>;

type ParameterName = (typeof AUTHORIZATION_PARAMETERS)[number];

/** In characters, far above any legitimate value (R-X12). */
const LENGTH_MAX = 2_048;
/** An ID token and a JSON document may be longer. */
const LONGER: Partial<Readonly<Record<ParameterName, number>>> = { id_token_hint: 65_536, claims: 8_192 };

declare const once: unique symbol;
declare const bounded: unique symbol;

/** Parameters in which each known one is present at most once. */
export type OnceParameters = Parameters & { readonly [once]: true };

/** Parameters in which each known one is present at most once and short enough. */
export type BoundedParameters = OnceParameters & { readonly [bounded]: true };

/** @param sent in order, repeated ones included. */
export function collectParameters(sent: readonly Parameter[]): Parameters {
  const parameters = new Map<string, string[]>();
  for (const { name, value } of sent) {
    const values = parameters.get(name);
    if (values === undefined) parameters.set(name, [value]);
    else values.push(value);
  }
  return parameters;
}

/** The value of a parameter that was sent exactly once. */
export const single = (parameters: Parameters, name: ParameterName): string | undefined => {
  const values = parameters.get(name) ?? [];
  return values.length === 1 ? values[0] : undefined;
};

/** True for a parameter that was not sent, or was sent without a value. */
export const isMissing = (parameters: Parameters, name: ParameterName): boolean => {
  const values = parameters.get(name) ?? [];
  return values.length === 0 || (values.length === 1 && values[0] === "");
};

export const isRepeated = (parameters: Parameters, name: ParameterName): boolean =>
  (parameters.get(name)?.length ?? 0) > 1;

/** A parameter's value; one sent without a value counts as absent (RFC 6749 §3.1). */
export const sentValue = (parameters: OnceParameters, name: ParameterName): string | undefined =>
  parameters.get(name)?.[0] || undefined;

/** @throws Refused invalid_request when a known parameter is repeated. */
export function withoutRepeats(parameters: Parameters): OnceParameters {
  const repeated = AUTHORIZATION_PARAMETERS.find((name) => isRepeated(parameters, name));
  if (repeated !== undefined) throw refuse("parameter.repeated", { name: repeated });
  return parameters as OnceParameters;
}

/** @throws Refused invalid_request when a known parameter is too long. */
export function withinBounds(parameters: OnceParameters): BoundedParameters {
  const long = AUTHORIZATION_PARAMETERS.find(
    (name) => !hasAtMost(sentValue(parameters, name) ?? "", LONGER[name] ?? LENGTH_MAX),
  );
  if (long !== undefined) throw refuse("parameter.too_long", { name: long, most: LONGER[long] ?? LENGTH_MAX });
  return parameters as BoundedParameters;
}
