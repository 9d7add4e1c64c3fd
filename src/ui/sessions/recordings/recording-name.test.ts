import { expect, test } from 'vitest';
import { recordingName } from './recording-name.ts';

test('a scripted example is called by what tells it from the others', () => {
  const title = 'Scripted example: a bill, split and drawn';
  expect(recordingName({ title, scripted: true })).toBe('a bill, split and drawn');
  expect(recordingName({ title, scripted: false })).toBe(title);
  expect(recordingName({ title: 'x'.repeat(200), scripted: true })).toHaveLength(80);
});
