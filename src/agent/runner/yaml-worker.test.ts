import { expose } from 'comlink';
import { afterEach, expect, test, vi } from 'vitest';
import * as edits from './yaml/edit-plan.ts';
import { parseYaml, yamlLines } from './yaml/parse-yaml.ts';
import { yamlTexts } from './yaml-worker.ts';

const real = { ...edits, parse: parseYaml, lines: yamlLines };
const open: MessagePort[] = [];

afterEach(() => {
  vi.useRealTimers();
  for (const port of open.splice(0)) port.close();
});

/** A worker whose work is done by `parts`. */
function worker(parts: object, onEnd: () => void = () => undefined): Worker {
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  expose({ ...real, ...parts }, port2);
  return Object.assign(port1, { terminate: onEnd }) as unknown as Worker;
}

test('texts are read and changed in one worker', async () => {
  let started = 0;
  const texts = yamlTexts(() => {
    started += 1;
    return worker({});
  });
  expect(await texts.parse('a: [1, 2]')).toMatchObject({ value: { a: [1, 2] } });
  expect(await texts.lines('a: 1\nb: 2', [['b'], ['gone']])).toEqual([2, 1]);
  expect(await texts.withValue('goal: x # why\n', ['goal'], 'y')).toBe('goal: y # why\n');
  expect((await texts.withTask('goal: x\n')).id).toBe('task-1');
  expect(started).toBe(1);
});

test('a text that takes too long ends its worker, and those that wait are read by another', async () => {
  vi.useFakeTimers();
  const ended: string[] = [];
  let begin: (value: unknown) => void = () => undefined;
  const begun = new Promise((resolve) => (begin = resolve));
  const parse = () => {
    begin(null);
    return new Promise(() => undefined);
  };
  const workers = [worker({ parse }, () => ended.push('first')), worker({})];
  const texts = yamlTexts(() => workers.shift() ?? worker({}));
  const slow = expect(texts.parse('slow')).rejects.toThrow('Reading the text took longer than 5 s');
  const other = expect(texts.lines('also', [['a']])).resolves.toEqual([1]);
  await begun;
  await vi.advanceTimersByTimeAsync(5_000);
  await Promise.all([slow, other]);
  expect(ended).toEqual(['first']);
  expect(await texts.parse('a: 1')).toMatchObject({ value: { a: 1 } });
});

test('the time of a text begins when the worker answers, after a slow download', async () => {
  vi.useFakeTimers();
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  let ends = 0;
  const loading = Object.assign(port1, { terminate: () => (ends += 1) }) as unknown as Worker;
  const texts = yamlTexts(() => loading);
  const asked = expect(texts.parse('a: 1')).resolves.toMatchObject({ value: { a: 1 } });
  await vi.advanceTimersByTimeAsync(20_000);
  expose(real, port2);
  await asked;
  expect(ends).toBe(0);
});

test('a worker that is never loaded is given up', async () => {
  vi.useFakeTimers();
  const { port1, port2 } = new MessageChannel();
  open.push(port1, port2);
  const silent = Object.assign(port1, { terminate: () => undefined }) as unknown as Worker;
  const workers = [silent, worker({})];
  const texts = yamlTexts(() => workers.shift() ?? silent);
  const asked = expect(texts.parse('a: 1')).rejects.toThrow('took longer than 60 s');
  await vi.advanceTimersByTimeAsync(60_000);
  await asked;
  expect(await texts.parse('a: 1')).toMatchObject({ value: { a: 1 } });
});

test('a worker that dies ends its question', async () => {
  const dying = worker({ parse: () => new Promise(() => undefined) });
  const texts = yamlTexts(() => dying);
  const asked = expect(texts.parse('x')).rejects.toThrow('has failed');
  await Promise.resolve();
  dying.dispatchEvent(new Event('error'));
  await asked;
});
