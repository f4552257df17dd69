import type { Command } from "commander";
import type { OrganizationUnit } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { toJsonInstant, toShownInstant } from "./instant.ts";
import { one } from "./outcome.ts";
import { present } from "./present.ts";
import { requestIdOption } from "./request-id.ts";
import type { Verb } from "./verb.ts";

interface CreateOptions {
  readonly tenant: string;
  readonly unitType: string;
  readonly name: string;
  readonly code?: string;
  readonly description?: string;
  readonly parent?: string;
}

/** `gatehouse units …` */
export function addUnits(program: Command, verb: Verb): void {
  program
    .command("units")
    .summary("units of a tenant's structure")
    .command("create")
    .summary("make a unit")
    .requiredOption("--tenant <id>", "tenant whose structure it is")
    .requiredOption("--unit-type <id>", "layer that it belongs to")
    .requiredOption("--name <text>", "what people call it")
    .option("--code <text>", "the tenant's own code for it")
    .option("--description <text>", "what it is there for")
    .option("--parent <unit id>", "unit above it; none for a top-level unit")
    .addOption(requestIdOption())
    .action(
      verb<CreateOptions>(
        async ({ platform, requestId, call }, options) => {
          const { unit } = await platform.createUnit(
            {
              requestId,
              tenantId: options.tenant,
              unitTypeId: options.unitType,
              name: options.name,
              unitCode: options.code ?? null,
              description: options.description ?? null,
              parentUnitId: options.parent ?? null,
            },
            call,
          );
          const made = present(unit);
          return one(toUnitJson(made), unitFacts(made), {
            said: "The unit is made.",
            next: `gatehouse workers onboard --tenant ${made.tenantId} --unit ${made.id} …`,
          });
        },
        {
          tenant_id: "--tenant",
          unit_type_id: "--unit-type",
          unit_code: "--code",
          parent_unit_id: "--parent",
        },
      ),
    );
}

const toUnitJson = (unit: OrganizationUnit) => ({
  id: unit.id,
  tenantId: unit.tenantId,
  unitTypeId: unit.unitTypeId,
  name: unit.name,
  unitCode: unit.unitCode ?? null,
  description: unit.description ?? null,
  parentUnitId: unit.parentUnitId ?? null,
  createdAt: toJsonInstant(unit.createdAt),
});

const unitFacts = (unit: OrganizationUnit) =>
  [
    ["id", unit.id],
    ["name", unit.name],
    ["code", unit.unitCode ?? null],
    ["description", unit.description ?? null],
    ["unit type", unit.unitTypeId],
    ["parent", unit.parentUnitId ?? null],
    ["tenant", unit.tenantId],
    ["created", toShownInstant(unit.createdAt)],
  ] as const;
