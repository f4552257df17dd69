import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { maxHeaderSize } from "node:http";
import { join } from "node:path";
import { parse } from "yaml";
import { readConfig } from "../../src/config.ts";
import { GRACE_MS } from "../../src/runtime/process/lifecycle.ts";
import { ROLES } from "../../src/runtime/process/roles.ts";
import { newFolder } from "../support/folder.ts";

const FOLDER = join("examples", "operator");

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly cure: string };
}

/** What a text in the form of systemd's units sets. */
const settingsOf = (unit: string): ReadonlyMap<string, string> =>
  new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]));

describe("the files for operators", () => {
  it("has settings that a start accepts", () => {
    const config = readConfig({ flags: { config: join(FOLDER, "gatehouse.json") }, environment: {}, roles: ROLES });
    expect(config).toMatchObject({ issuer: "https://sign-on.example", "data-directory": "/var/lib/gatehouse" });
    expect(config.warnings).toEqual([]);
  });

  it("installs what the program needs alone, also for an upgrade", () => {
    const text = readFileSync(join(FOLDER, "README.md"), "utf8");
    expect([...text.matchAll(/make -C \S+ (\S+)/g)].map(([, target]) => target)).toEqual([
      "install-production",
      "install-production",
    ]);
  });

  it("puts the new program in the place of the old one, at each upgrade", () => {
    const text = readFileSync(join(FOLDER, "README.md"), "utf8");
    const place = newFolder("operator-upgrade-");
    const steps = [...text.matchAll(/^(?:mv|rm) .*$/gm)].map(([step]) => step.replaceAll("/opt/", `${place}/`));
    mkdirSync(join(place, "gatehouse"));
    for (const version of ["2", "3", "4"]) {
      mkdirSync(join(place, "gatehouse-next"));
      writeFileSync(join(place, "gatehouse-next", "version"), version);
      for (const step of steps) execFileSync("sh", ["-c", step], { stdio: "pipe" });
      expect(readFileSync(join(place, "gatehouse", "version"), "utf8")).toBe(version);
    }
    expect(readFileSync(join(place, "gatehouse-before", "version"), "utf8")).toBe("3");
  });

  it("has a unit that leaves a stop its time, and does not repeat a start with a wrong setting or store (R-X417)", () => {
    const unit = settingsOf(readFileSync(join(FOLDER, "gatehouse.service"), "utf8"));
    expect(unit.get("ExecStart")).toBe("/opt/gatehouse/bin/gatehouse serve --config /etc/gatehouse/gatehouse.json");
    expect(Number(unit.get("TimeoutStopSec")) * 1_000).toBeGreaterThan(GRACE_MS + 1_000);
    expect(unit.get("RestartPreventExitStatus")).toBe("65 78");
    expect(unit.get("StateDirectory")).toBe("gatehouse");
  });

  it("asks whether the program is ready only as one who waits for its start", () => {
    const text = readFileSync(join(FOLDER, "README.md"), "utf8");
    const asked = [...text.matchAll(/^systemctl (?:enable --now|restart) gatehouse\n(.*)$/gm)].map(([, next]) => next);
    expect(asked).toEqual(Array(2).fill(expect.stringMatching(/^curl .*--retry-connrefused http:\S+\/health\/ready$/)));
  });

  it("has a unit that lets a backup into the folder that is made for it before the first start", () => {
    const unit = settingsOf(readFileSync(join(FOLDER, "gatehouse.service"), "utf8"));
    const text = readFileSync(join(FOLDER, "README.md"), "utf8");
    const backup = /gatehouse store backup (\S+)\/\S+/.exec(text)?.[1];
    expect(backup).toBe("/var/backups/gatehouse");
    expect(unit.get("ReadWritePaths")).toBe(`-${backup}`);
    const made = text.indexOf(`install --directory --owner gatehouse --mode 700 ${backup}\n`);
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(text.indexOf("systemctl enable --now gatehouse"));
  });

  it("has a unit that starts and stops the program as that of the guide does", () => {
    const unit = settingsOf(readFileSync(join(FOLDER, "gatehouse.service"), "utf8"));
    const guide = readFileSync("docs/guides/run-it-for-real.md", "utf8");
    const printed = settingsOf(/^```ini file="gatehouse.service"\n(.*?)^```$/ms.exec(guide)?.[1] ?? "");
    const shared = ["Restart", "RestartSec", "RestartPreventExitStatus", "StartLimitIntervalSec", "TimeoutStopSec"];
    for (const name of [...shared, "LimitNOFILE", "LogRateLimitBurst", "UMask"])
      expect([name, printed.get(name)]).toEqual([name, unit.get(name)]);
  });

  it("has a unit whose journal takes a line of each request, in half a minute of more than are answered", () => {
    const unit = settingsOf(readFileSync(join(FOLDER, "gatehouse.service"), "utf8"));
    expect(Number(unit.get("LogRateLimitBurst"))).toBeGreaterThan(30 * 10_000);
    // To systemd 0 means that nothing was set.
    expect(unit.get("LogRateLimitIntervalSec")).toBeUndefined();
  });

  it.each(["large_client_header_buffers", "proxy_buffer_size", "proxy_buffers"])(
    "has a proxy that passes on the longest headers of requests and answers: %s",
    (name) => {
      const text = readFileSync(join(FOLDER, "README.md"), "utf8");
      const proxy = /^```nginx\n(.*?)^```$/ms.exec(text)?.[1] ?? "";
      const kibibytes = new RegExp(`^ +${name}(?: \\d+)? (\\d+)k;$`, "m").exec(proxy)?.[1];
      expect(Number(kibibytes) * 1024).toBeGreaterThanOrEqual(maxHeaderSize);
    },
  );

  describe("rules for Prometheus", () => {
    const { groups } = parse(readFileSync(join(FOLDER, "alerts.yml"), "utf8")) as {
      readonly groups: readonly { readonly rules: readonly Rule[] }[];
    };
    const rules = groups.flatMap((group) => group.rules);
    const page = readFileSync("docs/operations/metrics.md", "utf8");
    const asked = new Set(rules.flatMap(({ expr }) => expr.match(/gatehouse_\w+?(?=(?:_count)?\b)/g) ?? []));

    it("ask for metrics that are served", () => {
      const rows = [...page.matchAll(/`(gatehouse_\w+)(?:\{[\w,]+\})?`/g)].map(([, name]) => name);
      expect([...asked].filter((name) => !rows.includes(name))).toEqual([]);
      expect(asked.size).toBeGreaterThan(15);
    });

    it("page where an edge answers 503 while it and its services are well for themselves", () => {
      const rule = rules.find(({ expr }) =>
        /gatehouse_http_request_duration_seconds_count\{status=~"5\.\."\}/.test(expr),
      );
      expect(rule?.labels.severity).toBe("page");
    });

    it("look ahead by hours of a series, not by its first minutes", () => {
      const ahead = rules.flatMap(({ expr }) =>
        [...expr.matchAll(/predict_linear\((\w+)\[6h\]/g)].map(([, name]) => [expr, name]),
      );
      expect(ahead.length).toBeGreaterThan(0);
      expect(ahead.filter(([expr, name]) => !expr?.includes(`and ${name} offset 5h`))).toEqual([]);
    });

    it("exist for each metric of which the page says when to alert", () => {
      const wanted = [...page.matchAll(/^\| `(gatehouse_\w+)[^|]*\|.*\balert\b.*\|$/gim)].map(([, name = ""]) => name);
      expect(wanted.filter((name) => !asked.has(name))).toEqual([]);
      expect(wanted.length).toBeGreaterThan(9);
    });

    it.each(rules.map((rule) => [rule.alert, rule] as const))("%s says how grave it is and what to do", (_, rule) => {
      expect(["page", "ticket"]).toContain(rule.labels.severity);
      expect(rule.annotations.summary).toMatch(/\.$/);
      expect(rule.annotations.cure).toMatch(/\.$/);
    });
  });
});
