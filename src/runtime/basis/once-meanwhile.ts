/** Does something once for all that ask meanwhile: those that ask while it is being done get its result. */
export function onceMeanwhile<T>(make: () => Promise<T>): () => Promise<T> {
  let making: Promise<T> | undefined;
  return () => {
    making ??= make().finally(() => {
      making = undefined;
    });
    return making;
  };
}
