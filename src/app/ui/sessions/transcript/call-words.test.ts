import { expect, test } from 'vitest';
import { callWords, givenWords, isChanged, programIn } from './call-words.ts';
import { askedCall, callOf, resultOf } from '../sessions.fixture.ts';

const running = callOf(askedCall('c1'), { phase: 'running', result: null });
const usual = {
  call: running,
  result: null,
  run: undefined,
  dropped: false,
  paused: false,
  asked: false,
  elsewhere: false,
  busyWith: [],
};

const words = (changes: Partial<Parameters<typeof callWords>[0]>): string =>
  callWords({ ...usual, ...changes }).words;

test('the state of a call is described', () => {
  expect([
    words({}),
    words({ call: { phase: 'asked', approval: null } }),
    words({ call: { phase: 'asked', approval: null }, dropped: true }),
    words({ asked: true }),
    words({ paused: true }),
    words({ run: { phase: 'queued', stopping: false } }),
    words({ run: { phase: 'running', stopping: true } }),
  ]).toEqual([
    'Running',
    'Waiting for its turn',
    'Not run',
    'Waiting for your answer',
    'Paused by step mode',
    'Queued',
    'Stopping',
  ]);
});

test('a waiting call names the calls it waits for, and a call of another page has no details', () => {
  const run = { phase: 'queued', stopping: false } as const;
  expect([
    words({ run, busyWith: ['m:slow'] }),
    words({ run, busyWith: ['m:slow', 'm:slower', 'm:f'] }),
    words({ run: { ...run, phase: 'running' }, busyWith: ['m:f'] }),
    words({ elsewhere: true }),
    words({ elsewhere: true, call: { phase: 'asked', approval: null } }),
    words({ run, call: { phase: 'asked', approval: null }, busyWith: ['m:slow'] }),
  ]).toEqual([
    'Waiting for m:slow',
    'Waiting for m:slow and 2 more',
    'Running',
    'Running in another tab',
    'Waiting for its turn',
    'Waiting for m:slow',
  ]);
});

test('the end of a call is described, except success', () => {
  const failed = resultOf({ resultType: 'failure', error: 'timeout' });
  const denied = { approval: 'deny', reason: 'No.' } as const;
  expect([
    words({ result: resultOf() }),
    words({ result: failed }),
    words({ result: failed, call: { phase: 'ended', approval: denied } }),
  ]).toEqual(['', 'Timed out', 'Denied']);
});

test('the summary of a result does not repeat the status', () => {
  const failed = (error: string) =>
    resultOf({ resultType: 'failure', error, textResultForLlm: `It ended: ${error}.` });
  const denied = (reason: string) => ({ approval: { approval: 'deny', reason } as const });
  expect([
    givenWords(undefined, failed('ValueError: no')),
    givenWords(undefined, failed('cancelled')),
    givenWords(undefined, failed('approval_required')),
    givenWords(denied(''), failed('approval_required')),
    givenWords(denied('Not that one.'), failed('approval_required')),
  ]).toEqual(['ValueError: no', '', 'It ended: approval_required.', '', 'Reason: Not that one.']);
});

test('a call runs with the arguments that the user changed', () => {
  const asked = askedCall('c1');
  const approval = { approval: 'once', reason: '' } as const;
  expect([
    isChanged(undefined),
    isChanged(callOf(asked)),
    isChanged(callOf(asked, { approval })),
    isChanged(callOf(asked, { approval, arguments: '{"mine": 1}' })),
  ]).toEqual([false, false, false, true]);
});

test('a program is read from the arguments of run_python only', () => {
  const args = JSON.stringify({ code: 'await work.add(a=1)' });
  expect(programIn('run_python', args)).toBe('await work.add(a=1)');
  expect(programIn('work:add', args)).toBe('');
  expect(programIn('run_python', '{"code": 1}')).toBe('');
  expect(programIn('run_python', '{"code": "x')).toBe('');
  expect(programIn('run_python', JSON.stringify({ code: 'x'.repeat(60_000) }))).toBe('');
});
