import type { Command } from "commander";
import type { Session } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import type { Verb } from "../../connection/verb.ts";
import { byPersonKey } from "../../input/references.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many } from "../../output/outcome.ts";

/** `gatehouse people sessions` */
export function addPersonSessions(noun: Command, verb: Verb): void {
  noun
    .command("sessions")
    .summary("list a person's sessions, the latest first, or end them all")
    .description(
      "Lists the browsers in which a person is signed in, the latest sign-in first. With --end they are signed out, and all tokens of the person are revoked.",
    )
    .argument("<person>", "the person: id (person_…), e-mail address, or first and last name")
    .option("--end", "sign the person out everywhere; revokes all tokens, too")
    .action(
      verb<{ end?: boolean }>(
        async (asked, { end = false }, person = "") => {
          const { people, call } = asked;
          const { personId, sessions } = await byPersonKey(asked, person, (key) =>
            end ? people.endSessions({ key }, call) : people.listSessions({ key }, call),
          );
          const words = end
            ? { said: "The person is signed out everywhere, and all tokens are revoked. These sessions have ended:" }
            : {};
          const whenEmpty = {
            said: end
              ? "The person had no active sessions. All tokens are revoked."
              : "The person has no active sessions.",
          };
          return many({ personId, ended: end, sessions: sessions.map(toSessionJson) }, sessions, SESSION_COLUMNS, {
            ...words,
            ifNone: whenEmpty,
          });
        },
        { person_id: "<person>", email: "<person>" },
      ),
    );
}

export const SESSION_COLUMNS = [
  { heading: "id", cell: ({ id }: Session) => id },
  { heading: "signed in", cell: ({ authenticatedAt }: Session) => toShownInstant(authenticatedAt) },
  { heading: "last seen", cell: ({ seenAt }: Session) => toShownInstant(seenAt) },
  { heading: "ends", cell: ({ expiresAt }: Session) => toShownInstant(expiresAt) },
];

export const toSessionJson = ({ id, authenticatedAt, seenAt, expiresAt }: Session) => ({
  id,
  authenticatedAt: toJsonInstant(authenticatedAt),
  seenAt: toJsonInstant(seenAt),
  expiresAt: toJsonInstant(expiresAt),
});
