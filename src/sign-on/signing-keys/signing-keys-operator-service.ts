import {
  type ListSigningKeysRequest,
  type ListSigningKeysResponse,
  type RevokeSigningKeyRequest,
  type RevokeSigningKeyResponse,
  RotateSigningKeysRequest,
  RotateSigningKeysResponse,
  type SigningKey,
  SigningKeyState as StateMessage,
} from "#generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { failedPrecondition, invalidArgument, notFound, unavailable } from "#runtime/basis/errors.ts";
import { hasAtMost } from "#runtime/basis/text.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { openedIfPossible } from "#runtime/sealing/sealing.ts";
import type { SignOnTables } from "../tables.ts";
import { isLost, type KeyRotationDeps, retiresAt, StepLost, signsFrom } from "./key-rotation-service.ts";
import { type KeySchedule, replacementPossibleAt } from "./key-schedule.ts";
import { asActive, asNext, newSigningKey } from "./new-signing-keys-service.ts";
import { sealedRow } from "./sealed-private-keys.ts";
import type { SigningAlgorithm, StoredSigningKey } from "./signing-key-repository.ts";
import { SIGNING_KEYS_CHANNEL } from "./signing-keys.ts";

/** Every key with its times. Without retired ones unless asked for. */
export const listSigningKeys =
  ({ repository, schedule }: KeyRotationDeps) =>
  async ({ retired }: ListSigningKeysRequest): Promise<ListSigningKeysResponse> => {
    const keys = retired ? await repository.listAll() : await repository.listUsable();
    return { keys: keys.map((key) => toSigningKeyMessage(key, schedule, keys)) };
  };

/**
 * Lets the next key sign, of one algorithm or of all; one that was not published long enough does so by itself as soon as it was (R-X103).
 * @throws INVALID_ARGUMENT for another algorithm; FAILED_PRECONDITION (signing_key_unopened).
 */
export const rotateSigningKeys =
  (deps: KeyRotationDeps) =>
  (request: RotateSigningKeysRequest, call: Call): Promise<RotateSigningKeysResponse> => {
    const algorithms = deps.algorithms.filter((one) => (request.algorithm ?? one) === one);
    if (algorithms.length === 0)
      throw invalidArgument([{ field: "algorithm", reason: `must be ${deps.algorithms.join(" or ")}` }]);
    const repeat = {
      requestId: request.requestId,
      caller: call.peer,
      method: call.path,
      content: RotateSigningKeysRequest.encode(request).finish(),
      answer: RotateSigningKeysResponse,
    };
    return untilWon(() =>
      deps.changes.run(
        async (change) => {
          for (const algorithm of algorithms) await rotate(deps, change, algorithm, call);
          change.wakeAfter(SIGNING_KEYS_CHANNEL);
          const keys = (await deps.repository.listUsable(change.db)).filter((key) =>
            algorithms.includes(key.algorithm),
          );
          return {
            keys: keys.map((key) => toSigningKeyMessage(key, deps.schedule, keys)),
            retiringSeconds: deps.schedule.publishedAfterMs / 1_000,
          };
        },
        { requestId: call.requestId, repeat },
      ),
    );
  };

async function rotate(
  { repository, schedule, sealer }: KeyRotationDeps,
  { db, at, audit }: Change<SignOnTables>,
  algorithm: SigningAlgorithm,
  { actor }: Call,
): Promise<void> {
  const keys = (await repository.listUsable(db)).filter((key) => key.algorithm === algorithm);
  const active = keys.find(({ state }) => state === "active");
  const next = keys.find(({ state }) => state === "next");
  // Before its first key the loop does what is needed.
  if (active === undefined) return;
  if (next === undefined || next.signsFrom > at) {
    if (await repository.askRotation(db, active.keyId, at))
      await audit({ actor, action: "signingKey.askRotation", object: active.keyId });
    return;
  }
  if (!opens(sealer, next))
    throw failedPrecondition(
      "signing_key_unopened",
      `No master key here opens the next key ${next.keyId}. Add the key that sealed it to master-keys; or revoke it, and another one follows.`,
    );
  if (!(await repository.beginRetiring(db, active.keyId, retiresAt(schedule, at)))) throw new StepLost();
  if (!(await repository.activate(db, next.keyId, at))) throw new StepLost();
  await audit({ actor, action: "signingKey.activate", object: next.keyId, facts: { replaces: active.keyId } });
}

/** Whether this process could sign with a key. */
const opens = (sealer: KeyRotationDeps["sealer"], { keyId, sealedPrivateKey }: StoredSigningKey): boolean =>
  openedIfPossible(sealer, sealedPrivateKey, sealedRow(keyId)) !== undefined;

const EMERGENCY_LENGTH_MAX = 200;

/**
 * Retires a key now, whatever state it is in; of an active one the successor signs at once, known to relying parties or not (R-X104). A key
 * that is retired already is answered as it is.
 * @throws NOT_FOUND; INVALID_ARGUMENT; FAILED_PRECONDITION (signing_key_in_use).
 */
export const revokeSigningKey =
  (deps: KeyRotationDeps) =>
  async ({ keyId, emergency = null }: RevokeSigningKeyRequest, call: Call): Promise<RevokeSigningKeyResponse> => {
    if (emergency !== null && !isReason(emergency))
      throw invalidArgument([
        {
          field: "emergency",
          reason: `must have 1 to ${EMERGENCY_LENGTH_MAX} characters, none of them a control character`,
        },
      ]);
    return untilWon(async () => {
      const key = await deps.repository.find(keyId);
      if (key === undefined) throw notFound("signing_key_not_found", "There is no signing key with this id.");
      if (emergency === null && (key.state === "active" || key.state === "retiring"))
        throw failedPrecondition(
          "signing_key_in_use",
          "Tokens that are still good may be signed with this key. Rotate it and let it retire; if it leaked, revoke it as an emergency (--emergency).",
        );
      // A successor is ready already, or the spare becomes one and takes the free place.
      const spare = key.state === "active" ? await newSigningKey(key.algorithm, deps.sealer) : undefined;
      const successor = await deps.changes.run(
        async (change) => {
          if (key.state === "retired") return undefined;
          await retireNow(deps, change, key, emergency, call);
          change.wakeAfter(SIGNING_KEYS_CHANNEL);
          return spare === undefined ? undefined : succeed(deps, change, spare, call);
        },
        { requestId: call.requestId },
      );
      const keys = await deps.repository.listAll();
      const messageOf = (id: string | undefined) => {
        const found = keys.find((one) => one.keyId === id);
        return found === undefined ? null : toSigningKeyMessage(found, deps.schedule, keys);
      };
      return { key: messageOf(keyId), successor: messageOf(successor) };
    });
  };

async function retireNow(
  { repository }: KeyRotationDeps,
  { db, at, audit }: Change<SignOnTables>,
  { keyId, state }: StoredSigningKey,
  emergency: string | null,
  { actor }: Call,
): Promise<void> {
  const because = emergency?.trim() ?? "not wanted";
  if (!(await repository.revoke(db, keyId, state, at, because))) throw new StepLost();
  await audit({
    actor,
    action: "signingKey.revoke",
    object: keyId,
    facts: { was: state, emergency: emergency !== null, because },
  });
}

/** Fills the place of the active key, and returns whose it is now. A next key that cannot be opened gives way. */
async function succeed(
  { repository, schedule, sealer }: KeyRotationDeps,
  { db, at, audit }: Change<SignOnTables>,
  spare: Awaited<ReturnType<typeof newSigningKey>>,
  { actor }: Call,
): Promise<string> {
  const next = (await repository.listUsable(db)).find(
    ({ state, algorithm }) => state === "next" && algorithm === spare.algorithm,
  );
  const ready = next !== undefined && opens(sealer, next) ? next : undefined;
  if (next !== undefined && ready === undefined) {
    const because = "no master key opens it";
    if (!(await repository.revoke(db, next.keyId, "next", at, because))) throw new StepLost();
    const facts = { was: "next", emergency: false, because };
    await audit({ actor, action: "signingKey.revoke", object: next.keyId, facts });
  }
  if (ready === undefined) {
    await repository.create(db, asActive(spare, at));
    await audit({ actor, action: "signingKey.create", object: spare.keyId, facts: { state: "active" } });
    return spare.keyId;
  }
  if (!(await repository.activate(db, ready.keyId, at, { early: true }))) throw new StepLost();
  await audit({ actor, action: "signingKey.activate", object: ready.keyId, facts: { replaces: null } });
  await repository.create(db, asNext(spare, at, signsFrom(schedule, at)));
  await audit({ actor, action: "signingKey.create", object: spare.keyId, facts: { state: "next" } });
  return ready.keyId;
}

const isReason = (text: string): boolean =>
  text.trim() !== "" && hasAtMost(text, EMERGENCY_LENGTH_MAX) && !/\p{Cc}/u.test(text);

const TRIES = 5;

/** Again from the start when a loop or another operator was faster: what is to be done follows from how the keys then are. */
async function untilWon<T>(attempt: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await attempt();
    } catch (error) {
      if (!isLost(error)) throw error;
      if (tried === TRIES) throw unavailable("The signing keys keep changing.", { cause: error });
    }
  }
}

/**
 * A key as operators see it: never its private half, and its times as far as its state gives them a meaning. `among` are the keys that are in
 * use.
 */
const toSigningKeyMessage = (
  key: StoredSigningKey,
  schedule: KeySchedule,
  among: readonly StoredSigningKey[],
): SigningKey => ({
  keyId: key.keyId,
  algorithm: key.algorithm,
  state: valueOfLower(StateMessage, key.state),
  createdAt: key.createdAt,
  signsFrom: key.signsFrom,
  activatedAt: key.activatedAt ?? null,
  replacedAt: (key.state === "active" ? replacementPossibleAt(key, schedule, among) : undefined) ?? null,
  retiresAt: (key.state === "retiring" ? key.retiresAt : undefined) ?? null,
  retiredAt: key.retiredAt ?? null,
  revokedBecause: key.revokedBecause ?? null,
  rotationAskedAt: (key.state === "active" ? key.rotationAskedAt : undefined) ?? null,
});
