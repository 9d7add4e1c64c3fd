/** The diff worker: compares two versions of a file, since their content decides how long that takes. */

import { expose } from 'comlink';
import type { DiffWorker } from '../../src/runtime/protocol/diff.ts';
import { fileDiff } from './file-diff.ts';

expose({ compare: fileDiff } satisfies DiffWorker);
