import { execFileSync } from "node:child_process";
import { userInfo } from "node:os";
import { machineAccount } from "../../../src/runtime/rpc/machine-account.ts";
import { describeWith } from "../../support/optional-part.ts";

it("names the account that a program runs under, as the audit log takes it", () => {
  expect(machineAccount()).toBe(userInfo().username.replaceAll(/[^\w.@-]/g, "_"));
});

describeWith(
  {
    name: "another user",
    missing: process.getuid?.() === 0 ? undefined : "Only root may run programs as another user.",
  },
  "an id that no account has, as a container may run under",
  () =>
    it("is named by its number, where Node throws", () => {
      const program = `process.setgroups([]); process.setgid(54321); process.setuid(54321);
        process.stdout.write((await import("#runtime/rpc/machine-account.ts")).machineAccount())`;
      const words = ["--input-type=module", "--eval", `await import("#runtime/rpc/machine-account.ts"); ${program}`];
      expect(execFileSync(process.execPath, words, { encoding: "utf8" })).toBe("uid-54321");
    }),
);
