/** Guards of plans and evaluations: what runs without the user, and what it may use and spend. */

/** @type {readonly import('./types.ts').Mutant[]} */
export const planMutants = [
  {
    name: 'plans: a run that a page requests waits for the user',
    file: 'src/app/connect/requested-runs.ts',
    find: 'const run = await start(plan, session, true);',
    replace: 'const run = await start(plan, session);',
    tests: { unit: ['src/app/connect/requested-runs.test.ts'] },
  },
  {
    name: 'plans: an approval of requested runs is for one folder',
    file: 'src/app/connect/requested-runs.ts',
    find: "if (folderId !== '') approvedFor.add(folderId);",
    replace: 'approvedFor.add(folderId);',
    tests: { unit: ['src/app/connect/requested-runs.test.ts'] },
  },
  {
    name: 'plans: a model that changes a plan adds no tool',
    file: 'src/runner/revise-plan.ts',
    find: '...(others.length === 0',
    replace: '...(others.length >= 0',
    tests: { unit: ['src/runner/revise-plan.test.ts'] },
  },
  {
    name: 'plans: a model that changes a plan adds no model',
    file: 'src/runner/revise-plan.ts',
    find: '...(models.has(task.model)',
    replace: '...(models.size > 0',
    tests: { unit: ['src/runner/revise-plan.test.ts'] },
  },
  {
    name: 'plans: a model that changes a plan raises no budget',
    file: 'src/runner/revise-plan.ts',
    find: 'return (task.budget?.[limit] ?? Infinity) <= most',
    replace: 'return most >= 0',
    tests: { unit: ['src/runner/revise-plan.test.ts'] },
  },
  {
    name: 'plans: a model that changes a plan adds no retries',
    file: 'src/runner/revise-plan.ts',
    find: '...(retriesOf(task) <= retries',
    replace: '...(retries >= 0',
    tests: { unit: ['src/runner/revise-plan.test.ts'] },
  },
  {
    name: 'evaluations: the limits of a run hold before each request',
    file: 'src/evals/eval-run.ts',
    find: 'this.#watchNext();\n      signal.throwIfAborted();\n      requests += 1;',
    replace: 'requests += 1;',
    tests: { unit: ['src/evals/eval-runs.test.ts'] },
  },
  {
    name: 'evaluations: requests of a trial',
    file: 'src/evals/eval-run.ts',
    find: 'if (requests >= most) stop.abort',
    replace: 'if (requests < 0) stop.abort',
    tests: { unit: ['src/evals/eval-runs.test.ts'] },
  },
  {
    name: 'evaluations: a run that another tab carries out is not deleted',
    file: 'src/evals/eval-runs.ts',
    find: "const release = await hold(id);\n    if (release === null)\n      throw new ToolError('bad-input', 'Another tab controls this run.', 'Stop it in that tab.');",
    replace: 'const release = (await hold(id)) ?? (() => undefined);',
    tests: { unit: ['src/evals/eval-runs.test.ts'] },
  },
  {
    name: 'evaluations: a judge is asked only if everything else holds',
    file: 'src/evals/judge-trial.ts',
    find: 'if (reasons.length === 0 && statement !== undefined)',
    replace: 'if (statement !== undefined)',
    tests: { unit: ['src/evals/judge-trial.test.ts'] },
  },
];
