/** Lets a new tool worker make a snapshot, then terminates it, so that nothing else runs in it. */

import type { OrLost } from '../../src/protocol/frame.ts';
import {
  parseHeader,
  type LibraryFiles,
  type PythonFiles,
  type SnapshotMessage,
} from '../../src/protocol/python.ts';
import { mostSnapshotBytes } from '../../src/spec/snapshot.ts';

export function makeSnapshot(
  worker: Worker,
  files: PythonFiles,
  libraries: LibraryFiles,
): Promise<OrLost<Blob>> {
  return new Promise<OrLost<Blob>>((resolve) => {
    const fail = (detail: string): void => {
      resolve({ ok: false, loss: { reason: 'start', detail } });
    };
    worker.onmessage = ({ data }: MessageEvent) => {
      if (typeof data === 'string') {
        const failed = failureOf(data);
        if (failed !== null) fail(failed);
        return;
      }
      if (data instanceof Blob && data.size <= mostSnapshotBytes)
        resolve({ ok: true, value: data });
      else fail('the message was not a snapshot');
    };
    worker.onerror = (event) => {
      event.preventDefault();
      fail(event.message);
    };
    const message: SnapshotMessage = { op: 'make-snapshot', files, libraries };
    worker.postMessage(message);
  }).finally(() => {
    worker.terminate();
  });
}

function failureOf(text: string): string | null {
  const message = text.slice(1);
  const parsed = parseHeader(message);
  return parsed?.header.t === 'failed' ? message.slice(parsed.payloadAt).slice(0, 2_000) : null;
}
