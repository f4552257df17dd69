/** In place of an answer that did not come in time. */
export const LATE = Symbol("late");

/** The answer, or LATE after `ms`; what is late goes on, and is not heard. */
export async function inTime<T>(answer: Promise<T>, ms: number): Promise<T | typeof LATE> {
  const late = Promise.withResolvers<typeof LATE>();
  const timer = setTimeout(() => late.resolve(LATE), ms);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
