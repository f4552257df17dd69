import { existsSync } from "node:fs";
import { call } from "../support/http.ts";
import { describeWith } from "../support/optional-part.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { type Closer, withScope } from "../support/scope.ts";
import { makeWorld, newTenant, present, type World } from "../support/world.ts";

const READS = 200;
const SCRAPES = 50;

type Opened = { readonly gatehouse: ProcessGatehouse; readonly world: World };

/** What requests come to while metrics are read again and again. */
async function statusesOf({ gatehouse, world }: Opened): Promise<readonly number[]> {
  const headers = { "x-api-key": world.apiKey };
  const [reads, scrapes] = await Promise.all([
    Promise.all(Array.from({ length: READS }, () => call(gatehouse.url, "/v1/instance-integrations", { headers }))),
    Promise.all(
      Array.from({ length: SCRAPES }, () =>
        call(present(gatehouse.programs.all).managementUrl, "/metrics", { contract: "unchecked" }),
      ),
    ),
  ]);
  const addedTenantId = await newTenant(gatehouse, world.instanceId, "Northlight");
  const path = `/v1/instance-integrations/${world.instanceIntegrationId}/clients/${addedTenantId}`;
  const written = await call(gatehouse.url, path, { headers });
  return [...reads, ...scrapes, written].map(({ status }) => status);
}

describeWith(
  { name: "a full disk", missing: existsSync("/dev/full") ? undefined : "There is no /dev/full." },
  "requests to a process whose log takes no lines (F49)",
  () =>
    withScope((closeLater: (closer: Closer) => void) => {
      const open = async (flags: Readonly<Record<string, string>>): Promise<Opened> => {
        const gatehouse = await openProcesses(closeLater, { flags: { "log-level": "debug", ...flags } });
        return { gatehouse, world: await makeWorld(gatehouse) };
      };
      const good = Array.from({ length: READS + SCRAPES + 1 }, () => 200);

      it("are answered while the disk of the log is full, and the process ends in order", async () => {
        const opened = await open({ "log-destination": "/dev/full" });
        expect(await statusesOf(opened)).toEqual(good);
        expect(await present(opened.gatehouse.programs.all).end()).toBe(0);
      });

      it("are answered while the reader of the log is gone, and the process ends in order", async () => {
        const opened = await open({});
        const program = present(opened.gatehouse.programs.all);
        program.child.stdout?.destroy();
        expect(await statusesOf(opened)).toEqual(good);
        expect(await program.end()).toBe(0);
      });
    }),
);
