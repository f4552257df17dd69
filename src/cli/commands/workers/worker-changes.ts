import type { Command } from "commander";
import { parseId } from "#runtime/basis/ids.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { repeated, requestIdOption, tenantOption, texts, yesOption } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { locationId, unitId, workerId } from "../../input/references.ts";
import { WORKER } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { withId } from "../../output/terminal-text.ts";
import {
  ADDRESS_FIELDS,
  type AddressOptions,
  addAddressOptions,
  addressFieldsOf,
  addressOf,
} from "../tenants/postal-address.ts";
import { shownWorker } from "./worker-shown.ts";

/** Where a worker works, each by id, name or code. */
export interface PlaceOptions {
  readonly unit?: readonly string[];
  readonly primaryUnit?: string;
  readonly location?: string;
}

interface UpdateOptions extends AddressOptions, PlaceOptions {
  readonly tenant?: string;
  readonly jobTitle?: readonly string[];
  readonly phone?: string;
}

/** The flags that carry the fields of an employment. */
export const EMPLOYMENT_FIELDS = {
  job_titles: "--job-title",
  phone: "--phone",
  unit_ids: "--unit",
  primary_unit_id: "--primary-unit",
  location_id: "--location",
  ...ADDRESS_FIELDS,
};

const UPDATE_FIELDS = { ...WORKER.fields, ...EMPLOYMENT_FIELDS };

/** `gatehouse workers update` and `end` */
export function addWorkerChanges(noun: Command, verb: Verb): void {
  const update = noun
    .command("update")
    .summary("change the fields whose flags are given; an empty text clears the field")
    .argument(...WORKER.argument)
    .addOption(tenantOption())
    .option("--job-title <text>", "the complete new list; may be repeated", repeated)
    .option("--phone <text>", "phone number")
    .option("--unit <unit>", "the complete new list of units, by id, name or code; may be repeated", repeated)
    .option("--primary-unit <unit>", "the primary one among the worker's units")
    .option("--location <id or name>", "place of work")
    .addOption(requestIdOption());
  addAddressOptions(update).action(
    verb<UpdateOptions>(async (asked, options, given = "") => {
      const { platform, requestId, call } = asked;
      const changed = {
        job_titles: options.jobTitle,
        phone: options.phone,
        unit_ids: options.unit,
        primary_unit_id: options.primaryUnit,
        location_id: options.location,
        ...addressFieldsOf(options),
      };
      const updateMask = chosenFields(changed, UPDATE_FIELDS);
      const id = await workerId(asked, given, options.tenant);
      const { worker } = await platform.updateWorker(
        {
          requestId,
          workerId: id,
          updateMask,
          jobTitles: texts(options.jobTitle),
          phone: options.phone ?? null,
          address: addressOf(options),
          ...(await placeIn(asked, options, options.tenant ?? (() => tenantOf(asked, id)))),
        },
        call,
      );
      return shownWorker(asked, present(worker), { said: "The worker is changed." });
    }, UPDATE_FIELDS),
  );

  verbOfOne(noun, verb, WORKER)<ConsentOptions>(
    "end",
    "end the employment, for good; asks first",
    async (asked, id, options, given) => {
      const { platform, requestId, call } = asked;
      await confirmed(asked, options, {
        says: `This ends the employment of ${withId(given, id)} for good: lists and sign-ins no longer include the worker.`,
        question: "End it?",
      });
      const ended = present((await platform.endWorker({ requestId, workerId: id }, call)).worker);
      return shownWorker(asked, ended, {
        said: "The employment has ended: lists and sign-ins no longer include the worker.",
        next: run`gatehouse workers onboard --tenant ${ended.tenantId} --email ${present(ended.person).email} …`,
      });
    },
    yesOption(),
    requestIdOption(),
  );
}

/**
 * The ids of units and location; an empty text is none. The tenant is asked for only where a name is given.
 * @throws CommandError when a name is unknown or ambiguous.
 */
export async function placeIn(
  asked: Asked,
  { unit, primaryUnit, location }: PlaceOptions,
  tenant: string | (() => Promise<string>),
) {
  const given = [...(unit ?? []), primaryUnit ?? "", location ?? ""];
  const isNamed = given.some((text) => text !== "" && !isPlaceId(text));
  const within = isNamed ? await (typeof tenant === "string" ? tenant : tenant()) : undefined;
  const unitIds: string[] = [];
  for (const one of texts(unit)) unitIds.push(await unitId(asked, one, within));
  return {
    unitIds,
    primaryUnitId: primaryUnit ? await unitId(asked, primaryUnit, within) : (primaryUnit ?? null),
    locationId: location ? await locationId(asked, location, within) : (location ?? null),
  };
}

const isPlaceId = (text: string): boolean =>
  parseId("organizationUnit", text) !== undefined || parseId("organizationLocation", text) !== undefined;

const tenantOf = async ({ platform, call }: Asked, id: string): Promise<string> =>
  present((await platform.readWorker({ workerId: id }, call)).worker).tenantId;
