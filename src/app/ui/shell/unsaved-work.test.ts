import { expect, test } from 'vitest';
import { sampleTool } from '../../../../tests/support/ui-samples.ts';
import { draftOf } from '../tools/forms/argument-template.ts';
import { Drafts } from '../tools/forms/draft.svelte.ts';
import { listUnsavedWork } from './unsaved-work.ts';

test('typed arguments are unsaved until a run has used them', () => {
  let earlier: string[] = [];
  const drafts = new Drafts(() => earlier);
  const runs = { busy: new Map<string, null>() };
  const draft = draftOf(drafts, sampleTool({ name: 'greet:hello' }));
  expect(listUnsavedWork(drafts, runs)).toEqual([]);
  draft.write('{"location": "Oslo"}');
  expect(listUnsavedWork(drafts, runs)).toEqual([
    'The arguments you entered for greet:hello will be lost.',
  ]);
  earlier = ['{"location": "Oslo"}'];
  expect(listUnsavedWork(drafts, runs)).toEqual([]);
});

test('a running call is unsaved work, whatever its caller', () => {
  const drafts = new Drafts(() => []);
  expect(listUnsavedWork(drafts, { busy: new Map([['greet:wait', null]]) })).toEqual([
    'The running call to greet:wait will be cancelled.',
  ]);
});

test('the text of a file is lost where it is not stored', () => {
  const drafts = new Drafts(() => []);
  const lost = listUnsavedWork(drafts, { busy: new Map() }, [], ['a.py']);
  expect(lost).toEqual(['The unsaved changes of a.py will be lost.']);
});
