/** The diff worker: compares two versions of a file, since their content decides how long that takes. */

import type { DiffQuestion } from '../../src/runtime/protocol/diff.ts';
import { fileDiff } from './file-diff.ts';

declare const self: DedicatedWorkerGlobalScope;

self.onmessage = ({ data }: MessageEvent<DiffQuestion>) => {
  self.postMessage(fileDiff(data));
};
