import type { CodeBlock } from "../../../../tools/guides/code-blocks.ts";
import { type Place, VISITOR, type Visit } from "./place.ts";
import type { Ran, Reader } from "./reader.ts";

/** What came of a block. */
export interface Followed extends Ran {
  /** What its output must contain. */
  readonly shows: string;
  /** Values of the reader's own that it did not ask for when they were empty. */
  readonly silent: readonly string[];
  /** What a browser saw of the program that the block started; as it should be when it started none. */
  readonly visit: Visit;
}

const NO_VISIT: Visit = { shown: VISITOR, iconStatus: 404 };
const NOT_RUN: Followed = { status: 0, output: "", shows: "", silent: [], visit: NO_VISIT };

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
  const visit = ran.status === 0 && isVisited(block, ran) ? await place.visitProgram() : undefined;
  const seen = visit?.shown ?? (ran.status === 0 ? await happensNext(block, ran, reader, place) : "");
  const shows = block.shows ?? block.stays ?? "";
  return { status: ran.status, output: ran.output + seen, shows, silent, visit: visit ?? NO_VISIT };
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

const authorizeAddress = ({ output }: Ran): string | undefined => /https?:\S+\/auth\/authorize\S+/.exec(output)?.[0];

/** True where a person opens the program's own first page; others print the address for the browser. */
const isVisited = ({ next }: CodeBlock, ran: Ran): boolean => next === "sign-in" && authorizeAddress(ran) === undefined;

/** Does what the block says will happen next, or waits for it; what is seen of it. */
async function happensNext(
  { next, stays, shows = "" }: CodeBlock,
  ran: Ran,
  reader: Reader,
  place: Place,
): Promise<string> {
  if (next === "event") {
    await place.change();
    return reader.printed(shows);
  }
  if (next === "seen") return reader.printed(shows);
  const address = authorizeAddress(ran);
  if (next !== "sign-in" || address === undefined) return "";
  const back = await place.signInAt(address);
  if (stays !== undefined) return (await fetch(back)).text();
  await reader.take("CODE", back.searchParams.get("code") ?? "");
  return "";
}
