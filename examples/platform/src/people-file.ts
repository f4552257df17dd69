import { readFileSync } from "node:fs";
import type { Violation } from "./failures.ts";

/** One line of the file: a person who works for the company, with the names that OnboardWorkerRequest has for them. */
export interface Person {
  readonly email: string;
  readonly first_name: string;
  readonly last_name: string;
  readonly job_titles?: readonly string[];
  readonly phone?: string;
  readonly address?: Readonly<Record<string, string>>;
  /** Name of an access role: this person uses the platform's dashboard, too. */
  readonly role?: string;
}

export interface Line {
  /** In the file, from 1. */
  readonly number: number;
  readonly text: string;
  /** The person, or what is wrong with the line as such. */
  readonly content: Person | readonly Violation[];
}

const MEMBERS: Readonly<Record<keyof Person, "text" | "texts" | "parts">> = {
  email: "text",
  first_name: "text",
  last_name: "text",
  job_titles: "texts",
  phone: "text",
  address: "parts",
  role: "text",
};
const PARTS = ["address1", "address2", "city", "iso_country_code", "postal_code", "zone_code"];

/** The lines of a JSON Lines file, without empty ones. What the values must be is Gatehouse's to say. */
export function readPeople(file: string): readonly Line[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .map((text, index) => ({ number: index + 1, text: text.trim() }))
    .filter(({ text }) => text !== "")
    .map(({ number, text }) => ({ number, text, content: contentOf(text) }));
}

function contentOf(text: string): Line["content"] {
  try {
    const person: unknown = JSON.parse(text);
    if (typeof person !== "object" || person === null || Array.isArray(person))
      return [{ field: "the line", reason: "must be one JSON object" }];
    const wrong = Object.entries(person).flatMap(([member, value]) => shapeProblem(member, value));
    return wrong.length > 0 ? wrong : (person as Person);
  } catch (error) {
    return [{ field: "the line", reason: `is not JSON (${(error as Error).message})` }];
  }
}

/** A client of gRPC drops what the protos do not have, so a mistyped name would go unseen. */
function shapeProblem(member: string, value: unknown): readonly Violation[] {
  const isText = (one: unknown) => typeof one === "string";
  switch (Object.hasOwn(MEMBERS, member) ? MEMBERS[member as keyof Person] : undefined) {
    case undefined:
      return [{ field: member, reason: `is none of ${Object.keys(MEMBERS).join(", ")}` }];
    case "text":
      return isText(value) ? [] : [{ field: member, reason: "must be text" }];
    case "texts":
      return Array.isArray(value) && value.every(isText) ? [] : [{ field: member, reason: "must be a list of texts" }];
    case "parts":
      return typeof value === "object" && value !== null && Object.values(value).every(isText)
        ? Object.keys(value)
            .filter((part) => !PARTS.includes(part))
            .map((part) => ({ field: `${member}.${part}`, reason: `is none of ${PARTS.join(", ")}` }))
        : [{ field: member, reason: "must be an object of texts" }];
  }
}
