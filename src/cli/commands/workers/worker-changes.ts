import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { repeated, requestIdOption, texts } from "../../input/flags.ts";
import { shellWord } from "../../output/terminal-text.ts";
import {
  ADDRESS_FIELDS,
  type AddressOptions,
  addAddressOptions,
  addressFieldsOf,
  addressOf,
} from "../tenants/postal-address.ts";
import { shownWorker } from "./worker-shown.ts";

interface UpdateOptions extends AddressOptions {
  readonly jobTitle?: readonly string[];
  readonly phone?: string;
  readonly unit?: readonly string[];
  readonly primaryUnit?: string;
  readonly location?: string;
}

const UPDATE_FIELDS = {
  worker_id: "<worker-id>",
  job_titles: "--job-title",
  phone: "--phone",
  unit_ids: "--unit",
  primary_unit_id: "--primary-unit",
  location_id: "--location",
  ...ADDRESS_FIELDS,
};

/** `gatehouse workers update` and `end` */
export function addWorkerChanges(noun: Command, verb: Verb): void {
  const update = noun
    .command("update")
    .summary("change the fields whose flags are given; an empty text clears the field")
    .argument("<worker-id>", "the worker")
    .option("--job-title <text>", "the complete new list; may be repeated", repeated)
    .option("--phone <text>", "phone number")
    .option("--unit <id>", "the complete new list of units; may be repeated", repeated)
    .option("--primary-unit <id>", "the primary one among the worker's units")
    .option("--location <id>", "place of work")
    .addOption(requestIdOption());
  addAddressOptions(update).action(
    verb<UpdateOptions>(async ({ platform, requestId, call }, options, workerId = "") => {
      const given = {
        job_titles: options.jobTitle,
        phone: options.phone,
        unit_ids: options.unit,
        primary_unit_id: options.primaryUnit,
        location_id: options.location,
        ...addressFieldsOf(options),
      };
      const { worker } = await platform.updateWorker(
        {
          requestId,
          workerId,
          updateMask: chosenFields(given, UPDATE_FIELDS),
          jobTitles: texts(options.jobTitle),
          phone: options.phone ?? null,
          address: addressOf(options),
          unitIds: texts(options.unit),
          primaryUnitId: options.primaryUnit ?? null,
          locationId: options.location ?? null,
        },
        call,
      );
      return shownWorker(present(worker), { said: "The worker is changed." });
    }, UPDATE_FIELDS),
  );

  noun
    .command("end")
    .summary("end the employment, for good")
    .argument("<worker-id>", "the worker")
    .addOption(requestIdOption())
    .action(
      verb<object>(
        async ({ platform, requestId, call }, _options, workerId = "") => {
          const ended = present((await platform.endWorker({ requestId, workerId }, call)).worker);
          return shownWorker(ended, {
            said: "The employment has ended: lists and sign-ins no longer include the worker.",
            next: `gatehouse workers onboard --tenant ${ended.tenantId} --email ${shellWord(present(ended.person).email)} …`,
          });
        },
        { worker_id: "<worker-id>" },
      ),
    );
}
