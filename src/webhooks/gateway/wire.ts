import type { components } from "#generated/types/gateway.ts";

/** Bodies as the contract has them. */
export type Wire = components["schemas"];

/** @throws Error for a part that our own services always send. */
export function present<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("Services left out a part of an answer.");
  return value;
}

/** A member that is absent when there is nothing. */
export const optional = <Name extends string, Value>(
  name: Name,
  value: Value | null | undefined,
): { readonly [N in Name]?: Value } =>
  (value === null || value === undefined || value === "" ? {} : { [name]: value }) as { readonly [N in Name]?: Value };

/** An instant as the contract has it, with milliseconds. */
export const toInstant = (instant: Date | null | undefined): string => present(instant).toISOString();
