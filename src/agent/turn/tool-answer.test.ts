/** The answer that a model gets for a call: documents, and notes. */

import { expect, test } from 'vitest';
import { textResult } from '../../runtime/call/results.ts';
import type { SessionCall } from '../session/session-state.ts';
import { askedCall } from '../session/session.fixture.ts';
import type { CallChange } from '../../runtime/spec/result.ts';
import { toolAnswer } from './tool-answer.ts';

const call: SessionCall = {
  asked: askedCall('c'),
  turnId: 't',
  phase: 'ended',
  approval: null,
  result: null,
  arguments: askedCall('c').arguments,
};
const pdf = { type: 'binary', mediaType: 'application/pdf', data: 'JVBERi0=' } as const;
const zip = { type: 'binary', mediaType: 'application/zip', data: 'UEs=' } as const;

function answer(documents: boolean, content = [{ ...pdf }, zip, { ...pdf }, { ...pdf }]) {
  const result = { ...textResult('Here.'), content };
  return toolAnswer(call, result, { images: true, documents, stateLost: false }).parts;
}

test('a model that reads documents gets the first two of a result, and is told what it does not get', () => {
  const [text, ...files] = answer(true);
  expect(files).toEqual(
    [1, 2].map((n) => ({
      type: 'file',
      mediaType: 'application/pdf',
      name: `result-${n}.pdf`,
      data: pdf.data,
    })),
  );
  expect(text).toEqual({
    type: 'text',
    text: 'Here.\n[Shown to the user, not to you: application/zip, application/pdf]',
  });
});

test('others get only their types, as does every model of a document that is too large', () => {
  expect(answer(false)).toHaveLength(1);
  const large = { ...pdf, data: 'A'.repeat(6_000_001) };
  expect(answer(true, [large as unknown as typeof pdf])).toEqual([
    { type: 'text', text: 'Here.\n[Shown to the user, not to you: application/pdf]' },
  ]);
});

test('a model is told who changed the arguments, but not of changes of the result', () => {
  const changes = [
    { by: 'guard (Safety)', what: 'arguments', before: '{}', after: '{"n": 1}' },
    { what: 'arguments', before: '{"n": 1}', after: '{"n": 2}' },
    { by: 'redact', what: 'result', before: 'a', after: 'b' },
  ] as const;
  const text = (given: Partial<SessionCall>, made: readonly CallChange[]) =>
    toolAnswer({ ...call, ...given }, { ...textResult('Here.'), changes: made }, options).parts[0];
  const options = { images: false, stateLost: false };
  const [first, , last] = changes;
  expect([
    text({}, [first]),
    text({ arguments: '{"n": 2}' }, changes),
    text({}, [last]),
    // A denied call has not run.
    text({ approval: { approval: 'deny', reason: '' } }, [first]),
  ]).toEqual(
    [
      '[The interceptor guard (Safety) changed the arguments. The call ran with: {"n": 1}]\nHere.',
      '[The user and the interceptor guard (Safety) changed the arguments. The call ran with: {"n": 2}]\nHere.',
      'Here.',
      'Here.',
    ].map((expected) => ({ type: 'text', text: expected })),
  );
});
