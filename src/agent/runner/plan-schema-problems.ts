/** Finds what is wrong with the JSON Schemas of a plan, with what its checks expect, and with their expressions in Python. */

import { tests as areTests } from 'virtual:cloche/page-validators';
import { createPacer, type Pacer } from '../../runtime/async/pace.ts';
import { isPlainSchema, patternFaults } from '../../runtime/scan/check-tool.ts';
import { metaFaults, referenceFaults, type SchemaFault } from '../../runtime/scan/schema-faults.ts';
import { deeperThan, type Json, type JsonObject } from '../../runtime/spec/json.ts';
import { isObject } from '../../runtime/spec/guards.ts';
import type { Plan, PlanTask } from '../../runtime/spec/plan.ts';
import { writeCompileOnly } from '../saved-tests/judged-outcome.ts';
import { expressionIn } from './task-checks.ts';
import type { PlanReferences } from './plan-problems.ts';
import { formProblems, maxProblems, type FormProblem } from './read-json-or-yaml.ts';

type Path = FormProblem['path'];

const deepest = 100;
const maxFaults = 5;
/** Time for the expressions of a plan; milliseconds. Python may have to start first. */
const pythonMs = 10_000;

/** Pauses now and then, so that the page responds: a stranger's plan may have many parts, and large schemas. */
export async function languageProblems(
  { tasks }: Pick<Plan, 'tasks'>,
  { faultIn }: Pick<PlanReferences, 'faultIn'>,
): Promise<readonly FormProblem[]> {
  const pacer = createPacer();
  const problems: FormProblem[] = [];
  for (const [index, task] of tasks.entries()) {
    if (problems.length >= maxProblems) return problems;
    if (pacer.mustRest()) await pacer.rest();
    const found = expectationProblems(task, index);
    problems.push(...found);
    for (const schema of found.length > 0 ? [] : schemasOf(task, index))
      problems.push(...(await schemaProblems(schema, pacer)));
  }
  return [...problems, ...(await expressionProblems(tasks, faultIn))];
}

/** Compares what a check by a call expects with the form of saved tests. */
function expectationProblems({ check }: PlanTask, index: number): readonly FormProblem[] {
  const expect = check !== undefined && 'call' in check ? check.expect : undefined;
  if (expect === undefined || areTests([{ tool: 'a:b', expect }])) return [];
  const errors = (areTests.errors ?? []).map((error) => ({
    ...error,
    instancePath: error.instancePath.replace('/0/', `/tasks/${index}/check/`),
  }));
  return formProblems(errors, 'plan');
}

interface PlanSchema {
  readonly schema: JsonObject;
  readonly path: Path;
  readonly name: string;
  /** Whether JavaScript, not Python, compares values with its patterns. */
  readonly inJavaScript: boolean;
}

function schemasOf({ id, output, check }: PlanTask, index: number): readonly PlanSchema[] {
  const expected: Json | undefined =
    check !== undefined && 'call' in check ? check.expect?.schema : undefined;
  const at = ['tasks', index];
  return [
    ...(output === undefined
      ? []
      : [
          {
            schema: output,
            path: [...at, 'output'],
            name: `the output of “${id}”`,
            inJavaScript: true,
          },
        ]),
    ...(isObject(expected)
      ? [
          {
            schema: expected,
            path: [...at, 'check', 'expect', 'schema'],
            name: `the schema that the check of “${id}” expects`,
            inJavaScript: false,
          },
        ]
      : []),
  ];
}

async function schemaProblems(
  { schema, path, name, inJavaScript }: PlanSchema,
  pacer: Pacer,
): Promise<readonly FormProblem[]> {
  if (deeperThan(schema, deepest))
    return [
      {
        path,
        message: `${name} is not a valid JSON Schema: it has more than ${deepest} levels`,
        hint: 'Define inner parts in "$defs", and refer to them.',
      },
    ];
  if (isPlainSchema(schema)) return [];
  const faults = await metaFaults(schema, maxFaults, pacer);
  if (faults.length === 0) faults.push(...(await linkFaults(schema, pacer)));
  if (faults.length === 0 && inJavaScript)
    for (const { path: inside, pattern } of await patternFaults(schema, maxFaults, pacer))
      faults.push({
        path: inside,
        message: `“${pattern.slice(0, 100)}” is not a JavaScript regular expression`,
        hint: 'Remove what only Python supports, such as (?P<name>…), \\A, \\Z and (?i).',
      });
  return faults.map(({ path: inside, message, hint }) => ({
    path: [...path, ...inside],
    message: `${name} is not a valid JSON Schema: ${message}`,
    hint,
  }));
}

/** References to other documents are left out: they are not followed, and check nothing. */
async function linkFaults(schema: JsonObject, pacer: Pacer): Promise<readonly SchemaFault[]> {
  const faults = await referenceFaults(schema, maxFaults, pacer);
  return faults.flatMap(({ kind, path, reference }) =>
    kind === 'remote' || kind === 'dynamic'
      ? []
      : [
          {
            path,
            message: `“${reference.slice(0, 100)}” leads ${kind === 'circular' ? 'back to itself' : 'nowhere'}`,
            hint: 'Correct the reference, or define its target.',
          },
        ],
  );
}

/** The Python expressions that cannot be compiled, up to the first one about which Python does not answer. */
async function expressionProblems(
  tasks: readonly PlanTask[],
  faultIn: PlanReferences['faultIn'],
): Promise<readonly FormProblem[]> {
  const problems: FormProblem[] = [];
  const signal = AbortSignal.timeout(pythonMs);
  for (const [index, { id, check }] of tasks.entries()) {
    const source = check === undefined ? null : expressionIn(check);
    if (check === undefined || source === null) continue;
    // Without an answer, the task itself checks the expression, before its model is asked.
    const fault = await faultIn(signal, writeCompileOnly(source)).catch(() => undefined);
    if (fault === undefined || problems.length >= maxProblems) return problems;
    if (fault !== null)
      problems.push({
        path: ['tasks', index, 'check', ...('expression' in check ? [] : ['expect']), 'expression'],
        message: `the expression in the check of “${id}” is not valid Python: ${fault}`,
        hint: 'Write one Python expression that is true if "result" is right.',
      });
  }
  return problems;
}
