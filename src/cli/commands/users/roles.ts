import type { Command } from "commander";
import type { AccessRoleDefinition } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { repeated, requestIdOption } from "../../input/flags.ts";
import { many, one } from "../../output/outcome.ts";
import { EXIT, refuse } from "../../output/refusal.ts";
import { shellWord } from "../../output/terminal-text.ts";
import { kindWord, roleFacts, toRoleJson } from "./role-shown.ts";

const FIELDS = { tenant_id: "--tenant", name: "--name", permissions: "--permission" };

interface UpdateOptions {
  readonly tenant: string;
  readonly name?: string;
  readonly permission?: readonly string[];
  /** False for `--no-permissions`. */
  readonly permissions: boolean;
}

/** `gatehouse roles …` */
export function addRoles(program: Command, verb: Verb): void {
  const noun = program.command("roles").summary("permissions of a tenant's users");

  noun
    .command("list")
    .summary("list a tenant's access roles, in the order they were made")
    .requiredOption("--tenant <id>", "tenant whose roles are listed")
    .action(
      verb<{ tenant: string }>(async (asked, { tenant }) => {
        const roles = await rolesOf(asked, tenant);
        const columns = [
          { heading: "name", cell: ({ role }: AccessRoleDefinition) => role?.name },
          { heading: "kind", cell: (role: AccessRoleDefinition) => kindWord(role) },
          { heading: "id", cell: ({ role }: AccessRoleDefinition) => role?.id, align: "right" as const },
          { heading: "permissions", cell: ({ permissions }: AccessRoleDefinition) => permissions.join(" ") },
        ];
        return many({ roles: roles.map(toRoleJson) }, roles, columns, { ifNone: { said: "The tenant has no roles." } });
      }, FIELDS),
    );

  noun
    .command("create")
    .summary("make a custom access role")
    .requiredOption("--tenant <id>", "tenant that it is for")
    .requiredOption("--name <text>", "its name, unique in the tenant")
    .option("--permission <name>", "for example payroll.read; may be repeated", repeated)
    .addOption(requestIdOption())
    .action(
      verb<{ tenant: string; name: string; permission?: readonly string[] }>(
        async ({ platform, requestId, call }, { tenant: tenantId, name, permission = [] }) => {
          const request = { requestId, tenantId, name, permissions: [...permission] };
          const role = present((await platform.createAccessRole(request, call)).role);
          return one(toRoleJson(role), roleFacts(role), {
            said: "The role is made.",
            next: `gatehouse users assign-role <user-id> --role ${shellWord(present(role.role).name)}`,
          });
        },
        FIELDS,
      ),
    );

  noun
    .command("update")
    .summary("change name or permissions of a role, for every user who has it")
    .argument("<role>", "its name or number")
    .requiredOption("--tenant <id>", "tenant whose role it is")
    .option("--name <text>", "its new name")
    .option("--permission <name>", "for example payroll.read; may be repeated; the complete new list", repeated)
    .option("--no-permissions", "remove all permissions")
    .addOption(requestIdOption())
    .action(
      verb<UpdateOptions>(async (asked, { tenant: tenantId, name, permission, permissions: keep }, given = "") => {
        const permissions = permission ?? (keep ? undefined : []);
        const updateMask = chosenFields({ name, permissions }, FIELDS);
        const request = {
          requestId: asked.requestId,
          tenantId,
          accessRoleId: await accessRoleId(asked, tenantId, given),
          updateMask,
          name: name ?? "",
          permissions: [...(permissions ?? [])],
        };
        const role = present((await asked.platform.updateAccessRole(request, asked.call)).role);
        return one(toRoleJson(role), roleFacts(role), {
          said: "The role is changed, for every user who has it.",
          next: `gatehouse roles list --tenant ${tenantId}`,
        });
      }, FIELDS),
    );
}

const rolesOf = async ({ platform, call }: Asked, tenantId: string): Promise<readonly AccessRoleDefinition[]> =>
  (await platform.listAccessRolesOfTenant({ tenantId }, call)).roles;

/** The number of a role that was given by name or number. @throws Refusal when the tenant has no such role. */
async function accessRoleId(asked: Asked, tenantId: string, given: string): Promise<number> {
  const roles = (await rolesOf(asked, tenantId)).map(({ role }) => present(role));
  const match = roles.find(({ name }) => name === given) ?? roles.find(({ id }) => String(id) === given);
  if (match !== undefined) return match.id;
  throw refuse(EXIT.refused, {
    code: "NOT_FOUND",
    reason: "access_role_not_found",
    message: `The tenant has no access role ${given}.`,
    fix: `There are: ${roles.map(({ name }) => name).join(", ")}`,
  });
}
