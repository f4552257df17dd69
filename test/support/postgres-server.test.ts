import { execFileSync } from "node:child_process";
import { join } from "node:path";

it("the tests' server and its clients are another than the one that the shell's variables name", () => {
  const script = `import(process.argv[1]).then(() => console.log(Object.keys(process.env).filter((name) => name.startsWith("PG"))))`;
  const env = { ...process.env, PGHOST: "db.example", PGPORT: "9999", PGUSER: "somebody", PGOPTIONS: "-c jit=on" };
  const words = ["-e", script, join(import.meta.dirname, "postgres-server.ts")];
  expect(execFileSync(process.execPath, words, { env, encoding: "utf8" })).toBe("[]\n");
});
