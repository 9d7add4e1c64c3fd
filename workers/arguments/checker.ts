/**
 * The worker that checks arguments while they are typed, exactly as a run does, since a pattern decides how long that
 * takes, and that infers schemas of results, since their size decides.
 */

import { expose } from 'comlink';
import type { ArgumentWorker } from '../../src/runtime/protocol/argument-check.ts';
import { inferSchema } from '../../src/runtime/spec/inferred-schema.ts';
import { ArgumentCheck } from '../python/check-arguments.ts';

const check = new ArgumentCheck();

expose({
  check(schema, args) {
    if (schema !== null) check.setSchema('', schema);
    return check.check('', args);
  },
  inferSchema: inferSchema,
} satisfies ArgumentWorker);
