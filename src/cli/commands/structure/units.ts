import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { requestIdOption } from "../../input/flags.ts";
import { many } from "../../output/outcome.ts";
import { asTree, shownUnit, toUnitJson, unitColumns } from "./unit-shown.ts";

interface CreateOptions {
  readonly tenant: string;
  readonly unitType: string;
  readonly name: string;
  readonly code?: string;
  readonly description?: string;
  readonly parent?: string;
}

type UpdateOptions = Partial<Pick<CreateOptions, "name" | "code" | "description" | "parent">>;

const UPDATE_FIELDS = {
  unit_id: "<unit-id>",
  name: "--name",
  unit_code: "--code",
  description: "--description",
  parent_unit_id: "--parent",
};

/** `gatehouse units …` */
export function addUnits(program: Command, verb: Verb): void {
  const noun = program.command("units").summary("units of a tenant's structure");

  noun
    .command("create")
    .summary("make a unit")
    .requiredOption("--tenant <id>", "tenant whose structure it is")
    .requiredOption("--unit-type <id>", "layer that it belongs to")
    .requiredOption("--name <text>", "its name")
    .option("--code <text>", "the tenant's own code for it")
    .option("--description <text>", "its purpose")
    .option("--parent <unit id>", "unit above it; by default it is top-level")
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
          return shownUnit(made, {
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

  noun
    .command("update")
    .summary("change the fields whose flags are given; an empty text clears the field")
    .argument("<unit-id>", "the unit")
    .option("--name <text>", "its new name")
    .option("--code <text>", "the tenant's own code for it")
    .option("--description <text>", "its purpose")
    .option("--parent <unit id>", "unit above it")
    .addOption(requestIdOption())
    .action(
      verb<UpdateOptions>(async ({ platform, requestId, call }, options, unitId = "") => {
        const { name, code, description, parent } = options;
        const given = { name, unit_code: code, description, parent_unit_id: parent };
        const { unit } = await platform.updateUnit(
          {
            requestId,
            unitId,
            updateMask: chosenFields(given, UPDATE_FIELDS),
            name: name ?? "",
            unitCode: code ?? null,
            description: description ?? null,
            parentUnitId: parent ?? null,
          },
          call,
        );
        return shownUnit(present(unit), { said: "The unit is changed." });
      }, UPDATE_FIELDS),
    );

  noun
    .command("list")
    .summary("list the units of a tenant, each with those below it")
    .requiredOption("--tenant <id>", "tenant whose structure it is")
    .action(
      verb<{ tenant: string }>(
        async ({ platform, call }, { tenant }) => {
          const { units, unitTypes } = await platform.readStructure({ tenantId: tenant }, call);
          return many({ units: units.map(toUnitJson) }, asTree(units), unitColumns(unitTypes), {
            ifNone: {
              said: "The tenant has no units yet.",
              next: `gatehouse unit-types create --tenant ${tenant} --name … --unit …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );
}
