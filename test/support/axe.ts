import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";

/**
 * What axe finds wrong with a page, and what it cannot decide, a line for each rule; empty when nothing is.
 * @param rules all of them when empty.
 */
export async function axeFindings(page: Page, rules: readonly string[] = []): Promise<readonly string[]> {
  // No page of ours holds frames, so axe needs no second page to join its results in. To name the elements that keep a rule takes
  // three quarters of its time, and nothing here asks for them.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations", "incomplete"] });
  const { violations, incomplete } = await (rules.length === 0 ? axe : axe.withRules([...rules])).analyze();
  return [...violations, ...incomplete].map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
