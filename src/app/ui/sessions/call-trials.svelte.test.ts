/** Trials of calls. */

import { expect, test } from 'vitest';
import { CallTrials, isEdited } from './call-trials.svelte.ts';

test('a trial keeps its arguments until it is closed, and begins with those of the call', () => {
  const trials = new CallTrials();
  expect(trials.trial('c')).toBe(null);
  trials.open('c', '{"n":1.0}');
  const draft = trials.trial('c')?.draft;
  expect(JSON.parse(draft?.text ?? '')).toEqual({ n: 1 });
  expect(draft?.text).toContain('1.0');
  draft?.write('{"n": 2}');
  trials.open('c', '{"n":1.0}');
  expect(trials.trial('c')?.draft.text).toBe('{"n": 2}');
  trials.close('c');
  expect(trials.trial('c')).toBe(null);
});

test('the arguments of one held call are edited at a time, and are unchanged until the user types', () => {
  const trials = new CallTrials();
  trials.editHeld('a', '{"n":1}');
  trials.editHeld('b', '{"n":2}');
  expect(trials.heldDraft('a')).toBe(null);
  const draft = trials.heldDraft('b');
  expect(draft !== null && isEdited(draft)).toBe(false);
  draft?.write('{"n": 3}');
  expect(draft !== null && isEdited(draft)).toBe(true);
  trials.dropHeld();
  expect(trials.heldDraft('b')).toBe(null);
});
