/** Makes `/dev/stdout` and `/dev/stderr` lead to the standard streams of the process, as on Linux. */

import type { PyodideAPI } from 'pyodide';

/** The part of Emscripten's file system that is used here. */
interface StreamsFs {
  /** By file descriptor. */
  readonly streams: readonly (FsStream | null | undefined)[];
  isChrdev(mode: number): boolean;
  write(stream: FsStream, bytes: Uint8Array, offset: number, length: number): number;
}

interface FsStream {
  readonly node: { readonly mode: number };
}

/**
 * Call this before the loader redirects descriptors 1 and 2: `setStdout` and `setStderr` open them again, which would end
 * the redirection.
 */
export function connectOutputDevices(
  pyodide: Pick<PyodideAPI, 'FS' | 'setStdout' | 'setStderr'>,
): void {
  pyodide.setStdout(deviceOf(pyodide.FS as unknown as StreamsFs, 1));
  pyodide.setStderr(deviceOf(pyodide.FS as unknown as StreamsFs, 2));
}

/** Handles what is written to the device: passes it on to whatever the descriptor leads to now. */
function deviceOf(fs: StreamsFs, descriptor: number): { write(bytes: Uint8Array): number } {
  return {
    write(bytes) {
      const stream = fs.streams[descriptor];
      // A tool may have closed the stream. If it has opened the device in its place, passing on would never end.
      if (!stream || fs.isChrdev(stream.node.mode)) return bytes.length;
      return fs.write(stream, bytes, 0, bytes.length);
    },
  };
}
