import type { Sender } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Change } from "#runtime/changes/change.ts";
import { UNKNOWN_PERSON } from "../credentials/passwords.ts";
import type { SignOnTables } from "../tables.ts";
import { networkOf } from "../throttling/network.ts";
import { keptUserAgent, type SignInFailure } from "./sign-in.ts";
import type { SignInRepository } from "./sign-in-repository.ts";

/** Somebody tries to sign in: for which application and instance, or neither for the account, and from where. */
export interface SignInAttempt {
  readonly applicationId: ApplicationId | undefined;
  readonly instanceId: InstanceId | undefined;
  readonly sender: Sender | null;
}

/** Why an attempt failed. The person who made it never learns which (R-S17). */
export type AttemptFailure = SignInFailure | "unknown_person";

/** What is written down of sign-ins: for the person, and in the audit log; both in the change that decides. */
export interface SignIns {
  succeed(change: Change<SignOnTables>, attempt: SignInAttempt, personId: PersonId): Promise<void>;
  /** An unknown person's is written like a known one's, at the same cost, for nobody to see. */
  refuse(
    change: Change<SignOnTables>,
    attempt: SignInAttempt,
    failure: AttemptFailure,
    personId: PersonId | undefined,
    actor: string,
  ): Promise<void>;
  /** That the attempt's address or network must wait from now on. Attempts while it waits leave no entry each: they cost nothing (R-X87). */
  throttle(
    change: Change<SignOnTables>,
    attempt: SignInAttempt,
    wait: { readonly by: "email" | "network" | "device"; readonly seconds: number },
    personId: PersonId | undefined,
    actor: string,
  ): Promise<void>;
}

/** Enough for a person to recognise a place, too little to find a household (R-X86). */
const KEPT_BITS = { ipv4: 24, ipv6: 48 } as const;

export const createSignIns = (repository: SignInRepository): SignIns => ({
  async succeed({ db, at, audit }, attempt, personId) {
    await repository.record(db, { ...kept(attempt), personId, at, outcome: "succeeded", reason: undefined });
    await audit({ actor: personId, action: "signIn.succeed", object: personId, facts: factsOf(attempt) });
  },
  async refuse({ db, at, audit }, attempt, refusal, personId, actor) {
    const reason = refusal === "unknown_person" ? "wrong_password" : refusal;
    await repository.record(db, {
      ...kept(attempt),
      personId: personId ?? UNKNOWN_PERSON,
      at,
      outcome: "failed",
      reason,
    });
    const facts = { ...factsOf(attempt), reason: refusal };
    await audit({ actor, action: "signIn.refuse", object: personId ?? UNKNOWN_PERSON, facts });
  },
  async throttle({ audit }, attempt, wait, personId, actor) {
    const facts = { ...factsOf(attempt), ...wait };
    await audit({ actor, action: "signIn.throttle", object: personId ?? UNKNOWN_PERSON, facts });
  },
});

const kept = ({ applicationId, instanceId, sender }: SignInAttempt) => ({
  applicationId,
  instanceId,
  userAgent: keptUserAgent(sender?.userAgent ?? ""),
  network: networkOf(sender?.networkAddress ?? "", KEPT_BITS),
});

const factsOf = ({ applicationId, instanceId }: SignInAttempt) => ({
  application: applicationId ?? null,
  instance: instanceId ?? null,
});
