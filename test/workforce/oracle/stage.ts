import type { Workforce } from "../workforce-fixture.ts";
import type { Model, ModelAddress, ModelPerson, ModelTenant } from "./model.ts";
import type { ModelEvent } from "./model-events.ts";

/** Numbers that choose: each is taken modulo what there is to choose from, so that every sequence means something. */
export interface Step {
  readonly kind: string;
  readonly picks: readonly number[];
  readonly words: readonly string[];
  readonly flags: readonly boolean[];
  /** Sent twice with one request id. */
  readonly repeated: boolean;
}

/** What a step meant: the call, and what the model says of it. */
export interface Meaning {
  call(requestId: string): Promise<unknown>;
  /** The reason of the refusal, or what becomes of the model; the answer brings new ids. Returns the events. */
  readonly outcome: string | ((answer: never, at: Date) => readonly ModelEvent[]);
}

/** What the steps of one run work with. */
export interface Stage {
  readonly workforce: Workforce;
  readonly model: Model;
  /** Keeps the addresses of one run apart from those of others in the same store. */
  readonly domain: string;
  readonly integrationIds: readonly string[];
}

export const pick = <T>(list: readonly T[], number: number | undefined): T | undefined =>
  list[(number ?? 0) % (list.length || 1)];

export const NO_ADDRESS: ModelAddress = {
  address1: null,
  address2: null,
  city: null,
  isoCountryCode: null,
  postalCode: null,
  zoneCode: null,
};

/** What a kind of step means; `undefined` when there is nothing that it could be about. */
export type Meant = (stage: Stage, step: Step) => Meaning | undefined;

export const withTenant =
  (meant: (stage: Stage, step: Step, tenant: ModelTenant) => Meaning | undefined): Meant =>
  (stage, step) => {
    const tenant = pick(stage.model.tenants, step.picks[0]);
    return tenant && meant(stage, step, tenant);
  };

export const addressOf = ({ domain }: Stage, number: number | undefined): string => `p${(number ?? 0) % 8}@${domain}`;

export const personOf = (model: Model, email: string): ModelPerson | undefined =>
  model.people.find((one) => one.email.toLowerCase() === email.toLowerCase());
