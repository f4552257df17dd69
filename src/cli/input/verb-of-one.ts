import type { Command } from "commander";
import type { Asked, Verb } from "../connection/verb.ts";
import type { FieldFlags } from "../output/failed-call.ts";
import type { Outcome } from "../output/outcome.ts";

/** A kind of thing that verbs take as their only argument. */
export interface Subject {
  readonly argument: readonly [name: string, description: string];
  /** The id of what was given. @throws CommandError */
  readonly find: (asked: Asked, given: string) => Promise<string>;
  readonly fields: FieldFlags;
}

/** Adds verbs that take one thing and no flag: each is a name, a summary, and what is done with the thing of an id. */
export const verbOfOne =
  (noun: Command, verb: Verb, { argument, find, fields }: Subject) =>
  (name: string, summary: string, act: (asked: Asked, id: string) => Promise<Outcome>): Command =>
    noun
      .command(name)
      .summary(summary)
      .argument(...argument)
      .action(verb<object>(async (asked, _options, given = "") => act(asked, await find(asked, given)), fields));
