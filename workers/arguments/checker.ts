/** The worker that checks arguments while they are typed, exactly as a run does, since a pattern decides how long that takes. */

import type {
  ArgumentAnswer,
  ArgumentQuestion,
} from '../../src/runtime/protocol/argument-check.ts';
import { ArgumentCheck } from '../python/check-arguments.ts';

declare const self: DedicatedWorkerGlobalScope;

const check = new ArgumentCheck();

self.onmessage = ({ data }: MessageEvent<ArgumentQuestion>) => {
  if (data.schema !== undefined) check.setSchema('', data.schema);
  const answer: ArgumentAnswer = { id: data.id, errors: check.check('', data.arguments) };
  self.postMessage(answer);
};
