import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ROOT = join(import.meta.dirname, "..", "..");

/** A program that calls one function of a file of the repository with its words, and prints the path that it answers. */
export const scriptOf = (file: string, name: string): string =>
  `import { ${name} } from ${JSON.stringify(pathToFileURL(join(ROOT, file)).href)};
   const { codePath } = await ${name}(...process.argv.slice(1));
   process.stdout.write(codePath ?? "");`;
