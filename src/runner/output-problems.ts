/** Finds outputs of tasks that are no valid JSON Schema: no result could match them. */

import { createPacer } from '../async/pace.ts';
import { isPlainSchema } from '../scan/check-tool.ts';
import { metaFaults } from '../scan/meta-check.ts';
import { deeperThan } from '../spec/depth.ts';
import type { Plan } from '../spec/plan.ts';
import { mostProblems, type FormProblem } from './read-text.ts';

const deepest = 100;
/** Faults that are reported for one schema. */
const mostFaults = 5;

/** Rests in between, so that the page responds: a stranger's plan may have large schemas. */
export async function outputProblems({ tasks }: Plan): Promise<readonly FormProblem[]> {
  const pacer = createPacer();
  const problems: FormProblem[] = [];
  for (const [index, { id, output }] of tasks.entries()) {
    if (problems.length >= mostProblems) break;
    if (output === undefined) continue;
    if (pacer.mustRest()) await pacer.rest();
    const isTooDeep = deeperThan(output, deepest);
    const faults = isTooDeep
      ? [{ path: [], message: `it has more than ${deepest} levels`, hint: 'Use "$defs".' }]
      : isPlainSchema(output)
        ? []
        : await metaFaults(output, mostFaults, pacer);
    for (const { path, message, hint } of faults)
      problems.push({
        path: ['tasks', index, 'output', ...path],
        message: `the output of “${id}” is not a valid JSON Schema: ${message}`,
        hint,
      });
  }
  return problems;
}
