import type { Sender } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Change } from "#runtime/changes/change.ts";
import { UNKNOWN_PERSON } from "../credentials/passwords.ts";
import type { SignOnTables } from "../tables.ts";
import { networkOf } from "../throttling/network.ts";
import { keptUserAgent, type SignInFailure } from "./sign-in.ts";
import type { SignInRepository } from "./sign-in-repository.ts";

/** An attempt to sign in: its application and instance (neither for the account), and where it came from. */
export interface SignInAttempt {
  readonly applicationId: ApplicationId | undefined;
  readonly instanceId: InstanceId | undefined;
  readonly sender: Sender | null;
}

/** Why an attempt failed. The person who made it never learns which (R-S17). */
export type AttemptFailure = SignInFailure | "unknown_person";

/** Records sign-ins for the person and in the audit log; both in the transaction that decides. */
export interface SignIns {
  succeed(change: Change<SignOnTables>, attempt: SignInAttempt, personId: PersonId): Promise<void>;
  /** For an unknown person the same rows are written, at the same cost; no page ever shows them. */
  refuse(
    change: Change<SignOnTables>,
    attempt: SignInAttempt,
    failure: AttemptFailure,
    personId: PersonId | undefined,
    actor: string,
  ): Promise<void>;
  /**
   * Records that the attempt's address or network must wait from now on. Attempts made during the wait are not
   * recorded: they cost nothing (R-X87).
   */
  throttle(
    change: Change<SignOnTables>,
    attempt: SignInAttempt,
    wait: { readonly by: "email" | "network" | "device"; readonly seconds: number },
    personId: PersonId | undefined,
    actor: string,
  ): Promise<void>;
}

/** Lets a person recognise a place without identifying a household (R-X86). */
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
