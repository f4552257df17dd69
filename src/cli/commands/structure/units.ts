import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { requestIdOption, tenantOption } from "../../input/flags.ts";
import { tenantId, unitId, unitTypeId } from "../../input/references.ts";
import { UNIT } from "../../input/subjects.ts";
import { run } from "../../output/advice.ts";
import { many } from "../../output/outcome.ts";
import { addErase } from "../erasing.ts";
import { asTree, shownUnit, structureOf, toUnitJson, unitColumns } from "./unit-shown.ts";

interface CreateOptions {
  readonly tenant: string;
  readonly unitType: string;
  readonly name: string;
  readonly code?: string;
  readonly description?: string;
  readonly parent?: string;
}

type UpdateOptions = Partial<Pick<CreateOptions, "tenant" | "name" | "code" | "description" | "parent">>;

const UPDATE_FIELDS = {
  ...UNIT.fields,
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
    .summary("create a unit")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose structure it is")
    .requiredOption("--unit-type <id or name>", "layer that it belongs to")
    .requiredOption("--name <text>", "its name")
    .option("--code <text>", "the tenant's own code for it")
    .option("--description <text>", "its purpose")
    .option("--parent <unit>", "unit above it, by id, name or code; by default it is top-level")
    .addOption(requestIdOption())
    .action(
      verb<CreateOptions>(
        async (asked, options) => {
          const { platform, requestId, call } = asked;
          const tenant = await tenantId(asked, options.tenant);
          const { unit } = await platform.createUnit(
            {
              requestId,
              tenantId: tenant,
              unitTypeId: await unitTypeId(asked, options.unitType, tenant),
              name: options.name,
              unitCode: options.code ?? null,
              description: options.description ?? null,
              parentUnitId: options.parent ? await unitId(asked, options.parent, tenant) : null,
            },
            call,
          );
          const made = present(unit);
          return shownUnit(asked, made, {
            said: "The unit is created.",
            next: run`gatehouse workers onboard --tenant ${made.tenantId} --unit ${made.id} …`,
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
    .argument(...UNIT.argument)
    .addOption(tenantOption())
    .option("--name <text>", "its new name")
    .option("--code <text>", "the tenant's own code for it")
    .option("--description <text>", "its purpose")
    .option("--parent <unit>", "unit above it, by id, name or code")
    .addOption(requestIdOption())
    .action(
      verb<UpdateOptions>(async (asked, options, given = "") => {
        const { platform, requestId, call } = asked;
        const { name, code, description, parent, tenant } = options;
        const changed = { name, unit_code: code, description, parent_unit_id: parent };
        const updateMask = chosenFields(changed, UPDATE_FIELDS);
        const id = await unitId(asked, given, tenant);
        const { unit } = await platform.updateUnit(
          {
            requestId,
            unitId: id,
            updateMask,
            name: name ?? "",
            unitCode: code ?? null,
            description: description ?? null,
            parentUnitId: parent ? await unitId(asked, parent, tenant) : (parent ?? null),
          },
          call,
        );
        return shownUnit(asked, present(unit), { said: "The unit is changed." });
      }, UPDATE_FIELDS),
    );

  noun
    .command("list")
    .summary("list the units of a tenant, each with those below it")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose structure it is")
    .action(
      verb<{ tenant: string }>(
        async (asked, { tenant }) => {
          const { units, unitTypes } = await structureOf(asked, tenant);
          return many({ units: units.map(toUnitJson) }, asTree(units), unitColumns(unitTypes, asked.shows), {
            ifNone: {
              said: "The tenant has no units yet.",
              next: run`gatehouse unit-types create --tenant ${tenant} --name … --unit …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );

  addErase(noun, verb);
}
