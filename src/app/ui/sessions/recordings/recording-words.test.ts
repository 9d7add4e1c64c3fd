import { expect, test } from 'vitest';
import { recordingName } from './recording-words.ts';

test('a scripted example has a short, distinct name', () => {
  const title = 'Scripted example: split a bill';
  expect(recordingName({ title, scripted: true })).toBe('split a bill');
  expect(recordingName({ title, scripted: false })).toBe(title);
  expect(recordingName({ title: 'x'.repeat(200), scripted: true })).toHaveLength(80);
});
