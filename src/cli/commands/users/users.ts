import type { Command } from "commander";
import type { User } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { allPages, present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { requestIdOption } from "../../input/flags.ts";
import { many, type OutcomeWords, one } from "../../output/outcome.ts";
import { shellWord } from "../../output/terminal-text.ts";
import { shownPerson } from "../people/person-shown.ts";
import { addUserAssignments } from "./user-assignments.ts";
import { statusWord, toUserJson, userFacts } from "./user-shown.ts";

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
    .requiredOption("--email <address>", "e-mail address; identifies the person")
    .option("--first-name <text>", "used for a new person")
    .option("--last-name <text>", "used for a new person")
    .option("--role <name>", "access role: Owner, Admin, Member or one of the tenant's own")
    .option("--invited-by <user id>", "the inviting user; becomes the manager")
    .option("--email-verified", "the platform vouches for the address")
    .option("--signed-in-before", "the user has signed in before, elsewhere: starts as ACTIVE (migration)")
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
            next: `gatehouse people invite ${present(seat.person).id}`,
          });
        },
        { role_name: "--role", tenant_id: "--tenant", invited_by_user_id: "--invited-by" },
      ),
    );

  noun
    .command("list")
    .summary("list the users of a tenant, oldest first")
    .requiredOption("--tenant <id>", "tenant whose users are listed")
    .option("--deleted", "deleted users too")
    .action(
      verb<{ tenant: string; deleted?: boolean }>(
        async ({ platform, call }, { tenant: tenantId, deleted = false }) => {
          const users = await allPages(
            (after) => platform.listUsersOfTenant({ tenantId, limit: null, after, includeDeleted: deleted }, call),
            (page) => page.users,
          );
          return many({ users: users.map(toUserJson) }, users, COLUMNS, {
            ifNone: {
              said: "The tenant has no users yet.",
              next: `gatehouse users invite --tenant ${shellWord(tenantId)} --email …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );

  noun
    .command("show")
    .summary("show a user")
    .argument("<user-id>", "the user")
    .action(
      verb<object>(
        async ({ platform, call }, _options, userId = "") =>
          shown(present((await platform.readUser({ userId }, call)).user)),
        { user_id: "<user-id>" },
      ),
    );

  addUserAssignments(noun, verb);

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
    "set an inactive user to ACTIVE",
    ({ platform, call }, request) => platform.enableUser(request, call),
    ({ id }) => ({
      said: "The user is active.",
      next: `gatehouse users show ${id}`,
    }),
  );
  change(
    "disable",
    "set an active user to INACTIVE: closes one seat, not the person's other ones (all: people disable)",
    ({ platform, call }, request) => platform.disableUser(request, call),
    ({ person }) => ({
      said: "The user is inactive: this tenant no longer appears in the person's sign-ins. With another active user, or as a worker, the person can still sign in, and open sessions go on. To block the person everywhere: gatehouse people disable.",
      next: `gatehouse people explain ${person?.id ?? "…"}`,
    }),
  );
  change(
    "delete",
    "delete the user for good: the status becomes DELETED",
    ({ platform, call }, request) => platform.deleteUser(request, call),
    ({ tenantId, person }) => ({
      said: "The user is deleted, for good.",
      next: `gatehouse users invite --tenant ${tenantId} --email ${shellWord(person?.email ?? "…")}`,
    }),
  );
}

const shown = (user: User, words: OutcomeWords = {}) => one(toUserJson(user), userFacts(user), words);

const COLUMNS = [
  { heading: "person", cell: ({ person }: User) => shownPerson(person) },
  { heading: "e-mail", cell: ({ person }: User) => person?.email },
  { heading: "status", cell: (user: User) => statusWord(user) },
  { heading: "role", cell: ({ role }: User) => role?.name },
  { heading: "id", cell: ({ id }: User) => id },
];
