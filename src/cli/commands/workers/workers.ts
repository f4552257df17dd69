import type { Command } from "commander";
import { allPages, present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { repeated, requestIdOption } from "../../input/flags.ts";
import { many } from "../../output/outcome.ts";
import { shellWord } from "../../output/terminal-text.ts";
import { ADDRESS_FIELDS, type AddressOptions, addAddressOptions, addressOf } from "../tenants/postal-address.ts";
import { addWorkerChanges } from "./worker-changes.ts";
import { shownWorker, toWorkerJson, workerColumns } from "./worker-shown.ts";

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
    .requiredOption("--email <address>", "e-mail address; identifies the person")
    .requiredOption("--first-name <text>", "used if the person has none")
    .requiredOption("--last-name <text>", "used if the person has none")
    .option("--job-title <text>", "may be repeated", repeated)
    .option("--phone <text>", "phone number")
    .option("--unit <id>", "unit that the worker belongs to; may be repeated", repeated)
    .option("--primary-unit <id>", "the primary one among those units")
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
        return shownWorker(made, {
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

  addWorkerChanges(noun, verb);

  noun
    .command("show")
    .summary("show one worker, ended or not")
    .argument("<worker-id>", "the worker")
    .action(
      verb<object>(
        async ({ platform, call }, _options, workerId = "") =>
          shownWorker(present((await platform.readWorker({ workerId }, call)).worker)),
        { worker_id: "<worker-id>" },
      ),
    );

  noun
    .command("list")
    .summary("list the workers of a tenant, oldest first")
    .requiredOption("--tenant <id>", "the employer")
    .option("--ended", "workers whose employment has ended too")
    .action(
      verb<{ tenant: string; ended?: boolean }>(
        async ({ platform, call }, { tenant, ended: includeEnded = false }) => {
          const workers = await allPages(
            (after) => platform.listWorkersOfTenant({ tenantId: tenant, after, includeEnded }, call),
            (page) => page.workers,
          );
          return many({ workers: workers.map(toWorkerJson) }, workers, workerColumns(includeEnded), {
            ifNone: {
              said: "The tenant has no workers yet.",
              next: `gatehouse workers onboard --tenant ${tenant} --email …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );
}
