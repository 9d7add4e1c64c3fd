import { expect, test } from 'vitest';
import type { Expected } from '../../runtime/spec/evaluation.ts';
import { isObject } from '../../runtime/spec/guards.ts';
import { judgeTrial, type JudgeDeps, type MadeCall } from './judge-trial.ts';

const add = (a: number, b: number): MadeCall => ({
  tool: 'work:add',
  arguments: JSON.stringify({ a, b }),
});

/** Compares as Python's judge does, as far as these tests need it. */
const compare: JudgeDeps['compare'] = (expectText, outcomeText) => {
  const wanted = JSON.parse(expectText) as {
    equals?: object;
    includes?: object;
    expression?: string;
  };
  const outcome = JSON.parse(outcomeText) as {
    content: { text: string }[];
    textResultForLlm: string;
  };
  if (wanted.expression !== undefined)
    return Promise.resolve(outcome.textResultForLlm === 'good' ? [] : ['expression: false']);
  const value: unknown = JSON.parse(outcome.content[0]?.text ?? 'null');
  const isSame =
    isObject(value) && isObject(wanted.includes ?? wanted.equals) && matches(value, wanted);
  return Promise.resolve(isSame ? [] : ['differs']);
};

function matches(value: object, { equals, includes = {} }: { equals?: object; includes?: object }) {
  const members = new Map(Object.entries(value));
  if (equals !== undefined) return JSON.stringify(equals) === JSON.stringify(value);
  return Object.entries(includes).every(([key, one]) => members.get(key) === one);
}

async function reasons(expected: Expected, made: readonly MadeCall[], answer = '') {
  const ask = (statement: string) =>
    Promise.resolve(statement === 'true' ? null : 'Judged as not true.');
  return (await judgeTrial(expected, made, answer, { compare, ask })).map(
    ({ text, judged }) => `${judged ? 'judged: ' : ''}${text}`,
  );
}

test('a call that must be made is found by its tool and its arguments', async () => {
  const equals: Expected = { calls: { must: [{ tool: 'work:add', equals: { a: 1, b: 2 } }] } };
  const includes: Expected = { calls: { must: [{ tool: 'work:add', includes: { a: 1 } }] } };
  const ignore: Expected = {
    calls: { must: [{ tool: 'work:add', equals: { a: 1, b: 9 }, ignore: ['b'] }] },
  };
  expect(await reasons(equals, [add(1, 2)])).toEqual([]);
  expect(await reasons(includes, [add(1, 5)])).toEqual([]);
  expect(await reasons(ignore, [add(1, 5)])).toEqual([]);
  expect(await reasons(ignore, [add(2, 5)])).toHaveLength(1);
  expect(await reasons(equals, [add(1, 5)])).toEqual([
    'expected a call: work:add with {"a":1,"b":2}; made work:add({"a":1,"b":5})',
  ]);
  expect(await reasons(equals, [])).toEqual([
    'expected a call: work:add with {"a":1,"b":2}; no tool was called',
  ]);
});

test('each expected call needs a separate call, whichever is listed first', async () => {
  const expected: Expected = {
    calls: { must: ['work:add', { tool: 'work:add', includes: { a: 1 } }] },
  };
  expect(await reasons(expected, [add(1, 0), add(2, 0)])).toEqual([]);
  expect(await reasons(expected, [add(1, 0)])).toEqual([
    'expected a call once more: work:add including {"a":1}',
  ]);
});

test('the order of calls counts only where it is asked for', async () => {
  const must = [
    { tool: 'work:add', includes: { a: 1 } },
    { tool: 'work:add', includes: { a: 2 } },
  ];
  const made = [add(2, 0), add(1, 0)];
  expect(await reasons({ calls: { must } }, made)).toEqual([]);
  expect(await reasons({ calls: { must, order: 'listed' } }, [...made].reverse())).toEqual([]);
  expect(await reasons({ calls: { must, order: 'listed' } }, made)).toEqual([
    'expected a call in this order: work:add including {"a":2}',
  ]);
});

test('calls that must not or may not be made fail', async () => {
  const other = { tool: 'work:note', arguments: '{}' };
  expect(await reasons({ calls: { must_not: ['work:note'] } }, [add(1, 1)])).toEqual([]);
  expect(await reasons({ calls: { must_not: ['work:note'] } }, [other])).toEqual([
    'made a call that it must not make: work:note({})',
  ]);
  expect(await reasons({ calls: { may: ['work:note'] } }, [other])).toEqual([]);
  expect(await reasons({ calls: { may: [] } }, [other])).toEqual([
    'made a call that is not expected: work:note({})',
  ]);
});

test('the answer contains texts, matches in Python, and is judged only if all else holds', async () => {
  const answer = { includes: ['go', 'od'], regex: 'g.*d', judge: 'true' };
  expect(await reasons({ answer }, [], 'good')).toEqual([]);
  expect(await reasons({ answer: { ...answer, judge: 'false' } }, [], 'good')).toEqual([
    'judged: Judged as not true.',
  ]);
  expect(await reasons({ answer: { ...answer, judge: 'false' } }, [], 'bad')).toEqual([
    'the answer does not contain “go”',
    'the answer does not contain “od”',
    'the answer does not match the regular expression g.*d',
  ]);
});
