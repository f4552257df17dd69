import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { contradiction, parseDuration } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { applicationId } from "../../input/references.ts";
import { type Advice, leadingTo, run } from "../../output/advice.ts";
import { toShownInstant } from "../../output/instant.ts";
import { APPLICATION, APPLICATION_FIELDS, previousSecretOf, shownApplication } from "./application-shown.ts";

interface RotateOptions extends ConsentOptions {
  readonly keepPrevious?: number;
  readonly endPrevious?: boolean;
}

const DAY_SECONDS = 86_400;

/** `gatehouse applications rotate-secret` */
export function addApplicationSecrets(noun: Command, verb: Verb): void {
  noun
    .command("rotate-secret")
    .summary("give a web application a new secret, shown this once; the previous one remains valid for a time")
    .description(
      "Gives a web application a new secret, shown this once; the previous one remains valid for a time. Two secrets are valid at most: while the one before still is, a new one ends it, and the command asks first.",
    )
    .argument(...APPLICATION.argument)
    .option(
      "--keep-previous <duration>",
      "how long the previous secret remains valid, 0 to 30d, like 90m, 24h or 7d (default: 24h)",
      parseDuration,
    )
    .option("--end-previous", "no new secret: end the previous one now")
    .option("--yes", "do not ask before a secret that was kept ends; needed in a script then")
    .action(
      verb<RotateOptions>(
        async (asked, options, given = "") => {
          const { keepPrevious, endPrevious = false } = options;
          if (endPrevious && keepPrevious !== undefined) throw contradiction("--keep-previous", "--end-previous");
          const id = await applicationId(asked, given);
          if (endPrevious) return endPreviousNow(asked, id);
          await confirmEnd(asked, options, id);
          return rotate(asked, id, keepPrevious ?? DAY_SECONDS);
        },
        { ...APPLICATION_FIELDS, keep_previous_seconds: "--keep-previous" },
      ),
    );
}

/** An application has two valid secrets at most. @throws CommandError when a third would end one, and that was not agreed to. */
async function confirmEnd(asked: Asked, options: RotateOptions, id: string): Promise<void> {
  const { application } = await asked.signOn.getApplication({ applicationId: id }, asked.call);
  const previous = previousSecretOf(present(application));
  if (previous === undefined) return;
  await confirmed(asked, options, {
    says: `The application has two valid secrets: the current one, and the one before, ${previous}. A new secret ends the one before now; a process that still uses it is refused.`,
    question: "Make a new secret, and end that one now?",
  });
}

async function rotate(asked: Asked, id: string, keepPreviousSeconds: number) {
  const request = { applicationId: id, keepPreviousSeconds };
  const { application, secret } = await asked.signOn.rotateApplicationSecret(request, asked.call);
  const shown = present(application);
  const until = toShownInstant(shown.previousSecretExpiresAt);
  const words = {
    said: `The new secret is shown this once and stored nowhere: store it now, in a safe place. ${
      until === null
        ? "The previous one is refused from now on."
        : `The previous one remains valid until ${until}; --end-previous ends it earlier.`
    }`,
    next: run`gatehouse applications show ${shown.id}`,
    ifUnread: anotherSecret(id),
  };
  return shownApplication(asked, shown, words, secret);
}

/** What to do about a secret that nobody has seen. */
export const anotherSecret = (applicationId: string): Advice =>
  leadingTo("Make another secret:", run`gatehouse applications rotate-secret ${applicationId}`);

async function endPreviousNow(asked: Asked, id: string) {
  const application = present((await asked.signOn.endPreviousSecret({ applicationId: id }, asked.call)).application);
  return shownApplication(asked, application, { said: "Only the newest secret is valid from now on." });
}
