/** Something opened for a test or a suite, and how it is closed. */
export type Closer = () => Promise<void>;

/**
 * Runs a suite in which things can be opened without thought for closing them: what a test or a `beforeEach` opened is closed after the
 * test, what a `beforeAll` opened after the suite, the last one first. To be called within `describe`.
 */
export function withScope(suite: (closeLater: (closer: Closer) => void) => void): void {
  const ofSuite: Closer[] = [];
  const ofTest: Closer[] = [];
  let current = ofSuite;
  beforeEach(() => {
    current = ofTest;
  });
  suite((closer) => void current.push(closer));
  // Hooks run in the order of their definition: these come after the suite's own.
  afterEach(async () => {
    current = ofSuite;
    await closeAll(ofTest);
  });
  afterAll(() => closeAll(ofSuite));
}

/**
 * For a suite that opens everything in `beforeAll`: what is given to the returned function is closed after the last
 * test, the last one first. To be called within `describe`, before its `beforeAll`.
 */
export function closingAfterAll(): (closer: Closer) => void {
  const closers: Closer[] = [];
  afterAll(() => closeAll(closers));
  return (closer) => void closers.push(closer);
}

async function closeAll(closers: Closer[]): Promise<void> {
  const failures: unknown[] = [];
  for (let closer = closers.pop(); closer !== undefined; closer = closers.pop()) {
    await closer().catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(String).join("; "));
}
