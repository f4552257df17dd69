import { type Command, Option } from "commander";
import {
  type RotateSigningKeysResponse,
  type SigningKey,
  SigningKeyState,
} from "#generated/proto/gatehouse/sign_on/v1/signing_keys.ts";
import { present } from "../connection/answers.ts";
import type { Verb } from "../connection/verb.ts";
import { requestIdOption } from "../input/flags.ts";
import { run } from "../output/advice.ts";
import type { Facts } from "../output/card.ts";
import { enumWord } from "../output/enum-word.ts";
import { toJsonInstant, toShownInstant, toTimeSpan } from "../output/instant.ts";
import { many, one } from "../output/outcome.ts";

/** `gatehouse signing-keys …` */
export function addSigningKeys(program: Command, verb: Verb): void {
  const noun = program.command("signing-keys").summary("keys that sign ID tokens and access tokens");

  noun
    .command("list")
    .summary("list the keys and when each changes its state, oldest first")
    .option("--retired", "retired keys too")
    .action(
      verb<{ retired?: boolean }>(async ({ signingKeys, call }, { retired = false }) => {
        const { keys } = await signingKeys.listSigningKeys({ retired }, call);
        return many({ signingKeys: keys.map(toSigningKeyJson) }, keys, COLUMNS, {
          ifNone: { said: "There are no signing keys." },
        });
      }),
    );

  noun
    .command("rotate")
    .summary("let the next keys sign, at once or as soon as they have been published long enough")
    .addOption(new Option("--algorithm <name>", "RS256 or ES256 (default: both)").choices(["RS256", "ES256"]))
    .addOption(requestIdOption())
    .action(
      verb<{ algorithm?: string }>(
        async ({ signingKeys, requestId, call }, { algorithm }) => {
          const answer = await signingKeys.rotateSigningKeys({ algorithm: algorithm ?? null, requestId }, call);
          const { keys } = answer;
          return many({ signingKeys: keys.map(toSigningKeyJson) }, keys, COLUMNS, {
            said: rotated(answer),
            next: run`gatehouse signing-keys list`,
            ifNone: { said: "There are no signing keys." },
          });
        },
        { algorithm: "--algorithm" },
      ),
    );

  noun
    .command("revoke")
    .summary(
      "retire a key now: its signatures are refused here at once, elsewhere when copies of the public keys expire",
    )
    .argument("<key-id>", "as `gatehouse signing-keys list` shows it")
    .option("--emergency <words>", "required for a key that has signed: what has happened, for the audit log")
    .action(
      verb<{ emergency?: string }>(
        async ({ signingKeys, call }, { emergency }, keyId = "") => {
          const request = { keyId, emergency: emergency ?? null };
          const { keys: before } = await signingKeys.listSigningKeys({ retired: true }, call);
          const { key, successor } = await signingKeys.revokeSigningKey(request, call);
          const revoked = present(key);
          const json = { ...toSigningKeyJson(revoked), successor: successor ? toSigningKeyJson(successor) : null };
          return one(json, [...factsOf(revoked), ["successor", successor?.keyId ?? null]], {
            said: successor ? SUCCEEDED : before.some(isRetired(keyId)) ? WAS_RETIRED : "The key is retired.",
            next: run`gatehouse signing-keys list`,
          });
        },
        { key_id: "<key-id>", emergency: "--emergency" },
      ),
    );
}

const SUCCEEDED =
  "The key is retired and its successor signs. Applications that cached the public keys may accept its signatures for as long as they cache them: see docs/operations/signing-keys.md.";
/** In an emergency somebody may have given the id of another key than the one that leaked. */
const WAS_RETIRED = "The key was retired already; nothing was changed, and the audit log has no new entry.";

const isRetired =
  (keyId: string) =>
  (key: SigningKey): boolean =>
    key.keyId === keyId && key.state === SigningKeyState.RETIRED;

/** When the old keys stop signing, and when they stop being accepted. */
function rotated({ keys, retiringSeconds }: RotateSigningKeysResponse): string {
  const waits = keys.some(({ rotationAskedAt }) => rotationAskedAt);
  const kept = toShownInstant(latest(keys.map(({ retiresAt }) => retiresAt)));
  if (!waits)
    return `The next keys sign from now on; the previous ones sign no more, and remain published and accepted${kept === null ? " until their tokens have expired" : ` until ${kept}`}.`;
  const signsFrom = latest(keys.filter(({ state }) => state === SigningKeyState.NEXT).map((key) => key.signsFrom));
  const accepted =
    typeof retiringSeconds === "number" ? `for ${toTimeSpan(retiringSeconds)} more` : "until their tokens have expired";
  return `A next key has not been published long enough; it will sign as soon as it has been${signsFrom === undefined ? "" : `: from ${toShownInstant(signsFrom)}`}. Until then the old key signs; after that its signatures are accepted ${accepted}.`;
}

const latest = (instants: readonly (Date | null)[]): Date | undefined =>
  instants.filter((at) => at !== null).toSorted((one, other) => other.getTime() - one.getTime())[0];

const ACTIVE = SigningKeyState.ACTIVE;

/** `next`, `active`, `retiring` or `retired`. */
const stateOf = ({ state }: SigningKey): string => enumWord(SigningKeyState, state);

/** The key's next change, or its latest one. */
const newsOf = (key: SigningKey): string => {
  if (key.retiredAt)
    return `retired ${toShownInstant(key.retiredAt)}${key.revokedBecause ? `: ${key.revokedBecause}` : ""}`;
  if (key.retiresAt) return `leaves ${toShownInstant(key.retiresAt)}`;
  if (key.state !== ACTIVE) return `may sign from ${toShownInstant(key.signsFrom)}`;
  return key.replacedAt ? `is replaced ${toShownInstant(key.replacedAt)}` : "is replaced by hand";
};

const COLUMNS = [
  { heading: "key id", cell: ({ keyId }: SigningKey) => keyId },
  { heading: "algorithm", cell: ({ algorithm }: SigningKey) => algorithm },
  { heading: "state", cell: stateOf },
  { heading: "created", cell: ({ createdAt }: SigningKey) => toShownInstant(createdAt) },
  { heading: "signing since", cell: ({ activatedAt }: SigningKey) => toShownInstant(activatedAt) ?? "never" },
  { heading: "then", cell: newsOf },
];

const toSigningKeyJson = (key: SigningKey) => ({
  keyId: key.keyId,
  algorithm: key.algorithm,
  state: stateOf(key),
  createdAt: toJsonInstant(key.createdAt),
  signsFrom: toJsonInstant(key.signsFrom),
  activatedAt: toJsonInstant(key.activatedAt),
  replacedAt: toJsonInstant(key.replacedAt),
  retiresAt: toJsonInstant(key.retiresAt),
  retiredAt: toJsonInstant(key.retiredAt),
  revokedBecause: key.revokedBecause ?? null,
  rotationAskedAt: toJsonInstant(key.rotationAskedAt),
});

const factsOf = (key: SigningKey): Facts => [
  ["key id", key.keyId],
  ["algorithm", key.algorithm],
  ["state", stateOf(key)],
  ["then", newsOf(key)],
];
