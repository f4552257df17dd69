/** The streams of a command; the process's own three, except in tests. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Writes the whole text, even to a slow reader. Returns whether it still reads: one that left (`… | head`) is no error. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => (error.code === "EPIPE" ? resolve(false) : reject(error));
    stream.once("error", onError);
    stream.write(text, (error) => {
      // After a failure the listener is kept: the error event follows later, and it has no other listener.
      if (error) return;
      stream.off("error", onError);
      resolve(true);
    });
  });
}
