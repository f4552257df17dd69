import { readFileSync } from "node:fs";
import { REPEATED_BY_HAND } from "../../src/roles/owners.ts";

/** What an action of the audit log is done to, as the page calls it. */
const NOUNS: Readonly<Record<string, string>> = {
  apiKey: "API keys",
  application: "applications",
  instanceIntegration: "instance integrations",
  password: "passwords",
  person: "people",
  signingKey: "signing keys",
  subscription: "subscriptions",
  user: "users",
};

describe("docs/operations/backup-and-restore.md", () => {
  const page = readFileSync("docs/operations/backup-and-restore.md", "utf8");
  const [, after = ""] = page.split("What a restore **cannot** know");
  const list = (after.split("\nThe store that was there before")[0] ?? "").replaceAll(/\s+/g, " ");

  it("says of each kind of thing that a restore makes good again", () => {
    const nouns = [...new Set(REPEATED_BY_HAND.map((action) => action.split(".")[0] ?? ""))];
    expect(nouns.filter((noun) => !list.includes(NOUNS[noun] ?? `${noun} without a name here`))).toEqual([]);
    expect(nouns).toHaveLength(Object.keys(NOUNS).length);
  });
});
