/** Does something once for all that ask meanwhile: those that ask while it is being done get its result. */
export function onceMeanwhile<T>(make: () => Promise<T>): () => Promise<T> {
  const once = onceMeanwhileFor(make);
  return () => once(undefined);
}

/** The same for each of several things: those that ask for one while it is being done get its result. */
export function onceMeanwhileFor<K, T>(make: (of: K) => Promise<T>): (of: K) => Promise<T> {
  const making = new Map<K, Promise<T>>();
  return (of) => {
    const made = making.get(of) ?? make(of).finally(() => making.delete(of));
    making.set(of, made);
    return made;
  };
}
