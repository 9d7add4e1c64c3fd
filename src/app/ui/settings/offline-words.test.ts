import { expect, test } from 'vitest';
import { offlineWords } from './offline-words.ts';

test('storing files shows its progress', () => {
  expect(offlineWords({ at: 'unknown' })).toBeNull();
  expect(offlineWords({ at: 'storing', done: 0, total: 0 })).toBe('Storing for offline use');
  expect(offlineWords({ at: 'storing', done: 4_123_456, total: 13_449_000 })).toBe(
    'Storing for offline use, 4.1 of 13.4 MB',
  );
  expect(offlineWords({ at: 'ready' })).toBe('Offline ready');
});

test('failures and obstacles are described', () => {
  expect(offlineWords({ at: 'failed', message: 'The browser’s storage is full', hint: '' })).toBe(
    'Could not store for offline use: The browser’s storage is full',
  );
});
