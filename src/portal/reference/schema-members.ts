import { counted } from "#runtime/basis/text.ts";
import { type Html, html } from "#runtime/pages/html.ts";
import type { Schema } from "./contract.ts";
import { prose } from "./markdown.ts";

/** One thing with a name and a schema: a member of a body, a parameter, a header. */
export interface Described {
  readonly name: string;
  readonly schema: Schema;
  readonly description?: string | undefined;
  readonly required?: boolean | undefined;
  readonly example?: unknown;
  readonly id?: string;
}

/** Who writes the body: a reader who sends it must know what is required, one who gets it what may be absent. */
type Direction = "sent" | "received";

/** A body's members, nested ones in `details`, which need no script. */
export function schemaMembers(schema: Schema, direction: Direction): Html {
  const { object, rest } = shapeOf(schema);
  if (object === undefined && rest.length <= 1) return html`<p>${typeOf(schema)}${limits(schema)}</p>`;
  return html`${object !== undefined && limits(schema)}${nestedMembers(schema, direction)}`;
}

/** The members of a body whose own limits are shown already. */
function nestedMembers(schema: Schema, direction: Direction): Html {
  const { object, rest } = shapeOf(schema);
  if (rest.length > 1) return html`${rest.map((one, index) => alternative(one, index, direction))}`;
  return listOf(membersOf(object ?? {}), direction);
}

/** A list of named things with their types. */
export const listOf = (all: readonly Described[], direction: Direction): Html =>
  html`<ul class="members" role="list">${all.map((one) => described(one, direction))}</ul>`;

/** The object that a schema comes to, past lists and `null`; or its alternatives when there are several objects. */
function shapeOf(schema: Schema): { readonly object: Schema | undefined; readonly rest: readonly Schema[] } {
  if (schema.items !== undefined) return shapeOf(schema.items);
  if (schema.oneOf !== undefined) {
    const objects = schema.oneOf.filter(({ type }) => type !== "null");
    return objects.length === 1 && objects[0] !== undefined
      ? shapeOf(objects[0])
      : { object: undefined, rest: objects.filter(({ properties }) => properties !== undefined) };
  }
  return { object: schema.properties === undefined ? undefined : schema, rest: [] };
}

const alternative = (
  schema: Schema,
  index: number,
  direction: Direction,
): Html => html`<details class="nested"${index === 0 && html` open`}>
<summary>${schema.title ?? "Alternative"}</summary>
${prose(schema.description)}${listOf(membersOf(schema), direction)}</details>`;

const membersOf = ({ properties = {}, required = [] }: Schema): readonly Described[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    schema,
    description: schema.description,
    required: required.includes(name),
  }));

function described({ name, schema, description, required, example, id }: Described, direction: Direction): Html {
  const { object, rest } = shapeOf(schema);
  const nested = object !== undefined || rest.length > 1;
  return html`<li${id !== undefined && html` id="${id}"`}>
<p class="member"><code class="name">${name}</code> <span class="type">${typeOf(schema)}</span>${mark(required === true, direction)}${schema.deprecated === true && html` <span class="must">deprecated</span>`}</p>
${prose(description)}${limits(schema)}${example !== undefined && html`<p class="limits">Example: <code>${typeof example === "string" ? example : JSON.stringify(example)}</code></p>`}
${nested && html`<details class="nested"><summary>Members of <code>${name}</code></summary>${nestedMembers(schema, direction)}</details>`}</li>
`;
}

function mark(required: boolean, direction: Direction): Html | false {
  if (direction === "sent") return required && html` <span class="must">required</span>`;
  return !required && html` <span class="must">may be absent</span>`;
}

/** The type in words: "string or null", "array of objects". */
function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return `always ${JSON.stringify(schema.const)}`;
  if (schema.oneOf !== undefined) return [...new Set(schema.oneOf.map(typeOf))].join(" or ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["any"]);
  return types
    .map((type) => {
      if (type === "array") return `array of ${manyOf(schema.items ?? {})}`;
      return type === "string" && schema.format !== undefined ? `string (${schema.format})` : type;
    })
    .join(" or ");
}

const manyOf = (schema: Schema): string => (schema.type === undefined ? typeOf(schema) : `${typeOf(schema)}s`);

/** What a value must keep to besides its type. */
function limits(schema: Schema): Html | false {
  const { pattern, minimum, maximum, minLength, maxLength } = schema.items ?? schema;
  const { minItems, maxItems, minProperties } = schema;
  const each = schema.items !== undefined && "each ";
  const words = schema.enum ?? schema.items?.enum;
  const open = schema["x-extensible-enum"] ?? schema.items?.["x-extensible-enum"];
  const said = [
    words !== undefined && html`one of ${listed(words)}`,
    open !== undefined && html`one of ${listed(open)}; more may be added`,
    schema.default !== undefined && html`by default <code>${JSON.stringify(schema.default)}</code>`,
    minimum !== undefined && html`${each}from ${minimum}`,
    maximum !== undefined && html`${each}up to ${maximum}`,
    minItems !== undefined && html`at least ${counted(minItems, "entry", "entries")}`,
    maxItems !== undefined && html`at most ${counted(maxItems, "entry", "entries")}`,
    minProperties !== undefined && html`at least ${counted(minProperties, "member")}`,
    minLength !== undefined && minLength > 1 && html`${each}at least ${minLength} characters`,
    maxLength !== undefined && html`${each}at most ${maxLength} characters`,
    pattern !== undefined && html`${each}pattern <code>${pattern}</code>`,
  ].filter((part) => part !== false);
  return (
    said.length > 0 &&
    html`<p class="limits">${said.flatMap((part, index) => (index === 0 ? [part] : ["; ", part]))}</p>`
  );
}

const listed = (words: readonly unknown[]): readonly (Html | string)[] =>
  words.flatMap((one, index) => [index === 0 ? "" : ", ", html`<code>${String(one)}</code>`]);
