import { chmod, open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory } from "#runtime/basis/directories.ts";
import { CannotStart } from "#runtime/basis/errors.ts";

/** A person who can sign in. */
export interface DemoPerson {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Why to sign in as them, in a sentence or two. */
  readonly note: string;
}

/** The sample integrator's credentials for one of its addresses. */
export interface Registration {
  readonly sampleUrl: string;
  readonly application: {
    readonly clientId: string;
    readonly clientSecret: string;
    readonly redirectUri: string;
  };
  readonly webhook: {
    readonly subscriptionId: string;
    readonly signingSecret: string;
    readonly endpointUrl: string;
  };
}

/** Results of the seed that later starts need. */
export interface Seeded {
  readonly instanceIds: Readonly<Record<"europe" | "north-america", string>>;
  readonly integrationId: string;
  /** The connection with Europe: the sample's events come from there. */
  readonly instanceIntegrationId: string;
  /** A second integration, whose connection is not configured. */
  readonly unfinished: { readonly integrationId: string; readonly instanceIntegrationId: string };
  readonly personIds: { readonly invited: string; readonly owner: string };
}

/** One run of the seed, which may have been interrupted. */
export interface Seed {
  /** Part of every request id, so that continuing repeats nothing (R-G18). */
  readonly id: string;
  readonly startedAt: string;
  /** Absent until the seed is complete. */
  readonly seeded?: Seeded;
}

/**
 * `.gatehouse/demo.json`: data that the page prints and the sample reads. The optional parts are absent while a first
 * start is under way.
 */
export interface DemoFile extends Partial<Registration> {
  readonly issuer: string;
  readonly gatewayUrl: string;
  readonly people: readonly DemoPerson[];
  readonly apiKey?: string;
  /** A connection that shows "Instance integration not configured" (R-G5). */
  readonly unfinished?: { readonly apiKey: string; readonly instanceIntegrationId: string };
  readonly seed: Seed;
  /** Every address that the sample has had, including the present one. */
  readonly registrations: readonly Registration[];
}

/** The file of a demonstration that is complete. */
export type Demonstration = DemoFile & Required<Pick<DemoFile, "apiKey" | "unfinished">> & Registration;

/**
 * Reads the file; `undefined` when there is none.
 * @throws CannotStart when the file does not belong to a demonstration.
 */
export async function readDemoFile(path: string): Promise<DemoFile | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") return undefined;
    throw new CannotStart(`${path} cannot be read (${code}). Make it readable for you, or remove ${dirname(path)}.`, {
      cause,
    });
  }
  try {
    const content = JSON.parse(text) as DemoFile;
    if (typeof content.seed.id === "string") return content;
  } catch {
    // Reported below.
  }
  throw new CannotStart(`${path} does not hold a demonstration. Remove ${dirname(path)} to begin a new one.`);
}

/** Replaces the file in one step, so that a reader finds the old one or the new one; readable for its owner alone. */
export async function writeDemoFile(path: string, content: DemoFile): Promise<void> {
  const draft = `${path}.${process.pid}`;
  makeDirectory(dirname(path), 0o700);
  try {
    const file = await open(draft, "w", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(content, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await chmod(draft, 0o600);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
