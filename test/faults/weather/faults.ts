import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultProxy } from "../../support/fault-proxy.ts";
import type { Dice } from "./dice.ts";
import type { Fleet, Member } from "./fleet.ts";
import type { PostgresStore } from "./postgres-store.ts";
import type { Volume } from "./volume.ts";

/** For a process to be ready after its start, on a busy machine. */
const READY_MS = 15_000;

/** One kind of weather. `strike` brings it and takes it away again. */
export interface Fault {
  readonly name: string;
  strike(dice: Dice): Promise<void>;
}

/** What faults can be made with. */
export interface FaultParts {
  readonly fleet: Fleet;
  readonly volume: Volume;
  readonly postgres?: PostgresStore | undefined;
  readonly proxy?: FaultProxy | undefined;
  /** Faults are cut to a second or two, for the short run. */
  readonly brief: boolean;
}

/** What processes suffer; one of these is on at a time. */
export function processFaults({ fleet, brief }: FaultParts): readonly Fault[] {
  const lasting = (dice: Dice, mostMs: number) => sleep(dice.between(200, brief ? 700 : mostMs));
  const ofOne = (name: string, strike: (member: Member, pid: number, dice: Dice) => Promise<void>): Fault => ({
    name,
    async strike(dice) {
      const member = dice.pick(fleet.members);
      const pid = member.program?.child.pid;
      if (pid === undefined) return;
      const calm = fleet.disturb(member.site);
      await strike(member, pid, dice).finally(calm);
    },
  });
  return [
    ofOne("process stopped (SIGSTOP) and continued", async (_, pid, dice) => {
      signal(pid, "SIGSTOP");
      await lasting(dice, 30_000);
      signal(pid, "SIGCONT");
    }),
    ofOne("process killed (-9) and started", (member, _, dice) => fleet.kill(member, dice.between(0, 1_000))),
    ofOne("descriptors used up", async (member, _, dice) => {
      // One that starts may refuse; this is about those that run.
      const pid = await readyPid(member);
      const before = pid === undefined ? undefined : softLimit(pid);
      if (pid === undefined || before === undefined) return;
      setSoftLimit(pid, String(openDescriptors(pid) + dice.between(0, 2)));
      await lasting(dice, 5_000);
      setSoftLimit(pid, before);
    }),
  ];
}

/** What the store suffers; one of these is on at a time, beside one of a process. */
export function storeFaults({ volume, postgres, proxy, brief }: FaultParts): readonly Fault[] {
  const lasting = (dice: Dice, mostMs: number) => sleep(dice.between(200, brief ? 1_000 : mostMs));
  const { fill } = volume;
  const full: readonly Fault[] =
    fill === undefined
      ? []
      : [
          {
            name: "disk full",
            async strike(dice) {
              fill();
              await lasting(dice, 8_000);
              volume.free();
              await postgres?.ensureRunning();
            },
          },
        ];
  return postgres === undefined ? full : [...serverFaults(postgres, lasting), ...silences(proxy, brief), ...full];
}

const serverFaults = (
  postgres: PostgresStore,
  lasting: (dice: Dice, mostMs: number) => Promise<void>,
): readonly Fault[] => [
  {
    name: "backend terminated",
    async strike(dice) {
      for (let left = dice.between(1, 3); left > 0; left--) {
        const rows = await postgres.query(
          "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() order by pid",
        );
        if (rows.length > 0) await postgres.query("select pg_terminate_backend($1)", [dice.pick(rows).pid]);
      }
    },
  },
  { name: "server restarted, fast", strike: () => postgres.restart("fast") },
  { name: "server restarted, immediate", strike: () => postgres.restart("immediate") },
  {
    name: "server read-only",
    async strike(dice) {
      await postgres.query("alter system set default_transaction_read_only = on");
      await postgres.query("select pg_reload_conf()");
      await lasting(dice, 8_000);
      await postgres.query("alter system reset default_transaction_read_only");
      await postgres.query("select pg_reload_conf()");
    },
  },
];

const silences = (proxy: FaultProxy | undefined, brief: boolean): readonly Fault[] =>
  (brief ? [1] : [1, 10, 60]).map((seconds) => ({
    name: `network to the store silent for ${seconds} s`,
    /** In the end it delivers what it kept, or has forgotten its connections. */
    async strike(dice) {
      const forgets = dice.chance(0.5);
      if (forgets) proxy?.silence();
      else proxy?.hold();
      await sleep(seconds * 1_000);
      if (forgets) proxy?.cut();
      proxy?.pass();
    },
  }));

/** A process that has just ended gets no signal. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

/** The process of a member that was ready; `undefined` when it was not within the time of a start. */
async function readyPid(member: Member): Promise<number | undefined> {
  const until = Date.now() + READY_MS;
  while (!member.wasReady && Date.now() < until) await sleep(50);
  return member.wasReady ? member.program?.child.pid : undefined;
}

function softLimit(pid: number): string | undefined {
  try {
    const args = ["--pid", String(pid), "--nofile", "--output", "SOFT", "--noheadings"];
    return execFileSync("prlimit", args, { stdio: ["ignore", "pipe", "ignore"] })
      .toString()
      .trim();
  } catch {
    return undefined;
  }
}

function setSoftLimit(pid: number, limit: string): void {
  try {
    execFileSync("prlimit", ["--pid", String(pid), `--nofile=${limit}:`], { stdio: "ignore" });
  } catch {
    // The process has ended meanwhile: its successor has the usual limit.
  }
}

function openDescriptors(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return 0;
  }
}
