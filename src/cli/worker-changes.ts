import type { Command } from "commander";
import { type AddressOptions, addAddressOptions, addressOf } from "./postal-address.ts";
import { present } from "./present.ts";
import { repeated } from "./repeated.ts";
import { requestIdOption } from "./request-id.ts";
import { shellWord } from "./shell-word.ts";
import { type ChangeFlags, fieldFlags, texts, updateMask } from "./update-mask.ts";
import type { Verb } from "./verb.ts";
import { shownWorker } from "./worker-shown.ts";

interface UpdateOptions extends AddressOptions {
  readonly jobTitle?: readonly string[];
  readonly phone?: string;
  readonly unit?: readonly string[];
  readonly primaryUnit?: string;
  readonly location?: string;
}

const CHANGE_FLAGS: ChangeFlags = {
  "--job-title": "job_titles",
  "--phone": "phone",
  "--unit": "unit_ids",
  "--primary-unit": "primary_unit_id",
  "--location": "location_id",
  "--address1": "address.address1",
  "--address2": "address.address2",
  "--postal-code": "address.postal_code",
  "--city": "address.city",
  "--zone": "address.zone_code",
  "--country": "address.iso_country_code",
};

/** `gatehouse workers update` and `end` */
export function addWorkerChanges(noun: Command, verb: Verb): void {
  const update = noun
    .command("update")
    .summary("change what the flags name; an empty text takes it away")
    .argument("<worker-id>", "the worker")
    .option("--job-title <text>", "all of them from now on; may be repeated", repeated)
    .option("--phone <text>", "phone number")
    .option("--unit <id>", "all units from now on; may be repeated", repeated)
    .option("--primary-unit <id>", "the first among the worker's units")
    .option("--location <id>", "place of work")
    .addOption(requestIdOption());
  addAddressOptions(update).action(
    verb<UpdateOptions>(
      async ({ platform, requestId, call }, options, workerId = "") => {
        const { worker } = await platform.updateWorker(
          {
            requestId,
            workerId,
            updateMask: updateMask(options, CHANGE_FLAGS),
            jobTitles: texts(options.jobTitle),
            phone: options.phone ?? null,
            address: addressOf(options),
            unitIds: texts(options.unit),
            primaryUnitId: options.primaryUnit ?? null,
            locationId: options.location ?? null,
          },
          call,
        );
        return shownWorker(present(worker), { said: "The worker is as asked for." });
      },
      { worker_id: "<worker-id>", ...fieldFlags(CHANGE_FLAGS) },
    ),
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
            said: "The employment has ended: the worker is in no list any more, and sign-ins no longer tell of it.",
            next: `gatehouse workers onboard --tenant ${ended.tenantId} --email ${shellWord(present(ended.person).email)} …`,
          });
        },
        { worker_id: "<worker-id>" },
      ),
    );
}
