import { readFileSync } from "node:fs";

/** Clock ticks per second of /proc; 100 on every Linux that Node runs on. */
const TICKS = 100;

/** CPU time of a process so far, user and system, in microseconds. Linux only. */
export function cpuMicroseconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the command in parentheses and may hold spaces.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[11]) + Number(fields[12])) / TICKS) * 1e6;
}

/** Resident memory of a process in MiB. Linux only. */
export const residentMib = (pid: number): number => mibOf(pid, "VmRSS");

/** The most that it was. Linux only. */
export const mostResidentMib = (pid: number): number => mibOf(pid, "VmHWM");

function mibOf(pid: number, field: string): number {
  const kib = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kib) / 1024;
}
