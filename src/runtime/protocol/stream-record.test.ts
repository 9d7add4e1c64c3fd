import { expect, it } from 'vitest';
import { defaultLimits } from '../spec/limits.ts';
import type { Stream } from '../spec/result.ts';
import { StreamRecord } from './stream-record.ts';

const nothing: Stream = { updates: [], dropped: 0, out: '', err: '', log: [] };

it('stores the first updates and the latest, and counts the rest', () => {
  const record = new StreamRecord({ ...defaultLimits, updates: 2 });
  for (let n = 0; n < 10; n += 1)
    record.add({ ...nothing, updates: [{ n, json: String(n) }], dropped: n === 9 ? 5 : 0 });
  expect(record.streamed()).toEqual({
    updates: [
      { n: 0, json: '0' },
      { n: 1, json: '1' },
      { n: 9, json: '9' },
    ],
    updatesDropped: 12,
    stdout: '',
    stderr: '',
    outputDropped: 0,
    log: [],
  });
});

it('stores printed output up to one limit for both streams, and counts the rest', () => {
  const record = new StreamRecord({ ...defaultLimits, outputChars: 10 });
  record.add({ ...nothing, out: '12345', err: 'abc' });
  record.add({ ...nothing, out: '67890' });
  record.add({ ...nothing, err: 'def' });
  expect(record.streamed(4)).toMatchObject({ stdout: '1234567', stderr: 'abc', outputDropped: 10 });
});

it('stores log lines up to their limit', () => {
  const record = new StreamRecord(defaultLimits);
  const line = { level: 'info', message: 'x'.repeat(600_000) };
  record.add({ ...nothing, log: [line, line] });
  expect(record.streamed().log).toEqual([line]);
});
