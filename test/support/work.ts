/**
 * What a task costs this process, in microseconds of CPU: its own work, however busy the machine is. Held against what plain requests cost
 * in the same run, so that a slow machine makes both sides larger; work that grows with the square of an input is still many times more.
 */
export async function workOf(task: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await task();
  return process.cpuUsage(before).user;
}

/** What so many rounds of a task cost, one after the other. */
export const workOfRounds = (rounds: number, task: () => Promise<unknown>): Promise<number> =>
  workOf(async () => {
    for (let round = 0; round < rounds; round++) await task();
  });
