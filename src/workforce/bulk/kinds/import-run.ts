import { Failure } from "#runtime/basis/errors.ts";
import { assertSame, type LineContent } from "../lines/line-content.ts";

/** What became of a line. */
export type Verdict = "created" | "unchanged" | { readonly bad: string };

interface Identified<Id> {
  readonly id: Id;
  readonly createdAt: Date;
}

/** How lines of one kind become what they are about. */
interface Kind<
  Given extends { readonly id: string; readonly createdAt: Date | null },
  E extends Identified<Given["id"]>,
> {
  /** For sentences: `The worker`. */
  readonly noun: string;
  /** What exists already of the run's ids; what the run creates is added. */
  readonly stored: Map<string, E>;
  readonly toLine: (entity: E) => LineContent;
  /** What the line means, whether it is there or not. @throws Failure when it refers to what does not exist. */
  make(given: Given, createdAt: Date): E;
  /** What only something new must keep; notes it for the lines that follow. @throws Failure. */
  admit?(entity: E): void;
  create(entities: readonly E[]): Promise<void>;
}

/** Judges lines of one kind in their order, each by what is stored and by the lines before it, and creates what is new by one write. */
export async function importRun<
  Given extends { readonly id: string; readonly createdAt: Date | null },
  E extends Identified<Given["id"]>,
>(lines: readonly Given[], at: Date, kind: Kind<Given, E>): Promise<Verdict[]> {
  const created: E[] = [];
  const verdicts = lines.map((given) =>
    judged(() => {
      const known = kind.stored.get(given.id);
      const entity = kind.make(given, given.createdAt ?? known?.createdAt ?? at);
      if (known !== undefined) {
        assertSame(`${kind.noun} ${given.id}`, kind.toLine(known), kind.toLine(entity));
        return "unchanged";
      }
      kind.admit?.(entity);
      kind.stored.set(entity.id, entity);
      created.push(entity);
      return "created";
    }),
  );
  if (created.length > 0) await kind.create(created);
  return verdicts;
}

/** A refusal is a verdict; anything else is a fault of ours. */
export function judged(judge: () => Verdict): Verdict {
  try {
    return judge();
  } catch (error) {
    if (error instanceof Failure) return { bad: error.message };
    throw error;
  }
}

export const byId = <E extends { readonly id: string }>(entities: readonly E[]): Map<string, E> =>
  new Map(entities.map((entity) => [entity.id, entity]));
