import { type DemoPageValues, demoPage } from "../../../src/cli/demo/page.ts";
import { plainPaint } from "../../support/plain-paint.ts";

const VALUES: DemoPageValues = {
  version: "0.1.0",
  issuer: "http://localhost:8080",
  healthUrl: "http://127.0.0.1:8081/health/ready",
  carrier: "gRPC, in process",
  temporal: undefined,
  temporalTrouble: undefined,
  socketDirectory: ".gatehouse/sockets",
  sample: { url: "http://localhost:8082" },
  people: [
    {
      name: "Maren Dahl",
      email: "maren.dahl@nordlicht.example",
      password: "aaaaa-bbbbb-ccccc-ddddd",
      note: "INVITED until her first sign-in, which sends user.updated.",
    },
    {
      name: "Henrik Sjöblom",
      email: "henrik.sjoblom@sjoblom-bageri.example",
      password: "eeeee-fffff-ggggg-hhhhh",
      note: "ACTIVE: owner of two companies, and a baker in one of them.",
    },
  ],
  progress: { hasSignedIn: false, newClientName: "Harbour Bakery" },
  clientId: `app_${"A".repeat(21)}`,
  clientSecret: `ghs_${"s".repeat(43)}`,
  apiKey: `ghk_${"k".repeat(60)}`,
  demoFile: ".gatehouse/demo.json",
  logFile: ".gatehouse/gatehouse.log",
  command: "bin/gatehouse",
  commandFlags: [],
};

describe("the demonstration's page", () => {
  const page = demoPage(VALUES, plainPaint);

  it("fits into 80 columns and ends no line with spaces", () => {
    expect(page.split("\n").filter((line) => line.length > 80 || line.endsWith(" "))).toEqual([]);
  });

  it.each([
    VALUES.issuer,
    VALUES.healthUrl,
    VALUES.carrier,
    "http://localhost:8082",
    ...VALUES.people.flatMap(({ email, password, note }) => [email, password, note]),
    VALUES.clientId,
    VALUES.clientSecret,
    VALUES.apiKey,
    "     bin/gatehouse tenants create --instance Europe --name 'Harbour Bakery'\n",
    "     bin/gatehouse deliveries list\n",
    ".gatehouse/demo.json",
    "  Ctrl-C ends everything.\n",
  ])("shows %j", (text) => {
    expect(page).toContain(text);
  });

  it("gives the command line this Gatehouse's address, on lines that can be copied unchanged", () => {
    const flags = ["--data-directory /data/somebody/with/a/long/name/.gatehouse"];
    const elsewhere = demoPage({ ...VALUES, commandFlags: flags }, plainPaint);
    expect(elsewhere).toContain(
      [
        "     bin/gatehouse tenants create --instance Europe --name 'Harbour Bakery' \\",
        "       --data-directory /data/somebody/with/a/long/name/.gatehouse",
      ].join("\n"),
    );
  });

  it("says below Temporal's address why retries wait, with the command that mends it", () => {
    const temporalTrouble =
      "The namespace elsewhere is not there. Make it with: temporal operator namespace create --namespace elsewhere --address temporal.internal:7233";
    const degraded = demoPage(
      { ...VALUES, temporal: "Temporal at temporal.internal:7233", temporalTrouble },
      plainPaint,
    );
    expect(degraded).toContain(
      [
        "  Retries       Temporal at temporal.internal:7233",
        "                They wait: The namespace elsewhere is not there. Make it with:",
        "     temporal operator namespace create --namespace elsewhere \\",
        "       --address temporal.internal:7233",
      ].join("\n"),
    );
  });

  it("says in a line why Temporal is unusable when no command mends it", () => {
    const temporalTrouble = "The server at 127.0.0.1:7233 does not answer.";
    const degraded = demoPage({ ...VALUES, temporal: "http://127.0.0.1:8233", temporalTrouble }, plainPaint);
    expect(degraded).toContain(
      "  Retries       http://127.0.0.1:8233\n                They wait: The server at 127.0.0.1:7233 does not answer.\n\n",
    );
  });

  it("does not ask for what has happened: the first sign-in, a client of a name that exists", () => {
    const progress = { hasSignedIn: true, newClientName: "Harbour Bakery 2" };
    const later = demoPage({ ...VALUES, progress }, plainPaint);
    expect(later).not.toContain("user.updated");
    expect(later).toContain("ACTIVE: her first sign-in was before this start.");
    expect(later).toContain(
      [
        "  1. Create a client of the platform, and watch client.created arrive at",
        "     http://localhost:8082:",
        "     bin/gatehouse tenants create --instance Europe --name 'Harbour Bakery 2'",
        "  2. Sign in at http://localhost:8082 as maren.dahl@nordlicht.example, and see",
      ].join("\n"),
    );
  });

  it("says in a line why the sample does not run, and what to do instead", () => {
    const without = demoPage({ ...VALUES, sample: { missing: "Not running: its packages are missing." } }, plainPaint);
    expect(without).toContain("  Sample        Not running: its packages are missing.\n");
    expect(without).toContain("1. Open http://localhost:8080 and see what is published.");
  });

  it("names no log file when there is none", () => {
    expect(demoPage({ ...VALUES, logFile: undefined }, plainPaint)).toContain("which only you can read.\n");
  });
});
