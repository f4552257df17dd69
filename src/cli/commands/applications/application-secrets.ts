import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { parseDuration } from "../../input/flags.ts";
import { toShownInstant } from "../../output/instant.ts";
import { one } from "../../output/outcome.ts";
import { EXIT, refuse } from "../../output/refusal.ts";
import { APPLICATION_FIELDS, applicationFacts, toApplicationJson } from "./application-shown.ts";

interface RotateOptions {
  readonly keepPrevious?: number;
  readonly endPrevious?: boolean;
}

const DAY_SECONDS = 86_400;

/** `gatehouse applications rotate-secret` */
export function addApplicationSecrets(noun: Command, verb: Verb): void {
  noun
    .command("rotate-secret")
    .summary("give a web application a new secret, shown this once; the previous one remains valid for a time")
    .argument("<application-id>", "the application (app_…)")
    .option(
      "--keep-previous <duration>",
      "how long the previous secret remains valid, 0 to 30d, like 90m, 24h or 7d (default: 24h)",
      parseDuration,
    )
    .option("--end-previous", "no new secret: end the previous one now")
    .action(
      verb<RotateOptions>(
        async (asked, { keepPrevious, endPrevious = false }, applicationId = "") => {
          if (!endPrevious) return rotate(asked, applicationId, keepPrevious ?? DAY_SECONDS);
          if (keepPrevious !== undefined)
            throw refuse(EXIT.usage, {
              code: "USAGE",
              reason: "one_of_two_flags",
              message: "--keep-previous and --end-previous contradict each other.",
              fix: "Give one of them.",
            });
          return endPreviousNow(asked, applicationId);
        },
        { ...APPLICATION_FIELDS, keep_previous_seconds: "--keep-previous" },
      ),
    );
}

async function rotate({ signOn, call }: Asked, applicationId: string, keepPreviousSeconds: number) {
  const { application, secret } = await signOn.rotateApplicationSecret({ applicationId, keepPreviousSeconds }, call);
  const shown = present(application);
  const until = toShownInstant(shown.previousSecretExpiresAt);
  return one({ ...toApplicationJson(shown), secret }, [...applicationFacts(shown), ["secret", secret]], {
    said: `The new secret is shown this once and stored nowhere: store it now, in a safe place. ${
      until === null ? "The previous one is refused from now on." : `The previous one remains valid until ${until}.`
    }`,
    next:
      until === null
        ? `gatehouse applications show ${shown.id}`
        : `when the application uses the new one: gatehouse applications rotate-secret ${shown.id} --end-previous`,
  });
}

async function endPreviousNow({ signOn, call }: Asked, applicationId: string) {
  const application = present((await signOn.endPreviousSecret({ applicationId }, call)).application);
  return one(toApplicationJson(application), applicationFacts(application), {
    said: "Only the newest secret is valid from now on.",
  });
}
