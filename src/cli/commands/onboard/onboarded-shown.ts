import { type Advice, leadingTo } from "../../output/advice.ts";
import type { Facts } from "../../output/card.ts";
import type { HandOverValues } from "./hand-over-file.ts";
import type { Wanted } from "./wanted.ts";

/** Why something that was there before does nothing, and what makes it active. */
export interface Inactive {
  /** Its state: disabled, paused or pending. */
  readonly state: string;
  /** What follows from its state, and the command that ends it. */
  readonly cure: Advice;
}

/** One thing that was made now, or was there. */
export interface OnboardedPart {
  readonly id: string;
  readonly made: boolean;
  /** Of something that was there before: how to get another secret. */
  readonly remedy?: Advice;
  /** Of something that was there before and does nothing now. */
  readonly inactive?: Inactive;
  /** Of an API key. */
  readonly scopes?: readonly string[];
}

export type PartName = "integration" | "instance integration" | "API key" | "application" | "subscription";

/** What an onboarding has come to so far. */
export interface Onboarded {
  readonly wanted: Pick<Wanted, "name" | "instance" | "handOver">;
  /** In the order in which they were made. */
  readonly parts: ReadonlyMap<PartName, OnboardedPart>;
  readonly hasFile: boolean;
  /** Values that are not in the file, for all that is known. */
  readonly unsaved: HandOverValues;
}

/** For people. */
export const onboardedFacts = ({ wanted, parts, hasFile, unsaved }: Onboarded): Facts => [
  ["name", wanted.name],
  ["instance", wanted.instance.name],
  ...[...parts].flatMap(([part, { id, made, remedy, inactive, scopes }]) => [
    [part, `${id} (${made ? "made" : "was there"})`] as const,
    ...(scopes === undefined ? [] : [["", `its scopes: ${scopes.join(" ")}`] as const]),
    ...(inactive === undefined ? [] : [["", inactive.cure] as const]),
    ...(remedy === undefined ? [] : [["", anotherSecret(remedy)] as const]),
  ]),
  ...(hasFile ? [["file", wanted.handOver] as const] : []),
  ...Object.entries(unsaved),
];

const anotherSecret = (remedy: Advice): Advice =>
  typeof remedy === "string" ? `${SHOWN_BEFORE} ${remedy}` : leadingTo(SHOWN_BEFORE, remedy);

const SHOWN_BEFORE = "its secret was shown before; for another one:";

/** For `--json`; `complete` is false when a step failed. */
export function onboardedJson({ wanted, parts, unsaved }: Onboarded, complete: boolean) {
  const part = (name: PartName) => {
    const found = parts.get(name);
    return found === undefined
      ? null
      : {
          id: found.id,
          made: found.made,
          ...(found.scopes && { scopes: found.scopes }),
          ...(found.inactive && { state: found.inactive.state }),
        };
  };
  return {
    name: wanted.name,
    complete,
    integration: part("integration"),
    instanceIntegration: part("instance integration"),
    apiKey: part("API key"),
    application: part("application"),
    subscription: part("subscription"),
    handOver: wanted.handOver ?? null,
    values: unsaved,
  };
}
