import type { Instance } from "../../instances/instance.ts";
import { LENGTHS } from "../../request-fields.ts";
import type { LineFields } from "../line-fields.ts";
import type { LineContent } from "./line-content.ts";

export const readInstanceLine = (fields: LineFields) => ({
  id: fields.id("id", "instance"),
  name: fields.text("name", LENGTHS.name),
  createdAt: fields.instant("createdAt"),
});

export const toInstanceLine = ({ id, name, createdAt }: Instance): LineContent => ({
  kind: "instance",
  id,
  name,
  createdAt,
});
