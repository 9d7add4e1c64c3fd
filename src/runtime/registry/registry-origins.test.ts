/** Tools of several origins in one registry. */

import { expect, test } from 'vitest';
import { fakeInspection, fakeTool } from '../scan/tool.fixture.ts';
import type { Dispatch } from '../spec/call.ts';
import type { RegisteredTool } from '../spec/tool.ts';
import { noDispatch } from './dispatch.fixture.ts';
import { Registry } from './registry.ts';

const ignore = (): void => undefined;

/** The registry of an open folder with one file a.py. */
function opened(): Registry {
  const registry = new Registry(noDispatch, ignore);
  scan(registry, 'a');
  return registry;
}

/** Scans a file with one tool. */
function scan(registry: Registry, stem: string): void {
  const file = `${stem}.py`;
  const inspection = fakeInspection(file, { tools: [fakeTool(`${stem}:f`)] });
  registry.replaceFile({ file, hash: '', inspection, fingerprint: file }, 1);
}

function registered(name: string): RegisteredTool {
  return { ...fakeTool(name), hash: '', loadedAt: 1, state: 'ready' };
}

function names(registry: Registry): string[] {
  return registry.list().map((tool) => tool.name);
}

test('another folder replaces only the tools of the folder', () => {
  const registry = opened();
  const own: Dispatch = { ...noDispatch };
  const remove = registry.register('extension', [registered('extra:f')], own);
  registry.register('built-in', [registered('search')], own);
  expect(names(registry)).toEqual(['a:f', 'extra:f']);
  registry.closeFolder();
  expect(names(registry)).toEqual(['extra:f']);
  scan(registry, 'b');
  expect(names(registry)).toEqual(['b:f', 'extra:f']);
  remove();
  expect(names(registry)).toEqual(['b:f']);
});

test('each tool is found with its origin and dispatch; built-in tools are not listed', () => {
  const registry = opened();
  const own: Dispatch = { ...noDispatch };
  const revision = registry.revision;
  registry.register('built-in', [registered('search')], own);
  expect(registry.lookup('a:f')).toMatchObject({ origin: 'folder', dispatch: noDispatch });
  expect(registry.lookup('search')?.origin).toBe('built-in');
  expect(registry.lookup('search')?.dispatch).toBe(own);
  expect([registry.get('a:f')?.name, registry.get('search')]).toEqual(['a:f', undefined]);
  expect(registry.revision).toBe(revision);
});

test('a name that is taken cannot be registered, nor anything with it', () => {
  const registry = opened();
  const register = (...tools: string[]) =>
    registry.register('extension', tools.map(registered), noDispatch);
  expect(() => register('new:f', 'a:f')).toThrow('The name a:f is taken');
  expect(() => register('new:f', 'new:f')).toThrow('The name new:f is taken');
  expect(names(registry)).toEqual(['a:f']);
});

test('a folder’s tool with the name of a registered one takes precedence, and the conflict is reported', () => {
  const registry = new Registry(noDispatch, ignore);
  registry.register('extension', [registered('a:f')], noDispatch);
  scan(registry, 'a');
  expect(registry.lookup('a:f')?.origin).toBe('folder');
  expect(registry.problems.map(({ code, file }) => [code, file])).toEqual([
    ['duplicate-name', 'a.py'],
  ]);
});

test('an extension replaces a tool on purpose until it is removed, and a warning names both', () => {
  const registry = opened();
  const own: Dispatch = { ...noDispatch };
  const mine = { ...registered('a:f'), source: { file: 'ext.py', line: 3, column: null } };
  const remove = registry.register('extension', [mine], own, true);
  expect(registry.lookup('a:f')).toMatchObject({ origin: 'extension', dispatch: own });
  expect(names(registry)).toEqual(['a:f']);
  const told = registry.problems.map(({ severity, message }) => `${severity}: ${message}`);
  expect(told).toEqual([
    expect.stringMatching(
      /^warning: The extension ext\.py:3 replaces the tool a:f of a\.py:\d+\.$/,
    ),
  ]);
  scan(registry, 'a');
  expect(registry.lookup('a:f')?.origin).toBe('extension');
  remove();
  expect(registry.lookup('a:f')).toMatchObject({ origin: 'folder', dispatch: noDispatch });
  expect(registry.problems).toEqual([]);
});

test('an extension replaces the tool of another one, but no built-in tool', () => {
  const registry = opened();
  registry.register('built-in', [registered('search')], noDispatch);
  registry.register('extension', [registered('x:f')], noDispatch);
  const own: Dispatch = { ...noDispatch };
  const remove = registry.register('extension', [registered('x:f')], own, true);
  expect(registry.lookup('x:f')?.dispatch).toBe(own);
  remove();
  expect(registry.lookup('x:f')?.dispatch).toBe(noDispatch);
  expect(() => registry.register('extension', [registered('search')], own, true)).toThrow('taken');
});
