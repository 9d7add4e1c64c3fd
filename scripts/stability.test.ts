/** The names on docs/stability.md are those of the sources: a removed name breaks a promise, and a new one needs its place. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { help } from '../src/cli/options.ts';
import { Cloche } from '../src/embed/client/client.ts';
import * as client from '../src/embed/client/index.ts';
import { Runs } from '../src/embed/client/runs.ts';
import * as testing from '../src/runtime/call/mock-tool.ts';
import { apiRoutes } from '../src/runtime/protocol/api-route.ts';
import evaluation from '../src/runtime/spec/schemas/evaluation.schema.json' with { type: 'json' };
import plan from '../src/runtime/spec/schemas/plan.schema.json' with { type: 'json' };
import tests from '../src/runtime/spec/schemas/tests.schema.json' with { type: 'json' };
import { projectFolder } from './dist.mjs';

const read = (path: string): Promise<string> => readFile(join(projectFolder, path), 'utf8');
const [page, specs, options, context, element, elementTypes, runtime, runtimeTypes, packageText] =
  await Promise.all(
    [
      'docs/stability.md',
      'workers/python/py/cloche/specs.py',
      'workers/python/py/cloche/spec_options.py',
      'workers/python/py/cloche/context.py',
      'src/embed/element/playground-element.ts',
      'src/embed/element/playground-types.d.ts',
      'src/runtime/index.ts',
      'src/runtime/runtime-types.ts',
      'package.json',
    ].map(read),
  );

/** The first groups of all matches in a part of a text. */
function found(text: string | undefined, part: RegExp, each: RegExp): string[] {
  const [within = ''] = part.exec(text ?? '') ?? [];
  return Array.from(within.matchAll(each), ([, name = '']) => name);
}

const members = (object: object): string[] =>
  Object.getOwnPropertyNames(object).filter((name) => name !== 'constructor');
const membersOf = (name: string, text = runtimeTypes): string[] =>
  found(
    text,
    new RegExp(`^export interface ${name} .*?^}`, 'ms'),
    /^ {2}(?:readonly )?(\w+)[?(:<]/gm,
  );

const entries = (JSON.parse(packageText ?? '') as { exports: Record<string, unknown> }).exports;

test.each<[row: string, names: readonly string[]]>([
  ['required keys', found(specs, /^REQUIRED = .*$/m, /"(\w+)"/g)],
  ['optional keys', ['label', ...found(options, /_OPTIONS.*?^}/ms, /^ {4}"(\w+)": \(/gm)]],
  ['the call context', found(context, /return CallContext\(.*?^ {4}\)/ms, /^ {8}(\w+)=/gm)],
  ['a test', Object.keys(tests.items.properties)],
  ['`expect` of a test', Object.keys(tests.items.properties.expect.properties)],
  ['a plan', Object.keys(plan.properties)],
  ['a task of a plan', Object.keys(plan.$defs.task.properties)],
  ['an evaluation', Object.keys(evaluation.properties)],
  ['a prompt of it', Object.keys(evaluation.$defs.prompt.properties)],
  ['addresses', Object.keys(apiRoutes)],
  ['entries of the npm package', Object.keys(entries).map((name) => name.replace('.', 'cloche'))],
  ['exports of `cloche`', Object.keys(client)],
  ['the client', [...members(Cloche.prototype), 'runs']],
  ['its `runs`', members(Runs.prototype)],
  ['exports of `cloche/testing`', Object.keys(testing)],
  [
    'exports of `cloche/runtime`',
    Array.from((runtime ?? '').matchAll(/^export (?:const|\{) ?(\w+)/gm), ([, name = '']) => name),
  ],
  ['options of `createRuntime`', membersOf('RuntimeOptions')],
  ['the runtime', membersOf('Runtime')],
  ['attributes of the playground', found(element, /(?<=observedAttributes =\s+)'[^']*'/, /(\w+)/g)],
  ['its events', found(elementTypes, /interface PlaygroundEventMap .*?^}/ms, /'(cloche-\w+)'/g)],
  [
    'its methods',
    membersOf('ClochePlaygroundElement', elementTypes).filter((name) => !name.endsWith('Listener')),
  ],
  ['commands', found(help, /^[^]*?\n\n/, /^npx cloche ([a-z]+)/gm)],
  ['options', [...found(help, /[^]*/, /(--[a-z-]+[a-z])/g), '--help', '--version']],
])('%s', (row, names) => {
  const cells = page?.split('\n').map((line) => line.split('|').map((cell) => cell.trim()));
  const [, , cell = ''] = cells?.find(([, first]) => first === row) ?? [];
  const promised = Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name);
  expect(promised.length).toBeGreaterThan(0);
  expect(promised.sort()).toEqual([...new Set(names)].sort());
});
