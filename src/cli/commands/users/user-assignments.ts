import type { Command } from "commander";
import { parseId } from "#runtime/basis/ids.ts";
import { present } from "../../connection/answers.ts";
import { namesOf } from "../../connection/names.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { givenOrNone, repeated, requestIdOption, tenantOption } from "../../input/flags.ts";
import { userId } from "../../input/references.ts";
import { USER } from "../../input/subjects.ts";
import { run } from "../../output/advice.ts";
import { one } from "../../output/outcome.ts";
import { roleNameIn } from "./role-names.ts";
import { roleFacts, toRoleJson } from "./role-shown.ts";
import { shownUser, toUserJson } from "./user-shown.ts";

/** `gatehouse users assign-manager`, `assign-role` and `edit-permissions`. */
export function addUserAssignments(noun: Command, verb: Verb): void {
  noun
    .command("assign-manager")
    .summary("set the user's manager; subscribers get user.updated")
    .argument(...USER.argument)
    .addOption(tenantOption())
    .option("--manager <user>", "another user of the tenant, by id, address or name")
    .option("--none", "no manager")
    .addOption(requestIdOption())
    .action(
      verb<{ manager?: string; none?: boolean; tenant?: string }>(
        async (asked, { manager, none, tenant }, given = "") => {
          const { platform, requestId, call } = asked;
          const named = givenOrNone("--manager", manager, none);
          const id = await userId(asked, given, tenant);
          const managerId = named === null ? null : await managerOf(asked, named, id, tenant);
          const user = present((await platform.assignManager({ requestId, userId: id, managerId }, call)).user);
          const said = managerId === null ? "The user has no manager now." : "The user has this manager now.";
          return shownUser(asked, user, {
            said,
            ...(managerId === null ? {} : { next: run`gatehouse users show ${managerId}` }),
          });
        },
        { ...USER.fields, manager_id: "--manager" },
      ),
    );

  noun
    .command("assign-role")
    .summary("set the user's access role; subscribers get user.updated")
    .argument(...USER.argument)
    .addOption(tenantOption())
    .option("--role <name or number>", "access role of the tenant")
    .option("--none", "no role")
    .addOption(requestIdOption())
    .action(
      verb<{ role?: string; none?: boolean; tenant?: string }>(
        async (asked, { role, none, tenant }, given = "") => {
          const { platform, requestId, call } = asked;
          const named = givenOrNone("--role", role, none);
          const id = await userId(asked, given, tenant);
          const roleName = named === null ? null : await roleNameOf(asked, named, id);
          const user = present((await platform.assignRole({ requestId, userId: id, roleName }, call)).user);
          return shownUser(asked, user, {
            said: roleName === null ? "The user has no access role now." : "The user has this access role now.",
            next: run`gatehouse roles list --tenant ${user.tenantId}`,
          });
        },
        { ...USER.fields, role_name: "--role" },
      ),
    );

  noun
    .command("edit-permissions")
    .summary("set the permissions of this user only; a shared role is not changed")
    .description(
      "Sets the permissions of this user only. A shared or standard role is replaced by a custom role that is created for the user.",
    )
    .argument(...USER.argument)
    .addOption(tenantOption())
    .option("--permission <name>", "for example payroll.read; may be repeated; the complete new list", repeated)
    .option("--none", "no permission at all")
    .option("--role-name <text>", "name of the custom role, if one is created; derived by default")
    .addOption(requestIdOption())
    .action(
      verb<{ permission?: readonly string[]; none?: boolean; roleName?: string; tenant?: string }>(
        async (asked, { permission, none, roleName, tenant }, given = "") => {
          const { platform, requestId, call } = asked;
          const permissions = [...(givenOrNone("--permission", permission, none) ?? [])];
          const id = await userId(asked, given, tenant);
          const request = { requestId, userId: id, permissions, roleName: roleName ?? null };
          const answer = await platform.editUserPermissions(request, call);
          const [user, role] = [present(answer.user), present(answer.role)];
          const names = await namesOf(asked, [user.id, role.tenantId]);
          const facts = [["user", names.of(user.id)], ...roleFacts(role, names)] as const;
          return one({ user: toUserJson(user), role: toRoleJson(role) }, facts, {
            said: "The user has these permissions from now on.",
            next: run`gatehouse users show ${user.id}`,
          });
        },
        { ...USER.fields, permissions: "--permission", role_name: "--role-name" },
      ),
    );
}

const tenantOf = async ({ platform, call }: Asked, id: string): Promise<string> =>
  present((await platform.readUser({ userId: id }, call)).user).tenantId;

/** A manager is a user of the same tenant; which one that is need be asked only where a name does not say it. */
const managerOf = async (asked: Asked, manager: string, ofUserId: string, tenant: string | undefined) =>
  parseId("user", manager) ?? (await userId(asked, manager, tenant ?? (await tenantOf(asked, ofUserId))));

const roleNameOf = async (asked: Asked, role: string, ofUserId: string) =>
  /^\d+$/.test(role) ? roleNameIn(asked, await tenantOf(asked, ofUserId), role) : role;
