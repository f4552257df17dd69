import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { allPages } from "../../connection/whole-lists.ts";
import { repeated, requestIdOption } from "../../input/flags.ts";
import { tenantId } from "../../input/references.ts";
import { WORKER } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { many } from "../../output/outcome.ts";
import { addErase } from "../erasing.ts";
import { type AddressOptions, addAddressOptions, addressOf } from "../tenants/postal-address.ts";
import { addWorkerChanges, EMPLOYMENT_FIELDS, type PlaceOptions, placeIn } from "./worker-changes.ts";
import { shownWorker, toWorkerJson, workerColumns } from "./worker-shown.ts";

interface OnboardOptions extends AddressOptions, PlaceOptions {
  readonly tenant: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly jobTitle?: readonly string[];
  readonly phone?: string;
  readonly emailVerified?: boolean;
}

/** `gatehouse workers …` */
export function addWorkers(program: Command, verb: Verb): void {
  const noun = program.command("workers").summary("people's employments with a tenant");

  const onboard = noun
    .command("onboard")
    .summary("make a person a worker of a tenant")
    .requiredOption("--tenant <id or name>", "the employer: a tenant, the wire's client")
    .requiredOption("--email <address>", "e-mail address; identifies the person")
    .requiredOption("--first-name <text>", "used if the person has none")
    .requiredOption("--last-name <text>", "used if the person has none")
    .option("--job-title <text>", "may be repeated", repeated)
    .option("--phone <text>", "phone number")
    .option("--unit <unit>", "unit that the worker belongs to, by id, name or code; may be repeated", repeated)
    .option("--primary-unit <unit>", "the primary one among those units")
    .option("--location <id or name>", "place of work")
    .option("--email-verified", "the platform vouches for the address")
    .addOption(requestIdOption());
  addAddressOptions(onboard).action(
    verb<OnboardOptions>(
      async (asked, options) => {
        const { platform, requestId, call } = asked;
        const tenant = await tenantId(asked, options.tenant);
        const { worker } = await platform.onboardWorker(
          {
            requestId,
            tenantId: tenant,
            email: options.email,
            firstName: options.firstName,
            lastName: options.lastName,
            jobTitles: [...(options.jobTitle ?? [])],
            phone: options.phone ?? null,
            address: addressOf(options),
            ...(await placeIn(asked, options, tenant)),
            emailVerified: options.emailVerified ?? false,
          },
          call,
        );
        const made = present(worker);
        return shownWorker(asked, made, {
          said: "The worker is on board.",
          next: run`gatehouse users invite --tenant ${made.tenantId} --email ${present(made.person).email}`,
        });
      },
      { tenant_id: "--tenant", ...EMPLOYMENT_FIELDS },
    ),
  );

  addWorkerChanges(noun, verb);

  verbOfOne(noun, verb, WORKER)("show", "show one worker, ended or not", async (asked, workerId) =>
    shownWorker(asked, present((await asked.platform.readWorker({ workerId }, asked.call)).worker)),
  );

  noun
    .command("list")
    .summary("list the workers of a tenant, oldest first")
    .requiredOption("--tenant <id or name>", "the employer: a tenant, the wire's client")
    .option("--ended", "workers whose employment has ended too")
    .action(
      verb<{ tenant: string; ended?: boolean }>(
        async (asked, { tenant, ended: includeEnded = false }) => {
          const { platform, call } = asked;
          const id = await tenantId(asked, tenant);
          const workers = await allPages(
            (after) => platform.listWorkersOfTenant({ tenantId: id, after, includeEnded }, call),
            (page) => page.workers,
          );
          return many({ workers: workers.map(toWorkerJson) }, workers, workerColumns(includeEnded), {
            ifNone: {
              said: "The tenant has no workers yet.",
              next: run`gatehouse workers onboard --tenant ${tenant} --email …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );

  addErase(noun, verb);
}
