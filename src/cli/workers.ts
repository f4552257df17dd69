import type { Command } from "commander";
import type { Worker } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { toJsonInstant, toShownInstant } from "./instant.ts";
import { one } from "./outcome.ts";
import { shownEmail, shownPerson, toPersonJson } from "./person-shown.ts";
import {
  ADDRESS_FIELDS,
  type AddressOptions,
  addAddressOptions,
  addressOf,
  toAddressJson,
  toShownAddress,
} from "./postal-address.ts";
import { present } from "./present.ts";
import { repeated } from "./repeated.ts";
import { requestIdOption } from "./request-id.ts";
import { shellWord } from "./shell-word.ts";
import type { Verb } from "./verb.ts";

interface OnboardOptions extends AddressOptions {
  readonly tenant: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly jobTitle?: readonly string[];
  readonly phone?: string;
  readonly unit?: readonly string[];
  readonly primaryUnit?: string;
  readonly location?: string;
  readonly emailVerified?: boolean;
}

/** `gatehouse workers …` */
export function addWorkers(program: Command, verb: Verb): void {
  const noun = program.command("workers").summary("people's employments with a tenant");

  const onboard = noun
    .command("onboard")
    .summary("make a person a worker of a tenant")
    .requiredOption("--tenant <id>", "the employer")
    .requiredOption("--email <address>", "e-mail address; decides which person it is")
    .requiredOption("--first-name <text>", "taken when the person has none")
    .requiredOption("--last-name <text>", "taken when the person has none")
    .option("--job-title <text>", "may be repeated", repeated)
    .option("--phone <text>", "phone number")
    .option("--unit <id>", "unit that the worker belongs to; may be repeated", repeated)
    .option("--primary-unit <id>", "the first among those units")
    .option("--location <id>", "place of work")
    .option("--email-verified", "the platform vouches for the address")
    .addOption(requestIdOption());
  addAddressOptions(onboard).action(
    verb<OnboardOptions>(
      async ({ platform, requestId, call }, options) => {
        const { worker } = await platform.onboardWorker(
          {
            requestId,
            tenantId: options.tenant,
            email: options.email,
            firstName: options.firstName,
            lastName: options.lastName,
            jobTitles: [...(options.jobTitle ?? [])],
            phone: options.phone ?? null,
            address: addressOf(options),
            unitIds: [...(options.unit ?? [])],
            primaryUnitId: options.primaryUnit ?? null,
            locationId: options.location ?? null,
            emailVerified: options.emailVerified ?? false,
          },
          call,
        );
        const made = present(worker);
        return one(toWorkerJson(made), workerFacts(made), {
          said: "The worker is on board.",
          next: `gatehouse users invite --tenant ${made.tenantId} --email ${shellWord(present(made.person).email)}`,
        });
      },
      {
        tenant_id: "--tenant",
        job_titles: "--job-title",
        unit_ids: "--unit",
        primary_unit_id: "--primary-unit",
        location_id: "--location",
        ...ADDRESS_FIELDS,
      },
    ),
  );
}

const toWorkerJson = (worker: Worker) => ({
  id: worker.id,
  tenantId: worker.tenantId,
  person: toPersonJson(present(worker.person)),
  jobTitles: worker.jobTitles,
  phone: worker.phone ?? null,
  address: toAddressJson(worker.address),
  unitIds: worker.unitIds,
  primaryUnitId: worker.primaryUnitId ?? null,
  locationId: worker.locationId ?? null,
  createdAt: toJsonInstant(worker.createdAt),
  endedAt: toJsonInstant(worker.endedAt),
});

const workerFacts = (worker: Worker) =>
  [
    ["id", worker.id],
    ["tenant", worker.tenantId],
    ["person", shownPerson(worker.person)],
    ["e-mail", shownEmail(worker.person)],
    ["person id", worker.person?.id],
    ["job titles", worker.jobTitles],
    ["phone", worker.phone ?? null],
    ["address", toShownAddress(worker.address)],
    ["units", worker.unitIds],
    ["primary unit", worker.primaryUnitId ?? null],
    ["location", worker.locationId ?? null],
    ["created", toShownInstant(worker.createdAt)],
  ] as const;
