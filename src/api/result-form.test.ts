import { expect, test } from 'vitest';
import { fakeResult } from './api-deps.fixture.ts';
import { resultPieces, runningText } from './result-form.ts';
import type { ToolResult } from '../spec/result.ts';

function written(result: ToolResult, cut = false): string {
  return [...resultPieces('c1', result, cut)].join('');
}

function parsed(result: ToolResult, cut = false): unknown {
  return JSON.parse(written(result, cut));
}

test('a success as JSON', () => {
  expect(parsed(fakeResult('Oslo'))).toEqual({
    callId: 'c1',
    state: 'ended',
    resultType: 'success',
    textResultForLlm: 'Oslo',
    content: [{ type: 'text', text: 'Oslo' }],
    metadata: {},
    stdout: '',
    stderr: '',
    isError: false,
    recoverable: false,
    durationMs: 1.5,
    stateLost: false,
    interpreter: 'shared',
  });
});

test('a failure as JSON, with every optional member', () => {
  const result = fakeResult('', {
    resultType: 'failure',
    error: 'ValueError: "no"',
    traceback: 'File "a.py"\n',
    content: [
      { type: 'json', text: '[NaN, 1.0]' },
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
    ],
    isError: true,
    recoverable: true,
    updates: [{ n: 0, json: '{"done": 12345678901234567890}' }],
    updatesDropped: 3,
    log: [{ level: 'info', message: 'hm' }],
    stdout: 'out\n',
    stderr: 'err',
    outputDropped: 7,
    stateLost: true,
  });
  expect(parsed(result, true)).toEqual({
    callId: 'c1',
    state: 'ended',
    resultType: 'failure',
    textResultForLlm: '',
    error: 'ValueError: "no"',
    traceback: 'File "a.py"\n',
    content: [
      { type: 'json', text: '[NaN, 1.0]' },
      { type: 'image', mediaType: 'image/png', data: 'iVBO' },
    ],
    metadata: {},
    stdout: 'out\n',
    stderr: 'err',
    isError: true,
    recoverable: true,
    durationMs: 1.5,
    stateLost: true,
    interpreter: 'shared',
    outputDropped: 7,
    updatesDropped: 3,
    updates: [{ n: 0, json: '{"done": 12345678901234567890}' }],
    log: [{ level: 'info', message: 'hm' }],
    cut: true,
  });
});

test('numbers in metadata stay exact', () => {
  expect(written(fakeResult('', { metadata: '{"n": 12345678901234567890, "f": 3.0}' }))).toContain(
    '"metadata":{"n": 12345678901234567890, "f": 3.0},',
  );
});

test('NaN and infinities become null, but not inside strings', () => {
  const metadata = String.raw`{"a": NaN, "b": [-Infinity, Infinity], "NaN": "Infinity \" NaN"}`;
  expect(parsed(fakeResult('', { metadata }))).toMatchObject({
    metadata: { a: null, b: [null, null], NaN: 'Infinity " NaN' },
  });
});

test.each(['', 'nope', '[]', '{}, "resultType": "success"', '{"a": 1'])(
  'metadata %j, which is not an object, is replaced by {}',
  (metadata) => {
    expect(parsed(fakeResult('', { metadata, resultType: 'failure' }))).toMatchObject({
      metadata: {},
      resultType: 'failure',
    });
  },
);

test('a running call says where its result will be', () => {
  expect(JSON.parse(runningText('c1'))).toEqual({
    callId: 'c1',
    state: 'running',
    rest: 'api/calls/c1',
  });
});
