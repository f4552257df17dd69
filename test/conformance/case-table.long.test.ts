import { withScope } from "../support/scope.ts";
import { CASES } from "./cases.ts";
import { type Installations, openInstallations } from "./installations.ts";
import { startMock } from "./mock.ts";
import { type SdkSubject, startSdkSubject } from "./sdk-subject.ts";
import { NotApplicable } from "./set-up.ts";
import { setUpOf } from "./set-ups.ts";
import { askMock, askServer, type Departures } from "./subjects.ts";
import { Column } from "./table.ts";
import { TYPESCRIPT_HERE } from "./typescript-here.ts";

/** The SDKs in languages that must be installed first are asked by `make sdks` (test/sdk/toolchains.check.ts). */
const SUBJECTS = ["mock", "server", "typescript"] as const;
type Subject = (typeof SUBJECTS)[number];

describe("every operation × declared answer × example", () => {
  withScope((closeLater) => {
    const columns = SUBJECTS.map((subject) => [subject, new Column(subject)] as const);
    let installations: Installations;
    let mockUrl: string;
    let sdk: SdkSubject;
    beforeAll(async () => {
      [installations, mockUrl] = await Promise.all([openInstallations(closeLater), startMock(closeLater)]);
      sdk = await startSdkSubject(closeLater, TYPESCRIPT_HERE, installations);
    }, 120_000);
    afterAll(() => {
      for (const [, column] of columns) column.write();
    });

    it("is more than a hundred cases, each with its own name", () => {
      expect(CASES.length).toBeGreaterThan(100);
      expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
    });

    it.each(CASES)("$name", async (one) => {
      const setUp = await setUpOf(one, installations);
      const found: Record<Subject, Departures> = {
        mock: await askMock(one, mockUrl),
        server: setUp.server instanceof NotApplicable ? [] : await askServer(one, setUp.server, installations),
        typescript: setUp.sdk instanceof NotApplicable ? [] : await sdk.ask(one, setUp.sdk),
      };
      const asked = { mock: undefined, server: setUp.server, typescript: setUp.sdk };
      for (const [subject, column] of columns) column.noteResult(one, asked[subject], found[subject]);
      expect(found).toEqual({ mock: [], server: [], typescript: [] });
    });
  });
});
