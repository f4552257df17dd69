import type { Command } from "commander";
import type { User } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { allPages } from "../../connection/whole-lists.ts";
import { requestIdOption, yesOption } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { tenantId, userId } from "../../input/references.ts";
import { USER } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { many } from "../../output/outcome.ts";
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

  const ofOne = verbOfOne(noun, verb, USER);
  ofOne("show", "show a user", async (asked, userId) =>
    shownUser(asked, present((await asked.platform.readUser({ userId }, asked.call)).user)),
  );

  addUserAssignments(noun, verb);

  ofOne(
    "enable",
    "set an inactive user to ACTIVE",
    async (asked, userId) => {
      const { platform, requestId, call } = asked;
      const user = present((await platform.enableUser({ requestId, userId }, call)).user);
      return shownUser(asked, user, { said: "The user is active.", next: run`gatehouse users show ${user.id}` });
    },
    requestIdOption(),
  );
  ofOne(
    "disable",
    "set an active user to INACTIVE: closes one seat, not the person's other ones (all: people disable)",
    async (asked, userId) => {
      const { platform, requestId, call } = asked;
      const user = present((await platform.disableUser({ requestId, userId }, call)).user);
      return shownUser(asked, user, {
        said: "The user is inactive: this tenant no longer appears in the person's sign-ins. With another active user, or as a worker, the person can still sign in, and open sessions go on. To block the person everywhere: gatehouse people disable.",
        next: run`gatehouse people explain ${user.person?.id}`,
      });
    },
    requestIdOption(),
  );
  ofOne<ConsentOptions>(
    "delete",
    "delete the user for good: the status becomes DELETED; asks first",
    async (asked, userId, options, given) => {
      const { platform, requestId, call } = asked;
      await confirmed(asked, options, {
        says: `This deletes the user ${withId(given, userId)} for good; to close the seat for a time: gatehouse users disable.`,
        question: "Delete it?",
      });
      const user = present((await platform.deleteUser({ requestId, userId }, call)).user);
      return shownUser(asked, user, {
        said: "The user is deleted, for good.",
        next: run`gatehouse users invite --tenant ${user.tenantId} --email ${user.person?.email}`,
      });
    },
    yesOption(),
    requestIdOption(),
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
