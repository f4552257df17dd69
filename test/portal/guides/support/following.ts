import type { CodeBlock } from "../../../../tools/guides/code-blocks.ts";
import type { Place } from "./place.ts";
import type { Ran, Reader } from "./reader.ts";

/** What came of a block. */
export interface Followed extends Ran {
  /** What its output must contain. */
  readonly shows: string;
  /** Values of the reader's own that it did not ask for when they were empty. */
  readonly silent: readonly string[];
}

const NOT_RUN: Followed = { status: 0, output: "", shows: "", silent: [] };

/** Follows one block as printed, with what happens next; blocks that are not run here come out as if they had worked. */
export async function follow(
  block: CodeBlock,
  reader: Reader,
  place: Place,
  isRunHere: (block: CodeBlock) => boolean,
): Promise<Followed> {
  if (block.notRun !== undefined || !isRunHere(block)) return NOT_RUN;
  const silent = block.file === undefined ? await silentValues(block, reader) : [];
  const ran = await reader.follow(block);
  const seen = ran.status === 0 ? await happensNext(block, ran, reader, place) : "";
  return { status: ran.status, output: ran.output + seen, shows: block.shows ?? block.stays ?? "", silent };
}

/** Starts the program that signs people in once more, with a redirect URI whose path is that of its first page. */
export async function followAtRoot(
  blocks: readonly CodeBlock[],
  reader: Reader,
  place: Place,
  isRunHere: (block: CodeBlock) => boolean,
): Promise<Followed> {
  const program = blocks.find((block) => block.stays?.startsWith("Open http://localhost") && isRunHere(block));
  if (program === undefined) throw new Error("No block starts a program that signs people in.");
  await reader.take("REDIRECT_URI", place.rootRedirectUri);
  const ran = await follow(program, reader, place, isRunHere);
  await reader.take("REDIRECT_URI", place.handOver.REDIRECT_URI ?? "");
  return ran;
}

async function silentValues(block: CodeBlock, reader: Reader): Promise<readonly string[]> {
  const without = await reader.followWithout(block);
  return [...without]
    .filter(([name, { status, output }]) => status === 0 || !output.includes(`set ${name} to`))
    .map(([name]) => name);
}

/** Does what the block says will happen next, or waits for it; what is seen of it. */
async function happensNext(
  { next, stays, shows = "" }: CodeBlock,
  { output }: Ran,
  reader: Reader,
  place: Place,
): Promise<string> {
  if (next === "event") {
    await place.change();
    return reader.printed(shows);
  }
  if (next === "seen") return reader.printed(shows);
  if (next !== "sign-in") return "";
  const [address] = /https?:\S+\/auth\/authorize\S+/.exec(output) ?? [];
  if (address === undefined) return place.visitProgram();
  const back = await place.signInAt(address);
  if (stays !== undefined) return (await fetch(back)).text();
  await reader.take("CODE", back.searchParams.get("code") ?? "");
  return "";
}
