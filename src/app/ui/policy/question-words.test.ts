import { expect, test } from 'vitest';
import { usualIndex } from '../../../runtime/grants/folder-policy.ts';
import type { Question } from '../../../runtime/grants/questions.ts';
import { argumentsFault, choicesOf, hostsOf, notesOf, wordsOf } from './question-words.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

const asking = { id: 1, tool: 't:f', file: 't.py', callId: 'c', caller: 'user' } as const;
const network: Question = {
  ...asking,
  kind: 'network',
  origin: 'https://a.example',
  method: 'GET',
  url: 'https://a.example/',
};
const approve: Question = { ...asking, kind: 'approve', question: 'x', details: null };
const packages: Question = {
  ...asking,
  kind: 'packages',
  wanted: [{ file: 't.py', requirement: 'requests' }],
  index: 'https://pypi.org/simple/',
};
const call = {
  ...asking,
  kind: 'call',
  arguments: '{}',
  inSession: true,
  sessionId: 's',
  task: null,
} as const satisfies Question;

test('an origin can be allowed permanently if the folder is stored', () => {
  const replies = (isTemporary: boolean) =>
    choicesOf(network, isTemporary).map(({ reply }) => reply);
  expect([replies(false), replies(true)]).toEqual([
    ['no', 'never', 'once', 'visit', 'always'],
    ['no', 'never', 'once', 'visit'],
  ]);
});

test('packages belong to no call, so they cannot be allowed for one', () => {
  const replies = (isTemporary: boolean) =>
    choicesOf(packages, isTemporary).map(({ reply }) => reply);
  expect([replies(false), replies(true)]).toEqual([
    ['no', 'never', 'visit', 'always'],
    ['no', 'never', 'visit'],
  ]);
  expect(choicesOf(packages, true)[1]).toEqual({
    reply: 'never',
    words: 'Never for this visit',
    allows: false,
  });
});

test('a call of a model can be allowed for the rest of its session', () => {
  const replies = (inSession: boolean) =>
    choicesOf({ ...call, inSession }, false).map(({ reply }) => reply);
  expect([replies(true), replies(false)]).toEqual([
    ['no', 'never', 'once', 'session', 'always'],
    ['no', 'never', 'once', 'always'],
  ]);
  const task = { run: 'r', title: 'Count' };
  const ofRun = choicesOf({ ...call, task }, false).find(({ reply }) => reply === 'session');
  expect(ofRun?.words).toBe('Allow for this run');
});

test('changed arguments must be a JSON object', () => {
  expect([argumentsFault('{"a": 1}'), argumentsFault('[1]'), argumentsFault('{')]).toEqual([
    '',
    'Arguments must be a JSON object: { … }',
    expect.stringContaining('Line 1, column 2') as string,
  ]);
});

test('answers that refuse come first, and allow nothing', () => {
  for (const question of [network, packages, approve, call]) {
    const choices = choicesOf(question, false);
    expect(choices[0]).toMatchObject({ reply: 'no', allows: false });
    for (const { reply, allows } of choices) expect(allows).toBe(!/^(no|never)$/.test(reply));
  }
});

test('the notes on an origin mention look-alike names, eavesdroppers and added secrets', () => {
  const notes = (origin: string) =>
    notesOf({ origin }, { secrets: [{ origin: 'https://a.example', header: 'Authorization' }] });
  expect(notes('https://b.example')).toEqual([]);
  expect(notes('https://a.example')).toEqual([
    'Your secrets for this origin are added to each request: Authorization.',
  ]);
  expect(notes('http://api.xn--pi-7kc.example')).toEqual([
    'The name contains characters from other alphabets and may imitate another name.',
    'The connection is not encrypted: others on the network can read and change the data.',
  ]);
});

test('all hosts that learn about packages are named', () => {
  expect(hostsOf(usualIndex)).toEqual(['pypi.org', 'files.pythonhosted.org', 'cdn.jsdelivr.net']);
  expect(hostsOf('http://localhost:8000/simple/')).toEqual([
    'localhost:8000',
    'hosts that localhost:8000 links to',
    'cdn.jsdelivr.net',
  ]);
  expect(hostsOf('https://cdn.jsdelivr.net/simple/')).toEqual([
    'cdn.jsdelivr.net',
    'hosts that cdn.jsdelivr.net links to',
  ]);
});

test('empty lines do not move the end of a question out of view', () => {
  expect(wordsOf(`All is well.${'\n \u00a0\n'.repeat(100)}  Delete everything?\n\n\n`)).toBe(
    'All is well.\n\n  Delete everything?',
  );
  const blank = '\u2800\u200d\ufe0f\u180b\u{1d159}';
  expect(wordsOf(`${`${blank}\n`.repeat(50)}All is well.${`\n${blank}`.repeat(50)}\nDelete?`)).toBe(
    'All is well.\n\nDelete?',
  );
  expect(wordsOf(`a${'\u2800'.repeat(5_000)}b`)).toBe(`a${'\u2800'.repeat(80)}b`);
  expect(wordsOf('a\u2800b 👩\u200d🚀\ufe0f c')).toBe('a\u2800b 👩\u200d🚀\ufe0f c');
  expect(wordsOf('One\n\ntwo\nthree \u202e')).toBe('One\n\ntwo\nthree ⟨U+202E⟩'.trim());
  const before = threadMs();
  expect(wordsOf(`a${' '.repeat(200_000)}b`).length).toBe(82);
  // A match that starts again at each space would take more than ten seconds.
  expect(threadMs() - before).toBeLessThan(2_000);
});
