/** The fixtures of this page: a tool file has the tools of the fixture with its name. */

import { fakeInspection, fakeTool } from '../../../src/runtime/scan/tool.fixture.ts';
import type { Inspection } from '../../../src/runtime/spec/tool.ts';
import type { Problem } from '../../../src/runtime/spec/folder.ts';
import type { FakeTool, ToolFile } from './tool-file.ts';

const fixtures = import.meta.glob<ToolFile>('../tools/*.ts', { eager: true, import: 'default' });

export function inspectFile(file: string, source: string): Inspection {
  const fixture = fixtureOf(file);
  if (fixture === undefined) return fakeInspection(file, { noSpecs: true });
  const lines = source.split('\n');
  const tools = Object.entries(fixture.tools).map(([name, { spec, kind }]) => {
    const line =
      Math.max(
        0,
        lines.findIndex((text) => text.includes(`def ${name}(`)),
      ) + 1;
    const full = fakeTool(`${stemOf(file)}:${name}`, spec);
    return { ...full, source: { file, line, column: 1 }, handler: { kind, name, file, line } };
  });
  const problems = (fixture.problems ?? []).map((problem) => ({ ...faultless, file, ...problem }));
  return fakeInspection(file, { tools, problems, noSpecs: tools.length === 0 });
}

export function toolOf(file: string, name: string): FakeTool | undefined {
  return fixtureOf(file)?.tools[name.slice(name.indexOf(':') + 1)];
}

const faultless: Problem = {
  severity: 'error',
  code: 'broken',
  file: '',
  line: 1,
  column: 1,
  message: 'It is broken.',
  expected: '',
  hint: '',
};

function fixtureOf(file: string): ToolFile | undefined {
  return fixtures[`../tools/${stemOf(file)}.ts`];
}

function stemOf(file: string): string {
  return file.replace(/\.py$/, '');
}
