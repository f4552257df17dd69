import type { Command } from "commander";
import type { Verb } from "../../connection/verb.ts";
import { readPassword } from "../../input/secret-input.ts";
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
    .requiredOption("--person <id>", "the person (person_…), as users and workers show it")
    .option("--password-file <path>", "file with the password; standard input by default")
    .action(
      verb<{ person: string; passwordFile?: string }>(
        async ({ signOn, call, stdin, stderr }, { person, passwordFile }) => {
          const password = await readPassword(passwordFile, { stdin, stderr });
          await signOn.setPassword({ personId: person, password }, call);
          return one({ personId: person }, [["person id", person]], {
            said: "The password is set; the person's sessions are ended and their tokens revoked.",
            next: "the person signs in at an application: gatehouse applications list",
          });
        },
        { person_id: "--person", password: "the password" },
      ),
    );
}
