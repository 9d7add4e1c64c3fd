/** Frees large buffers at once; the garbage collector may leave them for long. */

/** Transfers the buffer away, so that the bytes can no longer be read. */
export function release({ buffer }: Uint8Array<ArrayBuffer>): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, [buffer]);
  port1.close();
  port2.close();
}
