/** What the person may say to each kind of question. */

import { expect, test } from 'vitest';
import type { Question } from '../../grants/questions.ts';
import { choicesOf, titleOf } from './question-words.ts';

const asking = { id: 1, tool: 't:f', file: 't.py', callId: 'c', caller: 'person' } as const;
const network: Question = {
  ...asking,
  kind: 'network',
  origin: 'https://a.example',
  method: 'GET',
  url: 'https://a.example/',
};
const approve: Question = { ...asking, kind: 'approve', question: 'x', details: null };
const call: Question = { ...asking, kind: 'call', arguments: '{}' };

test('an origin may be allowed for as long as the folder is known', () => {
  const replies = (fleeting: boolean) => choicesOf(network, fleeting).map(({ reply }) => reply);
  expect([replies(false), replies(true)]).toEqual([
    ['no', 'never', 'once', 'visit', 'always'],
    ['no', 'never', 'once', 'visit'],
  ]);
});

test('what refuses comes first, and nothing that refuses allows', () => {
  for (const question of [network, approve, call]) {
    const choices = choicesOf(question, false);
    expect(choices[0]).toMatchObject({ reply: 'no', allows: false });
    for (const { reply, allows } of choices) expect(allows).toBe(!/^(no|never)$/.test(reply));
  }
});

test('titles name who is asked for, with hostile characters made visible', () => {
  expect([titleOf(network), titleOf(approve), titleOf(call)]).toEqual([
    'Reach https://a.example?',
    'A tool asks for your approval',
    'Run t:f?',
  ]);
  expect(titleOf({ ...call, tool: 'a\u202eb' })).not.toContain('\u202e');
});
