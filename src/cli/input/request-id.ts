import { Option } from "commander";

/** `--request-id`, for commands that change something in workforce (R-G18). */
export const requestIdOption = (): Option =>
  new Option("--request-id <text>", "makes a repeat harmless for 24 hours; a new one unless given");
