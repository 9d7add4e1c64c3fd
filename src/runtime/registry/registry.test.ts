/** The registry. */

import { expect, test } from 'vitest';
import type { ScannedFile } from '../scan/scan.ts';
import { fakeInspection, fakeTool } from '../scan/tool.fixture.ts';
import type { Problem } from '../spec/folder.ts';
import type { RegisteredTool, Tool } from '../spec/tool.ts';
import { noDispatch } from './dispatch.fixture.ts';
import { Registry } from './registry.ts';

const ignore = (): void => undefined;

function scannedFile(
  file: string,
  tools: readonly Tool[],
  problems: readonly Problem[] = [],
): ScannedFile {
  const inspection = fakeInspection(file, { tools, problems });
  return { file, hash: `hash of ${file}`, inspection, fingerprint: JSON.stringify(inspection) };
}

function problemAt(file: string, line: number | null): Problem {
  const words = { message: 'wrong', expected: 'right', hint: 'Mend it.' };
  return { severity: 'warning', code: 'odd', file, line, column: null, ...words };
}

function registered(name: string): RegisteredTool {
  return { ...fakeTool(name), hash: '', loadedAt: 1, state: 'ready' };
}

/** A tool that claims a name of another file, as only a broken loader could report it. */
function claiming(name: string, file: string): Tool {
  return fakeTool(name, { source: { file, line: 7, column: null } });
}

function names(registry: Registry): string[] {
  return registry.list().map((tool) => tool.name);
}

function places(registry: Registry): string[] {
  return registry.problems.map(({ code, file, line }) => `${code} ${file} ${line ?? '-'}`);
}

test('is empty at first', () => {
  const registry = new Registry(noDispatch, ignore);
  expect([registry.state, registry.folder, registry.list(), registry.problems]).toEqual([
    'none',
    null,
    [],
    [],
  ]);
});

test('has each tool with hash and time, by file and place, in whatever order its file came', () => {
  const registry = new Registry(noDispatch, ignore);
  registry.begin('folder');
  registry.replaceFile(scannedFile('b.py', [fakeTool('b:z'), fakeTool('b:a')]), 5);
  expect(registry.state).toBe('scanning');
  registry.replaceFile(scannedFile('a.py', [fakeTool('a:f')]), 6);
  registry.finish();
  expect([registry.state, registry.folder]).toEqual(['ready', 'folder']);
  expect(names(registry)).toEqual(['a:f', 'b:z', 'b:a']);
  expect(registry.get('a:f')).toEqual({
    ...fakeTool('a:f'),
    hash: 'hash of a.py',
    loadedAt: 6,
    state: 'ready',
  });
});

test('does not find tools by names of built-in object properties', () => {
  const registry = new Registry(noDispatch, ignore);
  expect(['__proto__', 'constructor', 'toString'].map((name) => registry.get(name))).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('of two files that claim a name, the first by path keeps it, whichever came first', () => {
  const registry = new Registry(noDispatch, ignore);
  registry.replaceFile(scannedFile('b.py', [claiming('x:f', 'b.py'), fakeTool('b:g')]), 1);
  expect(registry.get('x:f')?.source.file).toBe('b.py');
  registry.replaceFile(scannedFile('a.py', [claiming('x:f', 'a.py')]), 2);
  expect(registry.get('x:f')?.source.file).toBe('a.py');
  expect(names(registry)).toEqual(['x:f', 'b:g']);
  expect(registry.problems).toEqual([
    {
      severity: 'error',
      code: 'duplicate-name',
      file: 'b.py',
      line: 7,
      column: null,
      message: 'The name x:f at b.py:7 is taken by a.py:7.',
      expected: 'a name that no other tool in the folder has',
      hint: 'Rename one of them. Until then, the tool in a.py keeps the name.',
    },
  ]);
  registry.keepFiles(new Set(['b.py']));
  expect([registry.get('x:f')?.source.file, registry.problems]).toEqual(['b.py', []]);
});

test('orders problems: those of the folder, then by file and line', () => {
  const registry = new Registry(noDispatch, ignore);
  registry.replaceFile(scannedFile('b.py', [], [problemAt('b.py', 9), problemAt('b.py', 2)]), 1);
  registry.fail(problemAt('b.py', 5));
  registry.fail(problemAt('', null));
  registry.replaceFile(scannedFile('a.py', [], [problemAt('a.py', null)]), 1);
  expect(places(registry)).toEqual([
    'odd  -',
    'odd a.py -',
    'odd b.py 2',
    'odd b.py 5',
    'odd b.py 9',
  ]);
});

test('a new scan keeps the tools of files until they are scanned again, but not the folder’s problems', () => {
  const registry = new Registry(noDispatch, ignore);
  registry.begin('folder');
  registry.replaceFile(scannedFile('a.py', [fakeTool('a:f')], [problemAt('a.py', 1)]), 1);
  registry.fail(problemAt('', null));
  registry.finish();
  registry.begin('folder');
  expect([names(registry), places(registry)]).toEqual([['a:f'], ['odd a.py 1']]);
  registry.replaceFile(scannedFile('a.py', [fakeTool('a:g')]), 2);
  expect([names(registry), places(registry)]).toEqual([['a:g'], []]);
});

test('removes everything when the folder is closed', () => {
  const registry = new Registry(noDispatch, ignore);
  const before = registry.revision;
  registry.begin('folder');
  registry.replaceFile(scannedFile('a.py', [fakeTool('a:f')]), 1);
  registry.fail(problemAt('', null));
  registry.closeFolder();
  expect([registry.state, registry.folder, registry.list(), registry.problems]).toEqual([
    'none',
    null,
    [],
    [],
  ]);
  expect(registry.revision).toBe(before);
});

test('the revision depends on tools and problems, not on time, state or order', () => {
  const a = scannedFile('a.py', [fakeTool('a:f')]);
  const b = scannedFile('b.py', [fakeTool('b:f')]);
  const revision = (fill: (registry: Registry) => void): string => {
    const registry = new Registry(noDispatch, ignore);
    registry.begin('folder');
    fill(registry);
    return registry.revision;
  };
  const both = revision((registry) => {
    registry.replaceFile(a, 1);
    registry.replaceFile(b, 2);
  });
  const other = revision((registry) => {
    registry.replaceFile(b, 99);
    registry.replaceFile(a, 98);
    registry.finish();
  });
  expect(other).toBe(both);
  const added = (tool: RegisteredTool): string =>
    revision((registry) => {
      registry.replaceFile(a, 1);
      registry.register('extension', [tool], noDispatch);
    });
  const different = [
    both,
    revision((registry) => registry.replaceFile(a, 1)),
    revision((registry) => registry.replaceFile({ ...a, file: 'c.py' }, 1)),
    revision((registry) => {
      registry.replaceFile(a, 1);
      registry.fail(problemAt('', null));
    }),
    added(registered('extra:f')),
    added({ ...registered('extra:f'), label: 'another' }),
  ];
  expect(new Set(different).size).toBe(different.length);
  expect(added({ ...registered('extra:f'), loadedAt: 77 })).toBe(added(registered('extra:f')));
});

test('the problem of a spec with the name of another file’s tool gives both locations', () => {
  const registry = new Registry(noDispatch, ignore);
  const claim = { ...problemAt('b.py', 3), code: 'bad-name', tool: 'a:f' };
  registry.replaceFile(scannedFile('b.py', [], [claim, { ...claim, line: 4, tool: 'a:g' }]), 1);
  registry.replaceFile(scannedFile('a.py', [claiming('a:f', 'a.py')]), 1);
  expect(registry.problems.map(({ code, message }) => [code, message])).toEqual([
    ['duplicate-name', 'The name a:f at b.py:3 is taken by a.py:7: wrong.'],
    ['bad-name', 'wrong'],
  ]);
});

test('reports every change, and a listener that throws is reported', () => {
  const reported: unknown[] = [];
  const registry = new Registry(noDispatch, (thrown) => reported.push(thrown));
  const states: string[] = [];
  registry.observe(() => {
    throw new Error('listener');
  });
  const end = registry.observe(() => states.push(`${registry.state} ${registry.list().length}`));
  registry.begin('folder');
  registry.replaceFile(scannedFile('a.py', [fakeTool('a:f')]), 1);
  registry.finish();
  end();
  registry.closeFolder();
  expect(states).toEqual(['scanning 0', 'scanning 1', 'ready 1']);
  expect(reported).toHaveLength(4);
});

test('looks up 10,000 tools without computing the view again', () => {
  const registry = new Registry(noDispatch, ignore);
  for (let n = 0; n < 100; n += 1) {
    const stem = `f${n}`;
    const tools = Array.from({ length: 100 }, (_, i) => fakeTool(`${stem}:t${i}`));
    registry.replaceFile(
      { ...scannedFile(`${stem}.py`, []), inspection: fakeInspection(`${stem}.py`, { tools }) },
      1,
    );
  }
  const list = registry.list();
  expect([list.length, registry.get('f7:t7')?.name]).toEqual([10_000, 'f7:t7']);
  expect(registry.list()).toBe(list);
});

test('applies a change of the folder at once: new versions, kept ones, removed files, problems', () => {
  const registry = new Registry(noDispatch, ignore);
  for (const file of ['a', 'b', 'c'])
    registry.replaceFile(scannedFile(`${file}.py`, [fakeTool(`${file}:f`)]), 5);
  registry.finish();
  const { revision } = registry;
  let received = 0;
  registry.observe(() => {
    received += 1;
  });
  const kept = { fingerprint: 'kept', problems: [problemAt('b.py', 3)] };
  const update = {
    loaded: [scannedFile('a.py', [fakeTool('a:g')])],
    kept: new Map([['b.py', kept]]),
    removed: ['c.py'],
    folderProblems: [problemAt('', null)],
  };
  registry.update(update, 9);
  expect(registry.list().map(({ name, state, loadedAt }) => [name, state, loadedAt])).toEqual([
    ['a:g', 'ready', 9],
    ['b:f', 'last-good', 5],
  ]);
  expect([
    places(registry),
    received,
    registry.loadedAt('b.py'),
    registry.loadedAt('c.py'),
  ]).toEqual([['odd  -', 'odd b.py 3'], 1, 5, undefined]);
  expect(registry.revision).not.toBe(revision);
});

test('a problem of a tool is not taken for a claim to its name', () => {
  const registry = new Registry(noDispatch, ignore);
  registry.register('extension', [registered('a:f')], noDispatch);
  const problem = { ...problemAt('a.py', 3), tool: 'a:f' };
  registry.replaceFile(scannedFile('a.py', [], [problem]), 5);
  expect(registry.problems).toEqual([problem]);
});

test('functions that a file only exports are no tools if another file imports it, whichever came first', () => {
  const registry = new Registry(noDispatch, ignore);
  const db = scannedFile('db.py', [fakeTool('db:drop_all'), fakeTool('db:marked')]);
  const exporting = { ...db, inspection: { ...db.inspection, implied: ['db:drop_all'] } };
  const weather = (imports: readonly string[]): ScannedFile => {
    const file = scannedFile('weather.py', [fakeTool('weather:now')]);
    return { ...file, inspection: { ...file.inspection, imports } };
  };
  registry.begin('folder');
  registry.replaceFile(exporting, 1);
  // The file that imports it may follow.
  expect(names(registry)).toEqual(['db:marked']);
  registry.replaceFile(weather(['db.py']), 1);
  registry.finish();
  expect([names(registry), registry.lookup('db:drop_all')]).toEqual([
    ['db:marked', 'weather:now'],
    undefined,
  ]);
  expect(places(registry)).toEqual(['exported-only db.py 1']);
  // Control: no file imports it any more.
  const change = { loaded: [weather([])], kept: new Map(), removed: [], folderProblems: [] };
  registry.update(change, 2);
  expect(names(registry)).toEqual(['db:drop_all', 'db:marked', 'weather:now']);
  // A change of the importer is enough, and the last good version of the file is treated alike.
  const kept = new Map([['db.py', { fingerprint: 'kept', problems: [] }]]);
  registry.update({ ...change, loaded: [weather(['db.py'])], kept }, 3);
  expect(names(registry)).toEqual(['db:marked', 'weather:now']);
  registry.update({ ...change, loaded: [], removed: ['weather.py'] }, 4);
  expect(names(registry)).toEqual(['db:drop_all', 'db:marked']);
});
