import { startBenchProgram } from "./program.ts";

/** CPU microseconds of a bare sign-and-POST, 16 under way, against the endpoint. */
export async function postLoop(origin: string, posts: number): Promise<number> {
  const program = await startBenchProgram(["bench/floors/post-loop.ts", origin, String(posts), "16"]);
  return (JSON.parse(program.firstLine) as { readonly cpuMicroseconds: number }).cpuMicroseconds;
}
