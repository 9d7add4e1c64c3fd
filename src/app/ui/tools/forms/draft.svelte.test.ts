import { expect, test } from 'vitest';
import { sampleTool } from '../../../../../tests/support/ui-samples.ts';
import { draftOf } from './argument-template.ts';
import { Draft, Drafts } from './draft.svelte.ts';

test("a draft starts with the tool's last arguments, exactly as written", () => {
  expect(new Draft('{}', () => ['{"x": 3.0}', '{"x": 1}']).text).toBe('{"x": 3.0}');
  expect(new Draft('{"x": 0}', () => []).text).toBe('{"x": 0}');
});

test('recall goes back through earlier arguments, and returns to the draft', () => {
  const draft = new Draft('{}', () => ['{"n": 2}', '{"n": 1}']);
  draft.write('{"n": 3}');
  const seen = [
    draft.recallEarlier(),
    draft.text,
    draft.recallEarlier(),
    draft.text,
    draft.recallEarlier(),
    draft.text,
  ];
  expect(seen).toEqual([true, '{"n": 2}', true, '{"n": 1}', false, '{"n": 1}']);
  expect([
    draft.recallLater(),
    draft.text,
    draft.recallLater(),
    draft.text,
    draft.recallLater(),
  ]).toEqual([true, '{"n": 2}', true, '{"n": 3}', false]);
});

test('earlier arguments that equal the draft are skipped', () => {
  const draft = new Draft('{}', () => ['{"n": 2}', '{"n": 1}']);
  expect([draft.recallEarlier(), draft.text]).toEqual([true, '{"n": 1}']);
});

test('each tool has its draft until another folder is opened', () => {
  const drafts = new Drafts(() => []);
  const tool = sampleTool();
  draftOf(drafts, tool).write('{"location": "Bergen"}');
  drafts.awaitRun(tool.name);
  expect(draftOf(drafts, tool).text).toBe('{"location": "Bergen"}');
  drafts.clear();
  expect(JSON.parse(draftOf(drafts, tool).text)).toEqual({});
  // Another folder may have a tool of this name.
  expect(drafts.isAwaited(tool.name)).toBe(false);
});

test('an unchanged template follows the schema, and an edited text stays', () => {
  const drafts = new Drafts(() => []);
  const tool = sampleTool();
  const changed = sampleTool({ examples: [{ location: 'Rome' }] });
  draftOf(drafts, tool);
  expect(JSON.parse(draftOf(drafts, changed).text)).toEqual({ location: 'Rome' });
  draftOf(drafts, changed).write('{}');
  expect(draftOf(drafts, tool).text).toBe('{}');
});

test('arguments from elsewhere replace unrun ones, which can be brought back', () => {
  const draft = new Draft('{}', () => ['{"n": 1}']);
  // Neither earlier arguments nor the template are lost if they are replaced.
  draft.replace('{"link": 1}');
  expect([draft.text, draft.replaced]).toEqual(['{"link": 1}', null]);
  draft.write('{"mine":');
  draft.replace('{"link": 2}');
  expect([draft.text, draft.replaced]).toEqual(['{"link": 2}', '{"mine":']);
  draft.write('{"link": 3}');
  draft.bringBack();
  expect([draft.text, draft.replaced]).toEqual(['{"mine":', '{"link": 3}']);
  draft.bringBack();
  // The first replaced text is kept until there is a newer one.
  draft.replace('{"link": 3}');
  expect([draft.text, draft.replaced]).toEqual(['{"link": 3}', '{"mine":']);
  draft.replace('{"n": 1}');
  expect([draft.text, draft.replaced]).toEqual(['{"n": 1}', '{"link": 3}']);
  draft.bringBack();
  expect([draft.text, draft.replaced]).toEqual(['{"link": 3}', null]);
});
