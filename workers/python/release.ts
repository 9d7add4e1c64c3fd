/** Frees large buffers at once; the garbage collector may leave them for long. */

/** The bytes can no longer be read: their buffer is transferred away. */
export function release({ buffer }: Uint8Array<ArrayBuffer>): void {
  const { port1, port2 } = new MessageChannel();
  port1.postMessage(null, [buffer]);
  port1.close();
  port2.close();
}
