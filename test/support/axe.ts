import AxeBuilder from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** axe asks about the size of targets (WCAG 2.2 §2.5.8) only where it is named. */
export const NAMED_RULES = { "target-size": { enabled: true } } as const;

/**
 * What axe finds wrong with a page, and what it cannot decide, a line for each rule; empty when nothing is.
 * @param rules all of them when empty.
 */
export async function axeFindings(page: Page, rules: readonly string[] = []): Promise<readonly string[]> {
  // No page of ours holds frames, so axe needs no second page to join its results in. To name the elements that keep a rule takes
  // three quarters of its time, and nothing here asks for them.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({
    resultTypes: ["violations", "incomplete"],
    ...(rules.length === 0 ? { rules: NAMED_RULES } : { runOnly: { type: "rule", values: [...rules] } }),
  });
  const { violations, incomplete } = await axe.analyze();
  return [...violations, ...incomplete].map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}
