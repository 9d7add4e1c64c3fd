/** What a model gets of a result with documents. */

import { expect, test } from 'vitest';
import { textResult } from '../../runtime/call/results.ts';
import type { SessionCall } from '../session/session-state.ts';
import { askedCall } from '../session/session.fixture.ts';
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
