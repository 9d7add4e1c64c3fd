import { expect, test } from 'vitest';
import {
  planText,
  withMovedTask,
  withoutTask,
  withTask,
  withTaskId,
  withValue,
} from './edit-plan.ts';

const text = `# A plan
goal: Add
tasks:
  - id: a # the first
    instructions: Do a
  - id: b
    instructions: Do b
    depends_on: [ a ]
    inputs:
      first: { task: a }
      other: 5
`;

test('a value is set and removed, and comments stay', () => {
  const named = withValue(text, ['tasks', 1, 'title'], 'The second');
  expect(named).toContain('# the first');
  expect(named).toContain('    title: The second\n');
  expect(withValue(named, ['tasks', 1, 'title'], undefined)).toBe(text);
  expect(withValue(text, ['tasks', 1, 'budget', 'calls'], 3)).toContain('calls: 3');
  const other = withValue('goal: x # why\n', ['goal'], 'y: z');
  expect(other).toBe('goal: "y: z" # why\n');
  expect(withValue('', ['goal'], 'Begin')).toBe('goal: Begin\n');
});

test('a task is added, moved, renamed and removed with what refers to it', () => {
  const added = withTask(text);
  expect(added.id).toBe('task-3');
  expect(added.text).toContain('- id: task-3\n    instructions: ""');
  expect(withTask('goal: Add\n').text).toBe(
    'goal: Add\ntasks:\n  - id: task-1\n    instructions: ""\n',
  );
  const moved = withMovedTask(text, 1, 0);
  expect(moved.indexOf('id: b')).toBeLessThan(moved.indexOf('id: a'));
  const renamed = withTaskId(text, 0, 'first one');
  expect(renamed).toContain('id: first one # the first');
  expect(renamed).toMatch(/depends_on: \[ ?first one ?\]/);
  expect(renamed).toContain('first: { task: first one }');
  const removed = withoutTask(text, 0);
  expect(removed).not.toContain('task: a');
  expect(removed).toContain('other: 5');
  expect(removed).toMatch(/depends_on: \[ *\]/);
});

test('JSON stays JSON, and broken text is not changed', () => {
  const json = withValue('{"goal": "x", "tasks": []}', ['parallel'], 2);
  expect(JSON.parse(json)).toEqual({ goal: 'x', tasks: [], parallel: 2 });
  expect(() => withValue('goal: [', ['goal'], 'x')).toThrow();
  expect(planText({ goal: 'x' })).toBe('goal: x\n');
});

test('a text with the line ends of old Macs is changed like any other', () => {
  const old = text.replaceAll('\n', '\r');
  expect(withValue(old, ['goal'], 'Sum')).toBe(withValue(text, ['goal'], 'Sum'));
});
