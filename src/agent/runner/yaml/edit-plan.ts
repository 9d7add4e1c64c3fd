/** Changes the text of a plan value by value, and keeps its comments and layout; JSON stays JSON. */

import { isNode, isScalar, parseDocument, stringify, visit, type Document } from 'yaml';
import type { ValuePath } from '../../../runtime/protocol/yaml.ts';
import { isRecord } from '../../../runtime/spec/guards.ts';
import type { Json } from '../../../runtime/spec/json.ts';
import { noAliasLimit, reading, withLineFeeds } from './parse-yaml.ts';

/** Sets a value; undefined removes it. @throws {Error} if the text is neither JSON nor YAML */
export function withValue(text: string, path: ValuePath, value: Json | undefined): string {
  return changeDocument(text, (document) => {
    writeOutAliases(document, document.getIn(path, true));
    if (value === undefined) {
      if (document.hasIn(path)) document.deleteIn(path);
      return;
    }
    const before: unknown = document.getIn(path, true);
    const node = document.createNode(value);
    // The comment beside the value stays.
    if (isScalar(before)) node.comment = before.comment ?? null;
    document.setIn(path, node);
  });
}

/** Adds a task at the end. @returns the text, and the id of the task */
export function withTask(text: string): { text: string; id: string } {
  let id = '';
  const next = changeDocument(text, (document, tasks) => {
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
export function withoutTask(text: string, index: number): string {
  return changeDocument(text, (document, tasks) => {
    const id = idOf(tasks[index]);
    eachReference(tasks, id, (path) => document.deleteIn(path));
    writeOutAliases(document, document.getIn(['tasks', index], true));
    document.deleteIn(['tasks', index]);
  });
}

/** Moves a task to another place in the list. */
export function withMovedTask(text: string, from: number, to: number): string {
  return changeDocument(text, (document) => {
    const list: unknown = document.getIn(['tasks'], true);
    if (!isRecord(list) || !Array.isArray(list.items)) return;
    const items: unknown[] = list.items;
    writeOutAliases(document, items[from]);
    items.splice(to, 0, ...items.splice(from, 1));
  });
}

/** Gives a task another id, also where other tasks refer to it. */
export function withTaskId(text: string, index: number, id: string): string {
  return changeDocument(text, (document, tasks) => {
    const before = idOf(tasks[index]);
    eachReference(tasks, before, (path) => {
      document.setIn(path.at(-2) === 'inputs' ? [...path, 'task'] : path, id);
    });
    document.setIn(['tasks', index, 'id'], id);
  });
}

/** The plan as YAML. */
export function planText(plan: unknown): string {
  return stringify(plan, { lineWidth: 100 });
}

function changeDocument(
  text: string,
  change: (document: Document, tasks: readonly unknown[]) => void,
): string {
  const isJson = text.trimStart().startsWith('{');
  const document = parseDocument(text.trim() === '' ? 'goal: ""\n' : withLineFeeds(text), {
    ...reading,
    // Long numbers keep their digits.
    intAsBigInt: true,
  });
  const [mistake] = document.errors;
  if (mistake !== undefined) throw new Error(mistake.message);
  const value: unknown = document.toJS(noAliasLimit);
  const tasks: unknown = isRecord(value) ? value.tasks : [];
  change(document, Array.isArray(tasks) ? tasks : []);
  const next = isJson
    ? `${JSON.stringify(document.toJS(noAliasLimit), exactInteger, 2)}\n`
    : document.toString({ lineWidth: 100 });
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  return mark + (text.includes('\r\n') ? next.replaceAll(/\r?\n/g, '\r\n') : next);
}

/** JSON.stringify refuses big integers. */
function exactInteger(_: string, value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const rounded = Number(value);
  return BigInt(rounded) === value ? rounded : (JSON.rawJSON?.(String(value)) ?? rounded);
}

/**
 * Writes out what aliases stand for that refer to a node, or to something in it, because it is removed, replaced or moved
 * behind them.
 */
function writeOutAliases(document: Document, node: unknown): void {
  if (!isNode(node)) return;
  const anchors = new Set<string>();
  visit(node, {
    Value: (_, { anchor }) => {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  visit(document, {
    Alias: (_, alias) => {
      const meant = anchors.has(alias.source) ? alias.resolve(document) : undefined;
      if (meant === undefined) return undefined;
      const copy = meant.clone() as typeof meant;
      visit(copy, {
        Value: (__, value) => {
          delete value.anchor;
        },
      });
      return copy;
    },
  });
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
