import { readFileSync } from "node:fs";

describe("docs/operations/capacity.md", () => {
  const page = readFileSync("docs/operations/capacity.md", "utf8");
  const metrics = readFileSync("docs/operations/metrics.md", "utf8");
  const configuration = readFileSync("docs/configuration.md", "utf8");

  it("names metrics that are served", () => {
    const named = [...page.matchAll(/`(gatehouse_\w+)/g)].map(([, name = ""]) => name);
    const usual = /^gatehouse_(?:process|nodejs)_/;
    expect(named.filter((name) => !usual.test(name) && !metrics.includes(`| \`${name}`))).toEqual([]);
    expect(named.length).toBeGreaterThan(15);
  });

  it("names settings that there are", () => {
    const named = [...page.matchAll(/`([a-z]+(?:-[a-z]+)+)`/g)].map(([, name = ""]) => name);
    expect(named.filter((name) => !configuration.includes(`| \`${name}\``))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });

  it("has the figures of the latest table", () => {
    const performance = readFileSync("docs/performance.md", "utf8");
    const latest = performance.slice(performance.indexOf("## Latest table"), performance.indexOf("### Memory"));
    const rows = [...page.matchAll(/^\| [^|]+ \| ([\d,]+) \| ([\d,]+) \|$/gm)].map(
      ([, rate, cpu]) => `| ${cpu} | ${rate} |`,
    );
    expect(rows.filter((row) => !latest.includes(row))).toEqual([]);
    expect(rows.length).toBe(6);
  });
});
