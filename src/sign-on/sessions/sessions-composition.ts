import type { Clock } from "#runtime/basis/clock.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { CodeExpiryRepository } from "../authorization-codes/code-expiry-repository.ts";
import type { FamilyRevocationRepository } from "../refresh-tokens/family-revocation-repository.ts";
import type { TokenFamilyRepository } from "../refresh-tokens/token-family-repository.ts";
import type { SignOnSettings } from "../settings.ts";
import type { SessionRepository } from "./session-repository.ts";
import { createSessions, type SessionLimits, type Sessions } from "./sessions.ts";
import { createSignOuts, type SignOuts } from "./sign-out-service.ts";

interface SessionsCompositionDeps {
  readonly sessionRepository: SessionRepository;
  readonly codeExpiry: CodeExpiryRepository;
  readonly families: TokenFamilyRepository;
  readonly revocations: FamilyRevocationRepository;
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: SignOnSettings;
}

interface SessionsComposition {
  readonly limits: SessionLimits;
  readonly sessions: Sessions;
  readonly signOuts: SignOuts;
}

/** Sessions, how long they last, and the one place that ends them. */
export function composeSessions(deps: SessionsCompositionDeps): SessionsComposition {
  const { sessionRepository, codeExpiry, families, revocations, clock, random, settings } = deps;
  const limits = {
    idleMinutes: settings["session-idle-minutes"],
    absoluteMinutes: settings["session-absolute-minutes"],
  };
  return {
    limits,
    sessions: createSessions(sessionRepository, limits, { clock, random }),
    signOuts: createSignOuts({ sessions: sessionRepository, codeExpiry, families, revocations }),
  };
}
