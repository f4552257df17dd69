import type { Command } from "commander";
import { PasswordLinkPurpose } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import type { Verb } from "../../connection/verb.ts";
import { byPersonKey } from "../../input/references.ts";
import { leadingTo, run } from "../../output/advice.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { one } from "../../output/outcome.ts";

/** `gatehouse people invite` and `reset`. */
export function addPasswordLinks(noun: Command, verb: Verb): void {
  const link = (name: string, summary: string, description: string, purpose: PasswordLinkPurpose) =>
    noun
      .command(name)
      .summary(summary)
      .description(description)
      .argument("<person>", "the person: id (person_…), e-mail address, or first and last name")
      .action(
        verb<object>(
          async (asked, _options, person = "") => {
            const { people, call } = asked;
            const made = await byPersonKey(asked, person, (key) => people.createPasswordLink({ key, purpose }, call));
            const json = { personId: made.personId, link: made.link, expiresAt: toJsonInstant(made.expiresAt) };
            const facts = [
              ["person id", made.personId],
              ["link", made.link],
              ["valid until", toShownInstant(made.expiresAt)],
            ] as const;
            return one(json, facts, {
              said: "The link is created; earlier links are no longer valid. It is shown this once and stored nowhere. Anyone who has it can set the password.",
              next: "send it to the person's e-mail address; using it confirms the address",
              ifUnread: leadingTo(
                "Create another, which ends this one:",
                run`gatehouse people ${name} ${made.personId}`,
              ),
            });
          },
          { person_id: "<person>", email: "<person>" },
        ),
      );

  link(
    "invite",
    "create a link by which a person sets the first password; shown this once",
    "Creates a link by which a person who has no password sets the first one. It works once, for seven days, until another link is created.",
    PasswordLinkPurpose.INVITATION,
  );
  link(
    "reset",
    "create a link by which a person sets a new password; shown this once",
    "Creates a link by which a person sets a new password. It works once, for seven days, until another link is created. The old password works until then.",
    PasswordLinkPurpose.RESET,
  );
}
