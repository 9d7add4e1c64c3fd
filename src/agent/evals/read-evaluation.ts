/** Reads evaluations from a folder's `evals/`, and says in which lines they are wrong. */

import { evaluation as isEvaluation } from 'virtual:cloche/page-validators';
import type { YamlReader } from '../../runtime/protocol/yaml.ts';
import { foreignText } from '../runner/foreign-texts.ts';
import {
  formProblems,
  lengthProblem,
  maxProblems,
  readText,
  type FormProblem,
  type LineProblem,
  type TextReading,
} from '../runner/read-json-or-yaml.ts';
import { createPacer } from '../../runtime/async/pace.ts';
import type { FolderFile } from '../../runtime/spec/folder.ts';
import {
  expectedTool,
  messagesOf,
  type Evaluation,
  type ExpectedCall,
} from '../../runtime/spec/evaluation.ts';
import { sha256Of } from '../../runtime/spec/bytes.ts';

export interface EvaluationFile {
  /** Path inside the tools folder. */
  readonly path: string;
  /** SHA-256. */
  readonly hash: string;
  /** Null if the file cannot be run. */
  readonly evaluation: Evaluation | null;
  readonly problems: readonly LineProblem[];
}

export type ReadEvaluation = TextReading<Evaluation>;

/** Limits: number of files, bytes of one file, and bytes of all files. */
const maxFiles = 200;
const maxBytes = 500_000;
const maxAllBytes = 5_000_000;
/** The limit in evaluation.schema.json. */
const maxPrompts = 500;

const forms = { tools: '“all”, or a list such as ["module:function"]' };

/** @param tools names of the folder's tools */
export async function readEvaluations(
  files: readonly FolderFile[],
  tools: readonly string[],
  yaml: YamlReader,
): Promise<readonly EvaluationFile[]> {
  const known = new Set(tools);
  const found = files
    .filter(({ path }) => /^evals\/[^./][^/]*\.(json|ya?ml)$/.test(path))
    .slice(0, maxFiles);
  const pacer = createPacer();
  const read: EvaluationFile[] = [];
  let left = maxAllBytes;
  for (const file of found) {
    left -= file.bytes.byteLength;
    read.push(
      left < 0
        ? unreadFile(
            file.path,
            `all evaluations together have more than ${maxAllBytes} bytes`,
            'Remove some, or make them shorter.',
          )
        : await readFile(file, known, yaml),
    );
    if (pacer.mustRest()) await pacer.rest();
  }
  return read;
}

function unreadFile(path: string, message: string, hint: string): EvaluationFile {
  return { path, hash: '', evaluation: null, problems: [{ path: [], line: 1, message, hint }] };
}

async function readFile(
  { path, bytes }: FolderFile,
  known: ReadonlySet<string>,
  yaml: YamlReader,
): Promise<EvaluationFile> {
  if (bytes.byteLength > maxBytes)
    return unreadFile(
      path,
      `the file has ${bytes.byteLength} bytes`,
      `Split it: at most ${maxBytes} are allowed.`,
    );
  const hash = await sha256Of(bytes);
  const { checked, problems } = await readEvaluation(new TextDecoder().decode(bytes), known, yaml);
  return { path, hash, evaluation: problems.length === 0 ? checked : null, problems };
}

/** Reads one evaluation, with its problems by line. */
export function readEvaluation(
  text: string,
  known: ReadonlySet<string>,
  yaml: YamlReader,
): Promise<ReadEvaluation> {
  return readText(text, 'evaluation', 'Write a name and prompts.', yaml, (value) => {
    const foreign = foreignText(value);
    if (foreign !== null) return { checked: null, problems: [foreign] };
    const tooLong = lengthProblem(value, 'prompts', maxPrompts);
    if (tooLong !== null) return { checked: null, problems: [tooLong] };
    if (!isEvaluation(value)) {
      const problems = formProblems(isEvaluation.errors ?? [], 'evaluation', forms);
      return { checked: null, problems };
    }
    const checked = value as Evaluation;
    return { checked, problems: problemsOf(checked, known).slice(0, maxProblems) };
  });
}

function problemsOf(evaluation: Evaluation, known: ReadonlySet<string>): readonly FormProblem[] {
  const problems: FormProblem[] = [];
  const checkTool = (name: string, path: FormProblem['path']): void => {
    if (!known.has(name))
      problems.push({
        path,
        message: `there is no tool “${name.slice(0, 100)}”`,
        hint: 'Write the name as in the list of tools, such as module:tool.',
      });
  };
  const { tools } = evaluation;
  if (typeof tools === 'object')
    for (const [n, name] of tools.entries()) checkTool(name, ['tools', n]);
  const names = new Set<string>();
  for (const [index, { name, tools: changed = {} }] of (evaluation.versions ?? []).entries()) {
    const at = ['versions', index];
    if (names.has(name))
      problems.push({
        path: [...at, 'name'],
        message: `there are two versions “${name.slice(0, 100)}”`,
        hint: 'Rename one of them.',
      });
    names.add(name);
    for (const [tool, { parameters }] of Object.entries(changed)) {
      checkTool(tool, [...at, 'tools', tool]);
      if (known.has(tool) && typeof tools === 'object' && !tools.includes(tool))
        problems.push({
          path: [...at, 'tools', tool],
          message: `the version changes “${tool.slice(0, 100)}”, which the model is not given`,
          hint: 'Add it to "tools".',
        });
      if (parameters !== undefined && parameters.type !== 'object')
        problems.push({
          path: [...at, 'tools', tool, 'parameters'],
          message: 'the type of parameters is not "object"',
          hint: 'Write the whole schema, with type: object.',
        });
    }
  }
  for (const [index, prompt] of evaluation.prompts.entries()) {
    const at = ['prompts', index];
    if (prompt.text !== undefined && prompt.messages !== undefined)
      problems.push({
        path: [...at, 'messages'],
        message: 'the prompt has both text and messages',
        hint: 'Remove one of them.',
      });
    if (messagesOf(prompt).length === 0)
      problems.push({ path: at, message: 'the prompt has no text', hint: 'Add text or messages.' });
    if (prompt.expect?.answer?.includes === '')
      problems.push({
        path: [...at, 'expect', 'answer', 'includes'],
        message: 'every answer contains an empty text',
        hint: 'Write what the answer has to contain, or remove the key.',
      });
    const calls = prompt.expect?.calls;
    const never = new Set(calls?.must_not?.filter((call) => typeof call === 'string'));
    for (const list of ['must', 'may', 'must_not'] as const)
      for (const [n, call] of (calls?.[list] ?? []).entries()) {
        const path = [...at, 'expect', 'calls', list, n];
        const name = expectedTool(call);
        checkTool(name, path);
        if (
          list === 'must' &&
          known.has(name) &&
          typeof tools === 'object' &&
          !tools.includes(name)
        )
          problems.push({
            path,
            message: `the model must call “${name.slice(0, 100)}”, but is not given this tool`,
            hint: 'Add it to "tools".',
          });
        if (list === 'must' && never.has(name))
          problems.push({
            path,
            message: `the model must call “${name.slice(0, 100)}”, and must not call it`,
            hint: 'Remove it from "must" or "must_not".',
          });
        if (hasBoth(call))
          problems.push({
            path,
            message: 'the call has both equals and includes',
            hint: 'Remove one of them.',
          });
      }
  }
  return problems;
}

function hasBoth(call: ExpectedCall): boolean {
  return typeof call === 'object' && call.equals !== undefined && call.includes !== undefined;
}
