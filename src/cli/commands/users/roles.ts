import type { Command } from "commander";
import type { AccessRoleDefinition } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import { namesOf } from "../../connection/names.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { contradiction, repeated, requestIdOption } from "../../input/flags.ts";
import { tenantId } from "../../input/references.ts";
import { run } from "../../output/advice.ts";
import { many, type OutcomeWords, one } from "../../output/outcome.ts";
import { roleIn, rolesOf } from "./role-names.ts";
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
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose roles are listed")
    .action(
      verb<{ tenant: string }>(async (asked, { tenant }) => {
        const roles = await rolesOf(asked, await tenantId(asked, tenant));
        const columns = [
          { heading: "name", cell: ({ role }: AccessRoleDefinition) => role?.name },
          { heading: "kind", cell: (role: AccessRoleDefinition) => kindWord(role) },
          { heading: "id", cell: ({ role }: AccessRoleDefinition) => role?.id, align: "right" as const },
          { heading: "permissions", cell: ({ permissions }: AccessRoleDefinition) => permissions.join(" ") },
        ];
        return many({ roles: roles.map(toRoleJson) }, roles, columns, {
          ifNone: { said: "The tenant has no access roles." },
        });
      }, FIELDS),
    );

  noun
    .command("create")
    .summary("create a custom access role")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) that it is for")
    .requiredOption("--name <text>", "its name, unique in the tenant")
    .option("--permission <name>", "for example payroll.read; may be repeated", repeated)
    .addOption(requestIdOption())
    .action(
      verb<{ tenant: string; name: string; permission?: readonly string[] }>(
        async (asked, { tenant, name, permission = [] }) => {
          const { platform, requestId, call } = asked;
          const permissions = [...permission];
          const request = { requestId, tenantId: await tenantId(asked, tenant), name, permissions };
          const role = present((await platform.createAccessRole(request, call)).role);
          return shownRole(asked, role, {
            said: "The role is created.",
            next: run`gatehouse users assign-role <user> --role ${present(role.role).name}`,
          });
        },
        FIELDS,
      ),
    );

  noun
    .command("update")
    .summary("change name or permissions of a role, for every user who has it")
    .argument("<role>", "its name or number")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose role it is")
    .option("--name <text>", "its new name")
    .option("--permission <name>", "for example payroll.read; may be repeated; the complete new list", repeated)
    .option("--no-permissions", "remove all permissions")
    .addOption(requestIdOption())
    .action(
      verb<UpdateOptions>(async (asked, { tenant, name, permission, permissions: keep }, given = "") => {
        if (permission !== undefined && !keep) throw contradiction("--permission", "--no-permissions");
        const permissions = permission ?? (keep ? undefined : []);
        const updateMask = chosenFields({ name, permissions }, FIELDS);
        const ofTenant = await tenantId(asked, tenant);
        const request = {
          requestId: asked.requestId,
          tenantId: ofTenant,
          accessRoleId: (await roleIn(asked, ofTenant, given)).id,
          updateMask,
          name: name ?? "",
          permissions: [...(permissions ?? [])],
        };
        const role = present((await asked.platform.updateAccessRole(request, asked.call)).role);
        return shownRole(asked, role, {
          said: "The role is changed, for every user who has it.",
          next: run`gatehouse roles list --tenant ${tenant}`,
        });
      }, FIELDS),
    );
}

const shownRole = async (asked: Asked, role: AccessRoleDefinition, words: OutcomeWords) =>
  one(toRoleJson(role), roleFacts(role, await namesOf(asked, [role.tenantId])), words);
