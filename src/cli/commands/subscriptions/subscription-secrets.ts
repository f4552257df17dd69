import { type Command, Option } from "commander";
import { type SecretInfo, SecretKind } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { parseDuration, parseWholeNumber } from "../../input/flags.ts";
import { subscriptionId } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { type Advice, leadingTo, run } from "../../output/advice.ts";
import type { FieldFlags } from "../../output/failed-call.ts";
import { toShownInstant } from "../../output/instant.ts";
import { many } from "../../output/outcome.ts";
import { readSecret } from "./subscription-files.ts";
import { SUBSCRIPTION, SUBSCRIPTION_FIELDS, shownSubscription, signsAs, toSecretJson } from "./subscription-shown.ts";

interface RotateOptions {
  readonly overlap?: number;
  readonly secretFile?: string;
  readonly asymmetric?: boolean;
}

const FIELDS: FieldFlags = {
  ...SUBSCRIPTION_FIELDS,
  overlap_seconds: "--overlap",
  secret: "--secret-file",
  kind: "--asymmetric",
  number: "--number",
};

/** `gatehouse subscriptions secrets …` */
export function addSubscriptionSecrets(noun: Command, verb: Verb): void {
  const secrets = noun.command("secrets").summary("what signs a subscription's deliveries");

  verbOfOne(secrets, verb, SUBSCRIPTION)(
    "list",
    "list the secrets and key pairs that sign now, without what is secret",
    async (asked, id) => {
      const answer = await asked.subscriptions.getSubscription({ subscriptionId: id }, asked.call);
      const shown = present(answer.subscription).secrets;
      const columns = [
        { heading: "number", cell: ({ number }: SecretInfo) => String(number) },
        { heading: "signs as", cell: ({ kind }: SecretInfo) => signsAs(kind) },
        { heading: "created", cell: ({ createdAt }: SecretInfo) => toShownInstant(createdAt) },
        { heading: "signs until", cell: ({ expiresAt }: SecretInfo) => toShownInstant(expiresAt) ?? "current" },
        { heading: "public key", cell: ({ publicKey }: SecretInfo) => publicKey ?? null },
      ];
      return many({ secrets: shown.map(toSecretJson) }, shown, columns, { ifNone: { said: "There are none." } });
    },
  );

  secrets
    .command("rotate")
    .summary("make a new secret or key pair; the previous one signs too for a time")
    .argument(...SUBSCRIPTION.argument)
    .option(
      "--overlap <duration>",
      "how long the previous one signs too, 0 to 7d, like 90m, 24h or 7d; 0 ends it now (default: 24h)",
      parseDuration,
    )
    .option("--secret-file <file>", "the receiver's own signing secret, whsec_…; without it one is made")
    .option("--asymmetric", "a key pair (v1a), the first one or another one")
    .action(verb<RotateOptions>(rotate, FIELDS));

  verbOfOne(secrets, verb, { ...SUBSCRIPTION, fields: FIELDS })<{ number: number }>(
    "revoke",
    "end one now: nothing is signed with it any more",
    async (asked, id, { number }) => {
      const request = { subscriptionId: id, number };
      const after = present((await asked.subscriptions.revokeSecret(request, asked.call)).subscription);
      return shownSubscription(asked, after, { said: `Number ${number} signs nothing any more.` });
    },
    new Option("--number <n>", "its number in the list").argParser(parseWholeNumber).makeOptionMandatory(),
  );
}

/** What to do about a signing secret that nobody has seen. */
export const anotherSigningSecret = (subscriptionId: string): Advice =>
  leadingTo("Make another secret:", run`gatehouse subscriptions secrets rotate ${subscriptionId} --overlap 0`);

async function rotate(asked: Asked, { overlap, secretFile, asymmetric = false }: RotateOptions, given = "") {
  const answer = await asked.subscriptions.rotateSecret(
    {
      subscriptionId: await subscriptionId(asked, given),
      kind: asymmetric ? SecretKind.ASYMMETRIC : SecretKind.SYMMETRIC,
      overlapSeconds: overlap ?? null,
      secret: secretFile === undefined ? null : await readSecret(secretFile),
    },
    asked.call,
  );
  const after = present(answer.subscription);
  const secret = answer.secret ?? undefined;
  const said = asymmetric
    ? `Key pair ${answer.number} signs from now on; its public key is below.`
    : `Secret ${answer.number} signs from now on${secret === undefined ? "" : ", and is shown this once: store it now, in a safe place"}.`;
  const words = {
    said,
    next: run`gatehouse subscriptions secrets list ${after.label}`,
    ...(secret === undefined ? {} : { ifUnread: anotherSigningSecret(after.id) }),
  };
  const more =
    secret === undefined ? {} : { json: { signingSecret: secret }, facts: [["signing secret", secret]] as const };
  return shownSubscription(asked, after, words, more);
}
