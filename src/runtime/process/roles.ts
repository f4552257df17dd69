/** The parts of the program that can run as processes of their own; a setting is needed by some of them. */
export const ROLES = ["edge", "services", "worker"] as const;

export type Role = (typeof ROLES)[number];
