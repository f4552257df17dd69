import type { Command, Option } from "commander";
import type { Asked, Verb } from "../connection/verb.ts";
import type { FieldFlags } from "../output/failed-call.ts";
import type { Outcome } from "../output/outcome.ts";

/** A kind of thing that verbs take as their only argument. */
export interface Subject {
  readonly argument: readonly [name: string, description: string];
  /** Makes the flag that says where a name is looked for, of things that are found in something else. */
  readonly within?: () => Option;
  /** The id of what was given. @throws CommandError */
  readonly find: (asked: Asked, given: string, within: string | undefined) => Promise<string>;
  readonly fields: FieldFlags;
}

/** What a verb does with the thing of an id; `given` is how the command line named it. */
type Act<O> = (asked: Asked, id: string, options: O, given: string) => Promise<Outcome>;

/** Adds verbs that take one thing: each is a name, a summary, what is done with the thing of an id, and its flags. */
export const verbOfOne =
  (noun: Command, verb: Verb, { argument, within, find, fields }: Subject) =>
  <O = object>(name: string, summary: string, act: Act<O>, ...flags: readonly Option[]): Command => {
    const command = noun
      .command(name)
      .summary(summary)
      .argument(...argument);
    const narrower = within?.();
    for (const flag of narrower === undefined ? flags : [narrower, ...flags]) command.addOption(flag);
    return command.action(
      verb<O>(async (asked, options, given = "") => {
        const place = narrower && (options as Readonly<Record<string, string | undefined>>)[narrower.attributeName()];
        const id = await find(asked, given, place);
        asked.foundAs(given, id);
        return act(asked, id, options, given);
      }, fields),
    );
  };
