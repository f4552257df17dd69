import type { Command } from "commander";
import type { UnitType } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { toJsonInstant, toShownInstant } from "./instant.ts";
import { one } from "./outcome.ts";
import { present } from "./present.ts";
import { requestIdOption } from "./request-id.ts";
import type { Verb } from "./verb.ts";

/** `gatehouse unit-types …` */
export function addUnitTypes(program: Command, verb: Verb): void {
  program
    .command("unit-types")
    .summary("layers of a tenant's structure, for example Department")
    .command("create")
    .summary("make a unit type")
    .requiredOption("--tenant <id>", "tenant whose structure it is")
    .requiredOption("--name <text>", "what people call it")
    .addOption(requestIdOption())
    .action(
      verb<{ tenant: string; name: string }>(
        async ({ platform, requestId, call }, { tenant, name }) => {
          const { unitType } = await platform.createUnitType({ requestId, tenantId: tenant, name }, call);
          const made = present(unitType);
          return one(toUnitTypeJson(made), unitTypeFacts(made), {
            said: "The unit type is made.",
            next: `gatehouse units create --tenant ${made.tenantId} --unit-type ${made.id} --name …`,
          });
        },
        { tenant_id: "--tenant" },
      ),
    );
}

const toUnitTypeJson = ({ id, tenantId, name, createdAt }: UnitType) => ({
  id,
  tenantId,
  name,
  createdAt: toJsonInstant(createdAt),
});

const unitTypeFacts = ({ id, tenantId, name, createdAt }: UnitType) =>
  [
    ["id", id],
    ["name", name],
    ["tenant", tenantId],
    ["created", toShownInstant(createdAt)],
  ] as const;
