/** How the tasks of a run are named. */

import { expect, test } from 'vitest';
import type { Plan } from '../../runtime/spec/plan.ts';
import { task } from './plan-runs.fixture.ts';
import { namesBefore, taskName, taskTitle } from './run-tasks.ts';

const planOf = (tasks: Plan['tasks']): { readonly plan: Plan } => ({ plan: { goal: 'g', tasks } });

test('a task without a title, or with an empty one, is named by its id', () => {
  const tasks = [task('a', [], { title: 'Ask' }), task('b', [], { title: '' }), task('c')];
  const names = (id: string): string => taskName(planOf(tasks), id);
  expect(['a', 'b', 'c', 'gone'].map(names)).toEqual(['“Ask”', 'b', 'c', 'gone']);
  expect(tasks.map(taskTitle)).toEqual(['Ask', 'b', 'c']);
  expect(taskTitle(task('d', [], { title: ' ' }))).toBe('d');
});

test('the tasks before another are named, the first of many', () => {
  const ids = Array.from({ length: 500 }, (_, n) => `t${n}`);
  const tasks = [
    task('a', [], { title: 'Ask' }),
    task('b', ['a']),
    task('c', ['a', 'b', 'gone']),
    ...ids.map((id) => task(id, ids)),
  ];
  const names = namesBefore(tasks);
  expect(['a', 'b', 'c'].map((id) => names.get(id))).toEqual(['', '“Ask”', '“Ask”, b, gone']);
  expect(names.get('t499')).toBe(`${ids.slice(0, 20).join(', ')} and 480 more`);
});
