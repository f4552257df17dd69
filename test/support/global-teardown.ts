/** Stops what `global-setup.ts` started, failed tests or not. */
export default async function tearDown(): Promise<void> {
  await (globalThis as { stopTestParts?: () => Promise<void> }).stopTestParts?.();
}
