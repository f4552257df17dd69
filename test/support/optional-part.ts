/** Something that a machine may lack: a database server, a browser. */
export interface OptionalPart {
  readonly name: string;
  /** Undefined when it is there, otherwise a sentence that says what was looked for. */
  readonly missing: string | undefined;
}

const told = new Set<string>();

/** A suite that needs a part of the machine: skipped with a printed reason where it is missing, failed in CI, where nothing may be. */
export function describeWith(part: OptionalPart, title: string, suite: () => void): void {
  const { name, missing } = part;
  if (missing === undefined) describe(title, suite);
  else if (process.env.CI !== undefined) describe(title, () => failing(name, missing));
  else {
    if (!told.has(name)) process.stderr.write(`SKIPPED everything that needs ${name}: ${missing}\n`);
    told.add(name);
    describe.skip(title, suite);
  }
}

function failing(name: string, missing: string): void {
  it(`needs ${name}`, () => {
    throw new Error(`${name} is missing, and in CI nothing may be: ${missing}`);
  });
}
