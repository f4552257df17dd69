import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { givenOrNone, repeated, requestIdOption } from "../../input/flags.ts";
import { one } from "../../output/outcome.ts";
import { roleFacts, toRoleJson } from "./role-shown.ts";
import { toUserJson, userFacts } from "./user-shown.ts";

/** `gatehouse users assign-manager`, `assign-role` and `edit-permissions`. */
export function addUserAssignments(noun: Command, verb: Verb): void {
  noun
    .command("assign-manager")
    .summary("set the user's manager; subscribers get user.updated")
    .argument("<user-id>", "the user")
    .option("--manager <user id>", "another user of the tenant")
    .option("--none", "no manager")
    .addOption(requestIdOption())
    .action(
      verb<{ manager?: string; none?: boolean }>(
        async ({ platform, requestId, call }, { manager, none }, userId = "") => {
          const managerId = givenOrNone("--manager", manager, none);
          const user = present((await platform.assignManager({ requestId, userId, managerId }, call)).user);
          const said = managerId === null ? "The user has no manager." : "The user has this manager.";
          return one(toUserJson(user), userFacts(user), {
            said,
            ...(managerId === null ? {} : { next: `gatehouse users show ${managerId}` }),
          });
        },
        { user_id: "<user-id>", manager_id: "--manager" },
      ),
    );

  noun
    .command("assign-role")
    .summary("set the user's access role; subscribers get user.updated")
    .argument("<user-id>", "the user")
    .option("--role <name>", "access role of the tenant")
    .option("--none", "no role")
    .addOption(requestIdOption())
    .action(
      verb<{ role?: string; none?: boolean }>(
        async ({ platform, requestId, call }, { role, none }, userId = "") => {
          const roleName = givenOrNone("--role", role, none);
          const user = present((await platform.assignRole({ requestId, userId, roleName }, call)).user);
          return one(toUserJson(user), userFacts(user), {
            said: roleName === null ? "The user has no role." : "The user has this role.",
            next: `gatehouse roles list --tenant ${user.tenantId}`,
          });
        },
        { user_id: "<user-id>", role_name: "--role" },
      ),
    );

  noun
    .command("edit-permissions")
    .summary("set the permissions of this user only; a shared role is not changed")
    .description(
      "Sets the permissions of this user only. A shared or standard role is replaced by a custom role that is made for the user.",
    )
    .argument("<user-id>", "the user")
    .option("--permission <name>", "for example payroll.read; may be repeated; the complete new list", repeated)
    .option("--none", "no permission at all")
    .option("--role-name <text>", "name of the custom role, if one is made; derived by default")
    .addOption(requestIdOption())
    .action(
      verb<{ permission?: readonly string[]; none?: boolean; roleName?: string }>(
        async ({ platform, requestId, call }, { permission, none, roleName }, userId = "") => {
          const permissions = [...(givenOrNone("--permission", permission, none) ?? [])];
          const request = { requestId, userId, permissions, roleName: roleName ?? null };
          const answer = await platform.editUserPermissions(request, call);
          const [user, role] = [present(answer.user), present(answer.role)];
          return one({ user: toUserJson(user), role: toRoleJson(role) }, [["user", user.id], ...roleFacts(role)], {
            said: "The user has these permissions from now on.",
            next: `gatehouse users show ${user.id}`,
          });
        },
        { user_id: "<user-id>", permissions: "--permission", role_name: "--role-name" },
      ),
    );
}
