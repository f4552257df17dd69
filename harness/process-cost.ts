import { readFileSync } from "node:fs";

/** Clock ticks per second of /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** CPU time of a process so far, user and system, in microseconds. Linux only. */
export function cpuMicroseconds(pid: number): number {
  const [user = 0, system = 0] = cpuTicks(pid);
  return ((user + system) / TICKS) * 1e6;
}

/** CPU time so far of a process, of its children and of those that have ended, in microseconds. Linux only. */
export function familyCpuMicroseconds(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ").filter(Boolean);
  const ofChildren = children.reduce((sum, child) => sum + cpuOrNone(Number(child)), 0);
  return (cpuTicks(pid).reduce((sum, ticks) => sum + ticks, 0) / TICKS) * 1e6 + ofChildren;
}

/** Of a process that may have ended meanwhile. */
function cpuOrNone(pid: number): number {
  try {
    return cpuMicroseconds(pid);
  } catch {
    return 0;
  }
}

/** Its user and system time, and those of its children that have ended. */
function cpuTicks(pid: number): readonly number[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the command in parentheses and may hold spaces.
  return stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 15)
    .map(Number);
}

/** Resident memory of a process in MiB. Linux only. */
export const residentMib = (pid: number): number => mibOf(pid, "VmRSS");

/** The most that it was. Linux only. */
export const mostResidentMib = (pid: number): number => mibOf(pid, "VmHWM");

function mibOf(pid: number, field: string): number {
  const kib = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}
