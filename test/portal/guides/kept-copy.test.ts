import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connectTo } from "../../../src/cli/connection/connection.ts";
import { codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { onboarding, present } from "../../support/world.ts";
import { openPlace, type Place } from "./support/place.ts";
import { Reader } from "./support/reader.ts";

interface Copy {
  readonly listedAt: number;
  readonly workers: Readonly<Record<string, { readonly ended: boolean; readonly name: string }>>;
}

describe("the program of keep-a-copy, as printed", () =>
  withScope((closeLater) => {
    let place: Place;
    let reader: Reader;
    let guide: string;
    let run: () => Promise<string>;
    const kept = (): Copy => JSON.parse(readFileSync(join(reader.folder, "copy.json"), "utf8"));

    const onboard = async (email: string): Promise<string> => {
      const { worker } = await place.gatehouse.platform.onboardWorker(onboarding(place.world.tenantId, email));
      return present(worker).id;
    };
    /** Relayed events have their place in the feed. */
    const ran = (output: string) => eventually(run, (said) => said.includes(output));

    beforeAll(async () => {
      place = await openPlace(closeLater);
      reader = await Reader.begin(place.handOver);
      closeLater(() => reader.end());
      await reader.findPackages({ "gatehouse-sdk": "generated/sdk/typescript" });
      guide = (await call(place.gatehouse.url, "/docs/guides/keep-a-copy.md")).text;
      const blocks = codeBlocks(guide);
      const [subscription] = (await place.gatehouse.webhooks.listSubscriptions({ states: [] })).subscriptions;
      await reader.take("SUBSCRIPTION_ID", present(subscription).id);
      await reader.follow(present(blocks.find(({ file }) => file === "copy.ts")));
      const start = present(blocks.find(({ text }) => text.endsWith("node copy.ts")));
      run = async () => {
        const { status, output } = await reader.follow(start);
        expect([status, output]).toEqual([0, expect.stringMatching(/\d+ events, \d+ workers/)]);
        return output;
      };
    });

    it("begins from the lists, with the workers of now", async () => {
      expect(await run()).toContain("0 events, 3 workers");
    });

    it("follows who came, who changed and who ended since, and reads no list for it", async () => {
      const { listedAt } = kept();
      const stays = await onboard("pia@harbour.example");
      const goes = await onboard("olav@harbour.example");
      await place.gatehouse.platform.endWorker({ requestId: "", workerId: goes });
      await ran("4 workers");
      expect(kept()).toMatchObject({ listedAt, workers: { [stays]: { ended: false }, [goes]: { ended: true } } });
      expect(await run()).toContain("0 events, 4 workers");
    });

    it("has nothing more of a worker who was erased, by the name that the guide says such events have", async () => {
      const workerId = await onboard("ebba@harbour.example");
      await ran("5 workers");
      const connection = connectTo(join(place.gatehouse.dataDirectory, "sockets"));
      closeLater(() => connection.close());
      await connection.erasure.erase({ target: { id: { $case: "workerId", value: workerId } } });
      await ran("4 workers");
      const [, name] = /Its event has `([^`]+)` in\s+place\s+of\s+the\s+names/.exec(guide) ?? [];
      expect(kept().workers[workerId]).toEqual({ sequence: expect.any(Number), ended: true, name: present(name) });
    });

    it("finds in the lists, a day later, whom no event named", async () => {
      const { workers, ...copy } = kept();
      const [[missed], [invented]] = [Object.keys(workers), ["worker_AAAAAAAAAAAAAAAAAAAAA"]];
      const { [present(missed)]: _, ...others } = workers;
      const before = { ...others, [present(invented)]: { sequence: 0, ended: false, name: "Nobody" } };
      const file = join(reader.folder, "copy.json");
      writeFileSync(file, JSON.stringify({ ...copy, workers: before, listedAt: copy.listedAt - 25 * 60 * 60 * 1000 }));
      expect(await run()).toContain("0 events, 4 workers");
      expect(kept().workers).toMatchObject({
        [present(missed)]: { ended: false },
        [present(invented)]: { ended: true },
      });
    });
  }));
