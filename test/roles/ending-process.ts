import { readConfig } from "../../src/config.ts";
import { startProcess } from "../../src/roles/process.ts";
import { testFlags } from "../support/gatehouse.ts";

/** Run as a process of its own by ended-process.test.ts: ends itself, and prints what its health says before that and while it stops. */
const [, , dataDirectory = "", managementPort = ""] = process.argv;

let address = "";
const printHealth = async () => {
  const answer = await fetch(`${address}/health/ready`);
  process.stdout.write(`${answer.status} ${((await answer.json()) as { readonly status: string }).status}\n`);
};
const flags = testFlags(0, Number(managementPort), dataDirectory);
await startProcess(readConfig({ flags, environment: {}, roles: ["worker"] }), async (own) => {
  own.add({ name: "work under way", stop: printHealth });
  const running = await own.ready();
  address = running.managementAddress;
  await printHealth();
  own.end("The store was set back.", new Error("Test."), 75);
  return running;
});
