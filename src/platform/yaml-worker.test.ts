import { expose } from 'comlink';
import { afterEach, expect, test, vi } from 'vitest';
import * as edits from '../runner/yaml/edit-plan.ts';
import { parseYaml, yamlLines } from '../runner/yaml/parse-yaml.ts';
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

test('a text that takes too long ends its worker, and the next one is read by another', async () => {
  vi.useFakeTimers();
  const ended: string[] = [];
  const workers = [
    worker({ parse: () => new Promise(() => undefined) }, () => ended.push('first')),
    worker({}),
  ];
  const texts = yamlTexts(() => workers.shift() ?? worker({}));
  const slow = expect(texts.parse('slow')).rejects.toThrow('Reading the text took longer than 5 s');
  const other = expect(texts.lines('also', [['a']])).resolves.toEqual([1]);
  await other;
  await vi.advanceTimersByTimeAsync(5_000);
  await slow;
  expect(ended).toEqual(['first']);
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
