import { AsyncLocalStorage } from "node:async_hooks";

/**
 * Set while a change's transaction is open. Calls to another domain are refused there, since they could wait for the
 * same writer.
 */
const insideChange = new AsyncLocalStorage<true>();

export const runInsideChange = <T>(work: () => Promise<T>): Promise<T> => insideChange.run(true, work);

export const isInsideChange = (): boolean => insideChange.getStore() === true;

const alone = new AsyncLocalStorage<true>();

/** Transactions begun in `work` get a commit of their own: they take long, and others in a shared commit would wait. */
export const runAlone = <T>(work: () => Promise<T>): Promise<T> => alone.run(true, work);

export const isChangeAlone = (): boolean => alone.getStore() === true;
