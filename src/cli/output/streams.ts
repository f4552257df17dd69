/** Where a command reads and writes; the process's own three unless a test has others. */
export interface Streams {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** Writes all of the text, however slowly it is read; a reader that went away (`… | head`) is no mistake. */
export function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => (error.code === "EPIPE" ? resolve() : reject(error));
    stream.once("error", onError);
    stream.write(text, (error) => {
      // After a failure the listener stays: the event comes after this, and nobody else waits for it.
      if (error) return;
      stream.off("error", onError);
      resolve();
    });
  });
}
