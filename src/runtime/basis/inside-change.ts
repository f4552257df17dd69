import { AsyncLocalStorage } from "node:async_hooks";

/** Set while a change's transaction is open: calls to another domain are refused there, since they could wait for the same writer. */
const insideChange = new AsyncLocalStorage<true>();

export const runInsideChange = <T>(work: () => Promise<T>): Promise<T> => insideChange.run(true, work);

export const isInsideChange = (): boolean => insideChange.getStore() === true;

const alone = new AsyncLocalStorage<true>();

/** Transactions begun in `work` share their commit with no other, since they take long and the others would wait for them. */
export const runAlone = <T>(work: () => Promise<T>): Promise<T> => alone.run(true, work);

export const isChangeAlone = (): boolean => alone.getStore() === true;
