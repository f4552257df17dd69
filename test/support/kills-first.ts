import { createRequire } from "node:module";

// Its types describe what `require` gives, and none of them what `import` gives.
const { default: Sequencer } = createRequire(import.meta.url)(
  "@jest/test-sequencer",
) as typeof import("@jest/test-sequencer");

type Suites = Parameters<InstanceType<typeof Sequencer>["sort"]>[0];

/**
 * Jest begins with the suites that took longest before, and on a new machine with the largest files. The run of kills is a small file that
 * takes most of a minute: begun among the last, it would go on alone.
 */
export default class KillsFirst extends Sequencer {
  override async sort(suites: Suites): Promise<Suites> {
    const isKills = ({ path }: Suites[number]) => path.endsWith("/test/faults/kills.test.ts");
    return (await super.sort(suites)).toSorted((a, b) => Number(isKills(b)) - Number(isKills(a)));
  }
}
