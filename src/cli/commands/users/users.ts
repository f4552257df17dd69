import type { Command } from "commander";
import type { User } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { allPages } from "../../connection/whole-lists.ts";
import { requestIdOption, tenantOption, yesOption } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { tenantId, userId } from "../../input/references.ts";
import { run } from "../../output/advice.ts";
import { many, type OutcomeWords } from "../../output/outcome.ts";
import { withId } from "../../output/terminal-text.ts";
import { addErase } from "../erasing.ts";
import { shownPerson } from "../people/person-shown.ts";
import { roleNameIn } from "./role-names.ts";
import { addUserAssignments } from "./user-assignments.ts";
import { shownUser, statusWord, toUserJson } from "./user-shown.ts";

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

/** The tenant that a user is looked for in, by id or name. */
interface InTenant {
  readonly tenant?: string;
}

/** `gatehouse users …` */
export function addUsers(program: Command, verb: Verb): void {
  const noun = program.command("users").summary("people's seats in a tenant's dashboard");

  noun
    .command("invite")
    .summary("give a person a seat; it becomes active at the first sign-in")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose dashboard it is")
    .requiredOption("--email <address>", "e-mail address; identifies the person")
    .option("--first-name <text>", "used for a new person")
    .option("--last-name <text>", "used for a new person")
    .option("--role <name or number>", "access role: Owner, Admin, Member or one of the tenant's own")
    .option("--invited-by <user>", "the inviting user, by id, address or name; becomes the manager")
    .option("--email-verified", "the platform vouches for the address")
    .option("--signed-in-before", "the user has signed in before, elsewhere: starts as ACTIVE (migration)")
    .addOption(requestIdOption())
    .action(
      verb<InviteOptions>(
        async (asked, options) => {
          const { platform, requestId, call } = asked;
          const tenant = await tenantId(asked, options.tenant);
          const { user } = await platform.inviteUser(
            {
              requestId,
              tenantId: tenant,
              email: options.email,
              firstName: options.firstName ?? null,
              lastName: options.lastName ?? null,
              roleName: options.role === undefined ? null : await roleNameIn(asked, tenant, options.role),
              invitedByUserId: options.invitedBy === undefined ? null : await userId(asked, options.invitedBy, tenant),
              emailVerified: options.emailVerified ?? false,
              signedInBefore: options.signedInBefore ?? false,
            },
            call,
          );
          const seat = present(user);
          return shownUser(asked, seat, {
            said: "The user is invited.",
            next: run`gatehouse people invite ${present(seat.person).id}`,
          });
        },
        { role_name: "--role", tenant_id: "--tenant", invited_by_user_id: "--invited-by" },
      ),
    );

  noun
    .command("list")
    .summary("list the users of a tenant, oldest first")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose users are listed")
    .option("--deleted", "deleted users too")
    .action(
      verb<{ tenant: string; deleted?: boolean }>(
        async (asked, { tenant, deleted = false }) => {
          const { platform, call } = asked;
          const id = await tenantId(asked, tenant);
          const users = await allPages(
            (after) => platform.listUsersOfTenant({ tenantId: id, limit: null, after, includeDeleted: deleted }, call),
            (page) => page.users,
          );
          return many({ users: users.map(toUserJson) }, users, COLUMNS, {
            ifNone: {
              said: "The tenant has no users yet.",
              next: run`gatehouse users invite --tenant ${tenant} --email …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );

  noun
    .command("show")
    .summary("show a user")
    .argument("<user>", "id, e-mail address, or first and last name")
    .addOption(tenantOption())
    .action(
      verb<InTenant>(
        async (asked, { tenant }, given = "") => {
          const request = { userId: await userId(asked, given, tenant) };
          return shownUser(asked, present((await asked.platform.readUser(request, asked.call)).user));
        },
        { user_id: "<user>" },
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
      .argument("<user>", "id, e-mail address, or first and last name")
      .addOption(tenantOption())
      .addOption(requestIdOption())
      .action(
        verb<InTenant>(
          async (asked, { tenant }, given = "") => {
            const request = { requestId: asked.requestId, userId: await userId(asked, given, tenant) };
            const user = present((await act(asked, request)).user);
            return shownUser(asked, user, words(user));
          },
          { user_id: "<user>" },
        ),
      );

  change(
    "enable",
    "set an inactive user to ACTIVE",
    ({ platform, call }, request) => platform.enableUser(request, call),
    ({ id }) => ({
      said: "The user is active.",
      next: run`gatehouse users show ${id}`,
    }),
  );
  change(
    "disable",
    "set an active user to INACTIVE: closes one seat, not the person's other ones (all: people disable)",
    ({ platform, call }, request) => platform.disableUser(request, call),
    ({ person }) => ({
      said: "The user is inactive: this tenant no longer appears in the person's sign-ins. With another active user, or as a worker, the person can still sign in, and open sessions go on. To block the person everywhere: gatehouse people disable.",
      next: run`gatehouse people explain ${person?.id}`,
    }),
  );
  noun
    .command("delete")
    .summary("delete the user for good: the status becomes DELETED; asks first")
    .argument("<user>", "id, e-mail address, or first and last name")
    .addOption(tenantOption())
    .addOption(yesOption())
    .addOption(requestIdOption())
    .action(
      verb<InTenant & ConsentOptions>(
        async (asked, options, given = "") => {
          const { platform, requestId, call } = asked;
          const id = await userId(asked, given, options.tenant);
          await confirmed(asked, options, {
            says: `This deletes the user ${withId(given, id)} for good; to close the seat for a time: gatehouse users disable.`,
            question: "Delete it?",
          });
          const user = present((await platform.deleteUser({ requestId, userId: id }, call)).user);
          return shownUser(asked, user, {
            said: "The user is deleted, for good.",
            next: run`gatehouse users invite --tenant ${user.tenantId} --email ${user.person?.email}`,
          });
        },
        { user_id: "<user>" },
      ),
    );
  addErase(noun, verb);
}

const COLUMNS = [
  { heading: "person", cell: ({ person }: User) => shownPerson(person) },
  { heading: "e-mail", cell: ({ person }: User) => person?.email },
  { heading: "status", cell: (user: User) => statusWord(user) },
  { heading: "role", cell: ({ role }: User) => role?.name },
  { heading: "id", cell: ({ id }: User) => id },
];
