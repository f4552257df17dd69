import pg from "pg";

/** What a statement answered: the word of its command, how many rows it took or changed, and the rows. */
export interface StatementResult {
  readonly command: string;
  readonly rowCount: number | null;
  readonly rows: readonly object[];
}

/** Turns rows of one statement into objects. It is node-postgres' own; its types name only what it has been given. */
interface Shape extends pg.Result {
  addFields(fields: readonly unknown[]): void;
  parseRow(values: readonly unknown[]): object;
  addCommandComplete(message: unknown): void;
}

/**
 * Shapes by the name of a statement, of one connection. While the server keeps a statement, its rows keep their columns: after a
 * change of a table it refuses the statement (`cached plan must not change result type`).
 */
export type Shapes = Map<string, Shape>;

/** node-postgres' connection below its client, whose types demand an argument that it no longer takes. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Readonly<Record<string, string>>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly unknown[] }): void;
  describe(message: { readonly type: "P" }): void;
  execute(message: object): void;
  sync(): void;
}

/** How node-postgres writes values of JavaScript for the server; not in its types. */
const { prepareValue } = Reflect.get(pg, "utils") as { prepareValue(value: unknown): unknown };

/**
 * A statement under a name, as node-postgres' client submits it (its interface for cursors). `pg.Query` copies each
 * configuration property by property, asks for the columns at each execution and builds an empty row from them: a third of what
 * a short read costs.
 */
export class NamedStatement implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  /** Called once; the client looks for it under this name. */
  readonly callback: (error: Error | null, result?: StatementResult) => void;
  readonly #values: readonly unknown[];
  readonly #shapes: Shapes;
  readonly #rows: object[] = [];
  readonly #shape: Shape;
  #unreadable: Error | undefined;

  constructor(
    { name, text, values }: { readonly name: string; readonly text: string; readonly values: readonly unknown[] },
    shapes: Shapes,
    callback: NamedStatement["callback"],
  ) {
    this.name = name;
    this.text = text;
    this.callback = callback;
    this.#values = values;
    this.#shapes = shapes;
    this.#shape = shapes.get(name) ?? (new pg.Result("", pg.types) as Shape);
  }

  /** @returns what makes a value unfit to be sent; the client hands it to `handleError`. */
  submit(connection: pg.Connection): Error | null {
    const { name, text } = this;
    const wire = connection as unknown as Wire;
    let values: readonly unknown[];
    try {
      values = this.#values.map((value) => prepareValue(value));
    } catch (error) {
      return error as Error;
    }
    wire.stream.cork();
    if (wire.parsedStatements[name] === undefined) wire.parse({ name, text });
    wire.bind({ statement: name, values });
    if (!this.#shapes.has(name)) wire.describe({ type: "P" });
    wire.execute({});
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly unknown[] }): void {
    this.#shape.addFields(fields);
  }

  handleDataRow({ fields }: { readonly fields: readonly unknown[] }): void {
    if (this.#unreadable !== undefined) return;
    try {
      this.#rows.push(this.#shape.parseRow(fields));
    } catch (error) {
      this.#unreadable = error as Error;
    }
  }

  handleCommandComplete(message: unknown): void {
    this.#shape.rowCount = null;
    this.#shape.addCommandComplete(message);
  }

  handleReadyForQuery(): void {
    if (this.#unreadable !== undefined) {
      this.callback(this.#unreadable);
      return;
    }
    this.#shapes.set(this.name, this.#shape);
    const { command, rowCount } = this.#shape;
    this.callback(null, { command, rowCount, rows: this.#rows });
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}
