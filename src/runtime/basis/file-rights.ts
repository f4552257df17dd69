import { statSync } from "node:fs";

/** Of a file's mode. Its group may read it: so Kubernetes, and packages of a system, give files to a service. */
const READABLE_BY_ALL = 0o007;

/** True for a file that all users of the machine can read. @throws the system's error when it cannot be looked at. */
export const isReadableByAll = (path: string): boolean => (statSync(path).mode & READABLE_BY_ALL) !== 0;
