/** Changes the text of a plan value by value, and keeps its comments and layout; JSON stays JSON. */

import type { Document } from 'yaml';
import { isRecord } from '../spec/guards.ts';
import type { Json } from '../spec/json.ts';

/** Steps from the plan to a value, such as `['tasks', 0, 'id']`. */
export type PlanPath = readonly (string | number)[];

/** Sets a value; undefined removes it. @throws {Error} if the text is neither JSON nor YAML */
export function withValue(text: string, path: PlanPath, value: Json | undefined): Promise<string> {
  return changed(text, (document) => {
    if (value === undefined) {
      if (document.hasIn(path)) document.deleteIn(path);
    } else document.setIn(path, document.createNode(value));
  });
}

/** Adds a task at the end. @returns the text, and the id of the task */
export async function withTask(text: string): Promise<{ text: string; id: string }> {
  let id = '';
  const next = await changed(text, (document, tasks) => {
    const ids = new Set(tasks.map(idOf));
    let n = tasks.length + 1;
    while (ids.has(`task-${n}`)) n += 1;
    id = `task-${n}`;
    const task = document.createNode({ id, instructions: '' });
    if (tasks.length === 0)
      document.setIn(['tasks'], document.createNode([{ id, instructions: '' }]));
    else document.addIn(['tasks'], task);
  });
  return { text: next, id };
}

/** Removes a task, and what other tasks say about it. */
export function withoutTask(text: string, index: number): Promise<string> {
  return changed(text, (document, tasks) => {
    const id = idOf(tasks[index]);
    eachReference(tasks, id, (path) => {
      document.deleteIn(path);
    });
    document.deleteIn(['tasks', index]);
  });
}

/** Moves a task to another place in the list. */
export function withMovedTask(text: string, from: number, to: number): Promise<string> {
  return changed(text, (document) => {
    const list: unknown = document.getIn(['tasks'], true);
    if (!isRecord(list) || !Array.isArray(list.items)) return;
    const items: unknown[] = list.items;
    items.splice(to, 0, ...items.splice(from, 1));
  });
}

/** Gives a task another id, also where other tasks refer to it. */
export function withTaskId(text: string, index: number, id: string): Promise<string> {
  return changed(text, (document, tasks) => {
    const before = idOf(tasks[index]);
    eachReference(tasks, before, (path) => {
      document.setIn(path.at(-2) === 'inputs' ? [...path, 'task'] : path, id);
    });
    document.setIn(['tasks', index, 'id'], id);
  });
}

/** The plan as YAML. */
export async function planText(plan: unknown): Promise<string> {
  const { stringify } = await import('yaml');
  return stringify(plan, { lineWidth: 100 });
}

async function changed(
  text: string,
  change: (document: Document, tasks: readonly unknown[]) => void,
): Promise<string> {
  const { parseDocument } = await import('yaml');
  const isJson = text.trimStart().startsWith('{');
  const document = parseDocument(text.trim() === '' ? 'goal: ""\n' : text);
  const [mistake] = document.errors;
  if (mistake !== undefined) throw new Error(mistake.message);
  const value: unknown = document.toJS({ maxAliasCount: 20 });
  const tasks: unknown = isRecord(value) ? value.tasks : [];
  change(document, Array.isArray(tasks) ? tasks : []);
  return isJson
    ? `${JSON.stringify(document.toJS({ maxAliasCount: 20 }), null, 2)}\n`
    : document.toString({ lineWidth: 100 });
}

/** Calls `found` with the path of each reference to a task, the last first. */
function eachReference(
  tasks: readonly unknown[],
  id: string,
  found: (path: (string | number)[]) => void,
): void {
  for (const [at, task] of tasks.entries()) {
    if (!isRecord(task)) continue;
    const { depends_on: before, inputs } = task;
    if (Array.isArray(before))
      for (let n = before.length - 1; n >= 0; n -= 1)
        if (before[n] === id) found(['tasks', at, 'depends_on', n]);
    if (isRecord(inputs))
      for (const [name, input] of Object.entries(inputs))
        if (isRecord(input) && input.task === id) found(['tasks', at, 'inputs', name]);
  }
}

function idOf(task: unknown): string {
  return isRecord(task) && typeof task.id === 'string' ? task.id : '';
}
