/** `cloche test`: runs the saved tests of a folder in the sandbox, and prints how they ended. */

import { writeFile } from 'node:fs/promises';
import type { DrivenPage } from './driven-page.ts';
import { problemLine } from './terminal.ts';

export interface TestRequest {
  /** Only tests whose name, tool or file contains this text are counted. */
  readonly only: string;
  readonly json: string | undefined;
}

/** @returns the exit code: 0 if all pass, 1 if one fails, 2 if one could not run, or there is none */
export async function runTests(
  page: Pick<DrivenPage, 'ask'>,
  { only, json }: TestRequest,
  print: (text: string) => void,
  note: (text: string) => void,
): Promise<number> {
  const { tests, problems } = await page.ask('runTests', only);
  for (const problem of problems) note(problemLine(problem));
  // No test that matches is no reason to lose the results of an earlier run.
  if (json !== undefined && tests.length > 0)
    await writeFile(json, `${JSON.stringify(tests, null, 2)}\n`);
  const width = Math.max(0, ...tests.map(({ test }) => test.name.length));
  for (const { test, state, reasons, result } of tests) {
    const time = result === null ? '' : `  ${result.durationMs.toFixed(0)} ms`;
    print(`${mark[state] ?? state}  ${test.name.padEnd(width)}  ${test.tool}${time}`);
    for (const reason of reasons) print(`      ${test.file}:${test.line}: ${reason}`);
  }
  const passed = tests.filter(({ state }) => state === 'passed').length;
  const failed = tests.filter(({ state }) => state === 'failed').length;
  const others = tests.length - passed - failed;
  print(`${passed} passed, ${failed} failed${others === 0 ? '' : `, ${others} not run`}`);
  if (tests.length === 0) {
    note(only === '' ? 'The folder has no saved tests.' : `No test matches ${only}.`);
    return 2;
  }
  if (others > 0 || problems.length > 0) return 2;
  return failed > 0 ? 1 : 0;
}

const mark: Readonly<Record<string, string>> = {
  passed: 'ok  ',
  failed: 'FAIL',
  'needs-approval': 'needs --allow-approvals',
};
