import type { Command } from "commander";
import type { User } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { enumWord } from "./enum-word.ts";
import { toJsonInstant, toShownInstant } from "./instant.ts";
import { type OutcomeWords, one } from "./outcome.ts";
import { shownEmail, shownPerson, toPersonJson } from "./person-shown.ts";
import { present } from "./present.ts";
import { requestIdOption } from "./request-id.ts";
import { shellWord } from "./shell-word.ts";
import type { Asked, Verb } from "./verb.ts";

interface InviteOptions {
  readonly tenant: string;
  readonly email: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly role?: string;
  readonly invitedBy?: string;
  readonly emailVerified?: boolean;
  readonly signedInBefore?: boolean;
}

/** `gatehouse users …` */
export function addUsers(program: Command, verb: Verb): void {
  const noun = program.command("users").summary("people's seats in a tenant's dashboard");

  noun
    .command("invite")
    .summary("give a person a seat; it becomes active at the first sign-in")
    .requiredOption("--tenant <id>", "tenant whose dashboard it is")
    .requiredOption("--email <address>", "e-mail address; decides which person it is")
    .option("--first-name <text>", "taken when the person is new")
    .option("--last-name <text>", "taken when the person is new")
    .option("--role <name>", "access role: Owner, Admin, Member or one of the tenant's own")
    .option("--invited-by <user id>", "the inviting user; becomes the manager")
    .option("--email-verified", "the platform vouches for the address")
    .option("--signed-in-before", "the user signed in before, elsewhere: begins as ACTIVE (migration)")
    .addOption(requestIdOption())
    .action(
      verb<InviteOptions>(
        async ({ platform, requestId, call }, options) => {
          const { user } = await platform.inviteUser(
            {
              requestId,
              tenantId: options.tenant,
              email: options.email,
              firstName: options.firstName ?? null,
              lastName: options.lastName ?? null,
              roleName: options.role ?? null,
              invitedByUserId: options.invitedBy ?? null,
              emailVerified: options.emailVerified ?? false,
              signedInBefore: options.signedInBefore ?? false,
            },
            call,
          );
          const seat = present(user);
          return shown(seat, {
            said: "The user is invited.",
            next: `gatehouse passwords set --person ${present(seat.person).id}`,
          });
        },
        { role_name: "--role", tenant_id: "--tenant", invited_by_user_id: "--invited-by" },
      ),
    );

  const change = (
    name: string,
    summary: string,
    act: (asked: Asked, request: { requestId: string; userId: string }) => Promise<{ user: User | null }>,
    words: (user: User) => OutcomeWords,
  ) =>
    noun
      .command(name)
      .summary(summary)
      .argument("<user-id>", "the user")
      .addOption(requestIdOption())
      .action(
        verb<object>(
          async (asked, _options, userId = "") => {
            const user = present((await act(asked, { requestId: asked.requestId, userId })).user);
            return shown(user, words(user));
          },
          { user_id: "<user-id>" },
        ),
      );

  change(
    "enable",
    "INACTIVE to ACTIVE",
    ({ platform, call }, request) => platform.enableUser(request, call),
    ({ id }) => ({
      said: "The user is active.",
      next: `gatehouse users disable ${id}`,
    }),
  );
  change(
    "disable",
    "ACTIVE to INACTIVE",
    ({ platform, call }, request) => platform.disableUser(request, call),
    ({ id }) => ({
      said: "The user is inactive: sign-ins no longer tell of this seat.",
      next: `gatehouse users enable ${id}`,
    }),
  );
  change(
    "delete",
    "to DELETED, for good",
    ({ platform, call }, request) => platform.deleteUser(request, call),
    ({ tenantId, person }) => ({
      said: "The user is deleted, for good.",
      next: `gatehouse users invite --tenant ${tenantId} --email ${shellWord(person?.email ?? "…")}`,
    }),
  );
}

const shown = (user: User, words: OutcomeWords) =>
  one(
    toUserJson(user),
    [
      ["id", user.id],
      ["tenant", user.tenantId],
      ["status", statusWord(user)],
      ["person", shownPerson(user.person)],
      ["e-mail", shownEmail(user.person)],
      ["person id", user.person?.id],
      ["role", user.role?.name ?? null],
      ["manager", user.managerId ?? null],
      ["created", toShownInstant(user.createdAt)],
    ],
    words,
  );

const toUserJson = (user: User) => ({
  id: user.id,
  tenantId: user.tenantId,
  status: statusWord(user),
  person: toPersonJson(present(user.person)),
  managerId: user.managerId ?? null,
  role: user.role && { id: user.role.id, name: user.role.name },
  createdAt: toJsonInstant(user.createdAt),
});

const statusWord = ({ status }: User): string => enumWord("USER_STATUS_", status);
