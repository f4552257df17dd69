import type { Command } from "commander";
import type { Verb } from "../../connection/verb.ts";
import { personId } from "../../input/references.ts";
import { readPassword } from "../../input/secret-input.ts";
import { leadingTo, run } from "../../output/advice.ts";
import { one } from "../../output/outcome.ts";

/** `gatehouse passwords …` */
export function addPasswords(program: Command, verb: Verb): void {
  program
    .command("passwords")
    .summary("people's passwords")
    .command("set")
    .summary("set a person's password; ends their sessions and revokes their tokens")
    .description(
      "Sets a person's password, under the rules of the page that people use themselves: 15 to 1024 characters, not a common one, not the person's own name. It comes from standard input, or from a file; never from an argument. “gatehouse people reset” lets the person choose instead.",
    )
    .requiredOption("--person <person>", "the person: id (person_…), e-mail address, or first and last name")
    .option("--password-file <path>", "file with the password; standard input by default")
    .action(
      verb<{ person: string; passwordFile?: string }>(
        async (asked, { person, passwordFile }) => {
          const { signOn, call, stdin, stderr } = asked;
          const id = await personId(asked, person);
          const password = await readPassword(passwordFile, { stdin, stderr });
          await signOn.setPassword({ personId: id, password }, call);
          return one({ personId: id }, [["person id", id]], {
            said: "The password is set; the person's sessions are ended and their tokens revoked.",
            next: leadingTo("the person signs in at an application:", run`gatehouse applications list`),
          });
        },
        { person_id: "--person", password: "the password" },
      ),
    );
}
