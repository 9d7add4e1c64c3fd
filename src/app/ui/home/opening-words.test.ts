import { expect, test } from 'vitest';
import { openingDetail, openingStep } from './opening-words.ts';

const status = {
  phase: 'starting',
  done: 0,
  total: 0,
  message: '',
  python: 'starting',
  pythonStep: 'Loading Python: 1.0 of 9.0 MB',
} as const;

test('each step is described, with its progress if that is known', () => {
  expect([
    openingStep({ ...status, phase: 'reading' }),
    openingStep({ ...status, phase: 'reading', done: 1_200 }),
    openingStep(status),
    openingStep({ ...status, phase: 'scanning' }),
    openingStep({ ...status, phase: 'scanning', done: 3, total: 1_000 }),
  ]).toEqual([
    'Reading files',
    'Reading files: 1,200',
    'Starting Python',
    'Inspecting tool files',
    'Inspecting 3 of 1,000 tool files',
  ]);
  expect(openingDetail(status)).toBe('Loading Python: 1.0 of 9.0 MB');
  expect(openingDetail({ ...status, phase: 'scanning', message: 'a.py' })).toBe('a.py');
});

test('Python that is ready is not described as starting', () => {
  const ready = { ...status, python: 'ready', pythonStep: '' } as const;
  expect([openingStep(ready), openingDetail(ready)]).toEqual(['Copying files to Python', '']);
});
