/** Calls are written down with the folder that was open at their beginning. */

import { expect, test } from 'vitest';
import { logBegin } from './app-log.ts';
import type { OpenFolder } from './app-types.ts';
import { CallLog } from './call/call-log.ts';
import { fakeLogged } from './call/logged-call.fixture.ts';
import { fakeFolder } from './folder/folder.fixture.ts';
import { fakeSource } from './folder/source.fixture.ts';
import { defaultLimits } from './spec/limits.ts';

const folder: OpenFolder = { source: fakeSource({}), snapshot: fakeFolder({}) };
const { call, result } = fakeLogged(1);

function opened() {
  return new CallLog({
    store: {
      load: () => Promise.resolve(),
      write: () => Promise.resolve(),
      clear: () => Promise.resolve(),
      begin: () => Promise.resolve(),
      begun: () => Promise.resolve([]),
    },
    limits: defaultLimits,
    pages: null,
    onStorageFailure: (message) => {
      throw new Error(message);
    },
    after: () => undefined,
  });
}

test.each([
  ['a known folder', folder, 'id', { folder: 'folder', folderId: 'id' }],
  ['one that is not known', folder, undefined, { folder: 'folder', folderId: '' }],
  ['none', null, 'id', { folder: '', folderId: '' }],
])('of %s', (_, open, id, of) => {
  const log = opened();
  const { admitted, end } = logBegin({ log, folderId: () => id }, open, call, 5);
  expect(admitted).toBeNull();
  end(result, 9, call.arguments);
  expect(log.get(call.id)).toEqual({ id: call.id, call, result, at: 9, cut: false, ...of });
});
