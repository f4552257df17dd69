import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "../../../src/runtime/process/roles.ts";
import { freePort } from "../../support/free-port.ts";
import { type Program, startProgram } from "../../support/processes.ts";
import type { Closer } from "../../support/scope.ts";
import type { Ledger } from "./ledger.ts";

/** A process of the product under the eyes of a supervisor, as systemd or an orchestrator would be one. */
export interface Member {
  readonly name: string;
  /** Which installation shape's site it belongs to: its edge, services and worker meet in one directory of sockets. */
  readonly site: number;
  program: Program | undefined;
  /** It answered "ready" since its last start. */
  wasReady: boolean;
  /** The run is ending it, so its end says nothing. */
  ending: boolean;
}

export interface MemberOptions {
  readonly site: number;
  /** Without: all roles. */
  readonly role?: Role;
  flags(managementPort: number): Readonly<Record<string, string>>;
}

export interface Fleet {
  readonly members: readonly Member[];
  /** Starts all and waits until they are ready. */
  start(): Promise<void>;
  /** kill -9, and a start after the pause. */
  kill(member: Member, pauseMs: number): Promise<void>;
  /** Notes that a site is disturbed until the returned function is called. */
  disturb(site: number): () => void;
  /** Whether a process of the site was killed, stopped, starved or starting at any time since then. */
  disturbedSince(site: number, since: number): boolean;
  /** Milliseconds until every process says "ready"; undefined when that takes longer than the limit. */
  readyWithin(limitMs: number): Promise<number | undefined>;
  /** What those say that are not ready. */
  troubles(): Promise<string>;
  stop(): Promise<void>;
}

/** For a load on which no fault strikes: no request has an excuse. */
export const UNDISTURBED: Fleet = {
  members: [],
  start: async () => undefined,
  kill: async () => undefined,
  disturb: () => () => undefined,
  disturbedSince: () => false,
  readyWithin: async () => 0,
  troubles: async () => "",
  stop: async () => undefined,
};

const RESTART_PAUSE_MS = 500;
const FIRST_START_MS = 60_000;
/** Characters of a process's last words that an incident shows. */
const TAIL = 900;

/** `storeInTroubleSince` says whether a fault of the store was on since a time: a start may be refused then, and is tried again. */
export function openFleet(
  closeLater: (closer: Closer) => void,
  ledger: Ledger,
  options: readonly MemberOptions[],
  storeInTroubleSince: (time: number) => boolean,
): Fleet {
  const members = options.map(({ site, role }) => ({
    name: `${role ?? "all roles"}${options.some((other) => other.site > 0) ? ` ${site + 1}` : ""}`,
    site,
    program: undefined as Program | undefined,
    wasReady: false,
    ending: false,
  }));
  const disturbances: { readonly site: number; readonly from: number; until: number }[] = [];
  let over = false;

  const disturb = (site: number) => {
    const one = { site, from: Date.now(), until: Number.POSITIVE_INFINITY };
    disturbances.push(one);
    return () => {
      one.until = Math.min(one.until, Date.now());
    };
  };

  async function spawn(member: Member): Promise<void> {
    const option = options[members.indexOf(member)];
    if (over || option === undefined) return;
    const calm = disturb(member.site);
    const managementPort = await freePort();
    const words = Object.entries(option.flags(managementPort)).map(([name, value]) => `--${name}=${value}`);
    const program = startProgram(
      ["serve", ...(option.role === undefined ? [] : ["--role", option.role]), ...words],
      managementPort,
    );
    Object.assign(member, { program, wasReady: false, ending: false });
    const startedAt = Date.now();
    program.child.once("exit", (code, signal) => {
      const excused = !member.wasReady && storeInTroubleSince(startedAt);
      calm();
      if (over || member.ending) return;
      const back = disturb(member.site);
      void ended(member, program, excused, `code ${code}, signal ${signal}`).finally(back);
    });
    void watch(member, program, calm);
  }

  async function watch(member: Member, program: Program, calm: () => void): Promise<void> {
    while (!over && alive(program)) {
      if (await isReady(program)) {
        member.wasReady = member.program === program;
        return calm();
      }
      await sleep(100);
    }
  }

  async function ended(member: Member, program: Program, excused: boolean, how: string): Promise<void> {
    const tail = program.output().trimEnd().slice(-TAIL).replaceAll(/\s+/g, " ");
    if (excused) ledger.count("starts refused while the store was in trouble");
    else ledger.incident(`${member.name} ended by itself (${how}): ${tail}`);
    await sleep(RESTART_PAUSE_MS);
    await spawn(member);
  }

  async function readyWithin(limitMs: number): Promise<number | undefined> {
    const startedAt = Date.now();
    while (Date.now() - startedAt < limitMs) {
      const ready = await Promise.all(members.map(({ program }) => program !== undefined && isReady(program)));
      if (ready.every(Boolean)) return Date.now() - startedAt;
      await sleep(50);
    }
    return undefined;
  }

  async function startOne(member: Member): Promise<void> {
    await spawn(member);
    const until = Date.now() + FIRST_START_MS;
    while (!member.wasReady && Date.now() < until) await sleep(25);
    if (!member.wasReady)
      throw new Error([`${member.name} was not ready:`, member.program?.output(), ...ledger.incidents].join("\n"));
  }

  const stop = async () => {
    over = true;
    for (const { program } of members.toReversed()) program?.child.kill("SIGCONT");
    await Promise.all(members.map(({ program }) => program?.end("SIGKILL")));
  };
  closeLater(stop);

  return {
    members,
    disturb,
    readyWithin,
    stop,
    async start() {
      // The first makes the tables; the others may come all at once.
      const [first, ...others] = members;
      if (first !== undefined) await startOne(first);
      await Promise.all(others.map(startOne));
    },
    async kill(member, pauseMs) {
      const calm = disturb(member.site);
      member.ending = true;
      await member.program?.end("SIGKILL");
      await sleep(pauseMs);
      await spawn(member);
      calm();
    },
    disturbedSince: (site, since) => disturbances.some((one) => one.site === site && one.until >= since),
    async troubles() {
      const told = members.map(async ({ name, program }) => `${name}: ${await healthOf(program)}`);
      return (await Promise.all(told)).join("; ");
    },
  };
}

const alive = ({ child }: Program): boolean => child.exitCode === null && child.signalCode === null;

async function askHealth(program: Program): Promise<Response | undefined> {
  const signal = AbortSignal.timeout(5_000);
  return fetch(`${program.managementUrl}/health/ready`, { signal }).catch(() => undefined);
}

const isReady = async (program: Program): Promise<boolean> => (await askHealth(program))?.status === 200;

async function healthOf(program: Program | undefined): Promise<string> {
  const answer = program && (await askHealth(program));
  return answer === undefined
    ? `no answer ${program?.output().slice(-300) ?? ""}`
    : `${answer.status} ${await answer.text()}`;
}
