/** All mutants. Each removes one guard that a user relies on. */
import { markedMutants } from './markers.mjs';

/**
 * Mutants that a marker cannot describe: their file has no comments, or their guard has several lines.
 *
 * @type {readonly import('./types.ts').Mutant[]}
 */
const others = [
  {
    name: 'a snapshot ends its interpreter',
    file: 'workers/frame/tool-worker-link.ts',
    find: '}).finally(() => {\n    worker.terminate();\n  });',
    replace: '});',
    tests: { unit: ['workers/frame/tool-worker-link.test.ts'] },
  },
  {
    name: 'two tools of one name: the first keeps it',
    file: 'src/runtime/registry/registry.ts',
    find: 'if (holder) problems.push(nameTaken(tool, holder.tool));\n        else tools.set(tool.name, { tool',
    replace: 'tools.set(tool.name, { tool',
    tests: { unit: ['src/runtime/registry/registry.test.ts'] },
  },
  {
    name: 'an event of an extension names the file that it comes from',
    file: 'src/agent/extensions/session-writes.ts',
    find: '{ ...checkDispatched(event), from: from().file, session_id: session }',
    replace: '{ from: from().file, session_id: session, ...checkDispatched(event) }',
    tests: { unit: ['src/agent/extensions/session-writes.test.ts'] },
  },
  {
    name: 'an extension restores the workspace only with the power for it',
    file: 'src/agent/extensions/session-writes.ts',
    find: "      await need('workspace');\n      costly.count();\n      const { extension, file } = from();",
    replace: '      const { extension, file } = from();',
    tests: { unit: ['src/agent/extensions/workspace-power.test.ts'] },
  },
  {
    name: 'tests of one folder do not run in the next',
    file: 'src/agent/saved-tests/saved-tests.ts',
    find: 'opened === this.#opened ? this.#run(opened, stops, selection, options) : [],',
    replace: 'this.#run(this.#opened, stops, selection, options),',
    tests: { unit: ['src/agent/saved-tests/saved-tests.test.ts'] },
  },
  {
    name: 'members are no prototypes',
    file: 'src/runtime/spec/json-reader.ts',
    find: 'const members = new Map<string, JsonText>();',
    replace:
      'const members = Object.assign(new Map<string, JsonText>(), { set(key: string, text: JsonText) { const made: Record<string, JsonText> = {}; made[key] = text; if (Object.keys(made).length > 0) Map.prototype.set.call(this, key, text); return this; } });',
    tests: { unit: ['src/runtime/spec/json-reader.test.ts'] },
  },
  {
    name: "the page's policy: frames",
    file: 'index.html',
    find: "frame-src 'self'",
    replace: 'frame-src *',
    tests: { unit: ['scripts/build/page-policy.test.ts'] },
  },
  {
    name: "the page's policy: requests",
    file: 'index.html',
    find: "connect-src 'self'",
    replace: 'connect-src *',
    tests: { unit: ['scripts/build/page-policy.test.ts'] },
  },
  {
    name: "the page's policy: forms",
    file: 'index.html',
    find: "; form-action 'none'",
    replace: '',
    tests: { unit: ['scripts/build/page-policy.test.ts'] },
  },
  {
    name: 'HTML of a tool: the frame is sandboxed',
    file: 'src/app/ui/tools/result/FormattedText.svelte',
    find: 'sandbox=""',
    replace: '',
    tests: {
      browser: {
        project: 'component',
        file: 'tests/component/results.test.ts',
        title: 'HTML is shown in a frame in which nothing runs, loads or leads away',
      },
    },
  },
  {
    name: 'evaluations: the limits of a run hold before each request',
    file: 'src/agent/evals/eval-run.ts',
    find: 'this.#stopBeforeRequest();\n      signal.throwIfAborted();\n      requests += 1;',
    replace: 'requests += 1;',
    tests: { unit: ['src/agent/evals/eval-runs.test.ts'] },
  },
  {
    name: 'evaluations: a run that another tab carries out is not deleted',
    file: 'src/agent/evals/eval-runs.ts',
    find: "const release = await hold(id);\n    if (release === null)\n      throw new ToolError('bad-input', 'Another tab controls this run.', 'Stop it in that tab.');",
    replace: 'const release = (await hold(id)) ?? (() => undefined);',
    tests: { unit: ['src/agent/evals/eval-runs.test.ts'] },
  },
];

export const mutants = [...(await markedMutants()), ...others];
