import { join } from "node:path";
import type { Instance, Integration } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { DAY_MS } from "#runtime/basis/durations.ts";
import { CannotStart, Failure } from "#runtime/basis/errors.ts";
import type { Random } from "#runtime/basis/random.ts";
import { present } from "../connection/answers.ts";
import { type Connection, connectTo } from "../connection/connection.ts";
import { allInstances, allIntegrations } from "../connection/whole-lists.ts";
import { issueApiKey, newPeople, registerSample, setPasswords } from "./credentials.ts";
import {
  type DemoFile,
  type Demonstration,
  type Registration,
  readDemoFile,
  type Seed,
  type Seeded,
  writeDemoFile,
} from "./demo-file.ts";
import { newSeedId } from "./password.ts";
import { seedPlatform } from "./seed.ts";
import { INSTANCE_IDS } from "./workforce.ts";

/** How long request ids are remembered (R-G18), and so how long an interrupted seed can be continued. */
const SEED_MS_MAX = DAY_MS;

interface DemonstrationOptions {
  readonly dataDirectory: string;
  readonly socketDirectory: string;
  readonly issuer: string;
  readonly gatewayUrl: string;
  /** An origin. */
  readonly sampleUrl: string;
  readonly random: Random;
  readonly now: Date;
  /** Called before data are made, which takes a moment. */
  readonly onFirstStart: () => void;
}

export const demoFilePath = (dataDirectory: string): string => join(dataDirectory, "demo.json");

/**
 * Makes sure that the running Gatehouse has the demonstration and that the sample is registered at its address. Only a
 * first start makes data; an interrupted one is continued. Each credential is written down as soon as it exists.
 * @throws CannotStart when the store holds other data, or an interrupted start is too old to be continued.
 */
export async function prepareDemonstration(options: DemonstrationOptions): Promise<Demonstration> {
  const connection = connectTo(options.socketDirectory);
  try {
    const begun = await begin(connection, options);
    const seeded = await seed(connection, options, begun);
    const keyed = await issueKeys(connection, options, seeded);
    return await takeAddresses(connection, options, keyed);
  } finally {
    await connection.close();
  }
}

type SeededFile = DemoFile & { readonly seed: Seed & { readonly seeded: Seeded } };
type KeyedFile = SeededFile & Required<Pick<DemoFile, "apiKey" | "unfinished">>;

/** The existing file if it belongs to the store, or a new one. */
async function begin({ platform, workforce }: Connection, options: DemonstrationOptions): Promise<DemoFile> {
  const { dataDirectory, random, now, issuer, gatewayUrl } = options;
  const file = await readDemoFile(demoFilePath(dataDirectory));
  const instances = await allInstances({ platform });
  if (file !== undefined && instances.length > 0) {
    const integrations = await allIntegrations({ workforce });
    const all = integrations.map(({ integration }) => present(integration));
    return belongsTo(file, instances, all, options);
  }
  if (instances.length > 0)
    throw new CannotStart(
      `The store holds data that no demonstration made (${dataDirectory} has no demo.json). Run “gatehouse serve”, or name another data-directory.`,
    );
  options.onFirstStart();
  const fresh: DemoFile = {
    issuer,
    gatewayUrl,
    people: newPeople(random),
    seed: { id: newSeedId(random), startedAt: now.toISOString() },
    registrations: [],
  };
  // Before the first call: everything made from now on can be found again.
  return save(options, fresh);
}

function belongsTo(
  file: DemoFile,
  instances: readonly Instance[],
  integrations: readonly Integration[],
  { dataDirectory, now }: DemonstrationOptions,
): DemoFile {
  const { startedAt, seeded } = file.seed;
  const isOurs =
    seeded === undefined
      ? instances.every(({ id }) => Object.values<string>(INSTANCE_IDS).includes(id))
      : instances.some(({ id }) => id === seeded.instanceIds.europe) &&
        // All demonstrations have the same instances; only the id of the integration is unique to this store.
        integrations.some(({ id }) => id === seeded.integrationId);
  if (!isOurs)
    throw new CannotStart(
      `${demoFilePath(dataDirectory)} belongs to another store than this one. Remove that file and the store, or name another data-directory.`,
    );
  if (seeded === undefined && now.getTime() - Date.parse(startedAt) > SEED_MS_MAX)
    throw new CannotStart(
      `The first start of this demonstration was interrupted more than a day ago. Remove ${dataDirectory} to start over.`,
    );
  return file;
}

async function seed(connection: Connection, options: DemonstrationOptions, file: DemoFile): Promise<SeededFile> {
  const done = file.seed.seeded;
  if (done !== undefined) return { ...file, seed: { ...file.seed, seeded: done } };
  const seeded = await seedPlatform(connection, file.seed.id);
  await setPasswords(connection, file.people, seeded);
  return save(options, { ...file, seed: { ...file.seed, seeded } });
}

async function issueKeys(connection: Connection, options: DemonstrationOptions, file: SeededFile): Promise<KeyedFile> {
  const { integrationId, unfinished } = file.seed.seeded;
  const withKey =
    file.apiKey === undefined
      ? await save(options, { ...file, apiKey: await issueApiKey(connection, integrationId) })
      : { ...file, apiKey: file.apiKey };
  if (withKey.unfinished !== undefined) return { ...withKey, unfinished: withKey.unfinished };
  const apiKey = await issueApiKey(connection, unfinished.integrationId);
  return save(options, { ...withKey, unfinished: { apiKey, instanceIntegrationId: unfinished.instanceIntegrationId } });
}

/** Addresses may differ between starts: the sample is registered once for each, and gets events at the present one. */
async function takeAddresses(
  connection: Connection,
  options: DemonstrationOptions,
  file: KeyedFile,
): Promise<Demonstration> {
  const { issuer, gatewayUrl, sampleUrl, random } = options;
  const known = file.registrations.find((one) => one.sampleUrl === sampleUrl);
  const registration = known ?? (await registerSample(connection, sampleUrl, file.seed.seeded, random));
  const registrations = known === undefined ? [...file.registrations, registration] : file.registrations;
  const left = file.registrations.find((one) => one.sampleUrl === file.sampleUrl && one.sampleUrl !== sampleUrl);
  if (left !== undefined) await moveEvents(connection, { from: left, to: registration });
  const { people, apiKey, unfinished, seed: of } = file;
  const next = { issuer, gatewayUrl, ...registration, people, apiKey, unfinished, seed: of, registrations };
  return JSON.stringify(next) === JSON.stringify(file) ? next : save(options, next);
}

/**
 * Nothing listens any more at the address that the sample has left: posting there would fail until its subscription is
 * disabled. One that was disabled or deleted since stays as it is.
 */
async function moveEvents(
  { subscriptions }: Connection,
  { from, to }: { readonly from: Registration; readonly to: Registration },
): Promise<void> {
  const unlessRefused = (error: unknown) => {
    if (!(error instanceof Failure) || !["FAILED_PRECONDITION", "NOT_FOUND"].includes(error.code)) throw error;
  };
  await subscriptions.pauseSubscription({ subscriptionId: from.webhook.subscriptionId }).catch(unlessRefused);
  await subscriptions.resumeSubscription({ subscriptionId: to.webhook.subscriptionId }).catch(unlessRefused);
}

async function save<F extends DemoFile>({ dataDirectory }: DemonstrationOptions, file: F): Promise<F> {
  await writeDemoFile(demoFilePath(dataDirectory), file);
  return file;
}
