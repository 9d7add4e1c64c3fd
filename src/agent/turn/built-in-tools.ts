/**
 * The built-in tools: `tool_search` finds deferred tools, `read_result` returns more of a long result, and `finish` ends
 * the task of a sub-agent. `run_python` is answered in `program-calls.ts`.
 */

import { failure, textResult } from '../../runtime/call/results.ts';
import type { CheckArguments } from '../../runtime/protocol/argument-check.ts';
import { savedNameTable } from '../../runtime/registry/provider-names.ts';
import { programDefinition } from '../programs/run-python-definition.ts';
import {
  calledToolName,
  type Selection,
  type SessionCall,
  type SessionState,
} from '../session/session-state.ts';
import type { Dispatch, RunWatch } from '../../runtime/spec/call.ts';
import {
  builtInNames,
  finish,
  readTool,
  type RegisteredTool,
  searchTool,
} from '../../runtime/spec/tool.ts';
import { errorText } from '../../runtime/spec/error.ts';
import { exactText } from '../../runtime/spec/exact-json.ts';
import { asObject, isCount } from '../../runtime/spec/guards.ts';
import { asText } from '../../runtime/spec/lenient.ts';
import { scanObject } from '../../runtime/spec/json-reader.ts';
import type { Json, JsonObject, JsonText } from '../../runtime/spec/json.ts';
import type { ToolDefinition } from '../../runtime/spec/model.ts';
import { plainTool } from '../../runtime/spec/plain-tool.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { SelectedTool, SessionTask } from '../../runtime/spec/session.ts';
import { cutExcerpt, isTooLong, modelText, shortId } from './tool-answer.ts';

const maxFound = 8;
/** Limits for a query: every word is searched for in every tool. */
const maxQueryChars = 2_000;
const maxWords = 50;
/** OpenAI accepts 128 tools, including two built-in ones, `finish` where there is a task, and `run_python`. */
const maxDefined = 126;
/** Number of the tools found last that have priority. */
const maxLatest = 4 * maxFound;

export interface BuiltInResult {
  readonly result: ToolResult;
  /** Ids of the tools whose parameters the model now knows. */
  readonly handedOver: readonly string[];
}

/**
 * The built-in tools that are useful in this state.
 *
 * @param chars limit for the characters of each result, if lower than usual
 */
export function defineBuiltInTools(state: SessionState, chars?: number): ToolDefinition[] {
  const offered: ToolDefinition[] = [];
  if (state.task !== null && state.task.finishes !== false)
    offered.push(finishDefinition(state.task));
  if (listDeferredTools(state).length > 0)
    offered.push({
      name: searchTool,
      description:
        'Finds more tools and returns their parameters, so that you can call them. Search for names or words of the tools listed under “More tools”.',
      parameters: {
        type: 'object',
        properties: { query: { type: 'string', description: 'Names or words' } },
        required: ['query'],
      },
    });
  if (state.selection?.programs === true) offered.push(programTool(state.selection));
  if ([...state.calls.values()].some(({ result }) => result !== null && isTooLong(result, chars)))
    offered.push({
      name: readTool,
      description: 'Reads the next part of a result that was too long to return at once.',
      parameters: {
        type: 'object',
        properties: {
          result: { type: 'string', description: 'Name of the result, as given where it was cut' },
          offset: { type: 'integer', minimum: 0, description: 'Characters to skip' },
        },
        required: ['result'],
      },
    });
  return offered;
}

const programTools = new WeakMap<Selection, ToolDefinition>();

/** The same object in all requests of a session. Tools that are found later stay listed. */
function programTool(selection: Selection): ToolDefinition {
  const known = programTools.get(selection);
  if (known !== undefined) return known;
  const { tools, names } = selection;
  const usual = tools.filter(({ deferred }) => !deferred).slice(0, maxDefined);
  const definition = programDefinition(tools, new Set(usual), savedNameTable(names));
  programTools.set(selection, definition);
  return definition;
}

/** The selected tools whose definitions are sent. Beyond the providers' limit, the tools found last have priority. */
export function listDefinedTools({
  selection,
  handedOver,
  task,
}: SessionState): readonly SelectedTool[] {
  const max = maxDefined - (task === null ? 0 : 1) - (selection?.programs === true ? 1 : 0);
  const tools = selection?.tools ?? [];
  const wanted = tools.filter(({ deferred, name }) => !deferred || handedOver.has(name));
  if (wanted.length <= max) return wanted;
  const found = [...handedOver].reverse();
  const latest = found.slice(0, maxLatest);
  const usual = tools.flatMap(({ deferred, name }) => (deferred ? [] : [name]));
  const names = new Set([...new Set([...latest, ...usual, ...found])].slice(0, max));
  return wanted.filter(({ name }) => names.has(name));
}

/** The selected tools of which the model knows only name and description. */
export function listDeferredTools(state: SessionState): readonly SelectedTool[] {
  const defined = new Set(listDefinedTools(state));
  return (state.selection?.tools ?? []).filter((tool) => !defined.has(tool));
}

/**
 * Answers a call to a built-in tool.
 *
 * @param args the parsed arguments of the call
 */
export function runBuiltIn(wire: string, args: Json, state: SessionState): BuiltInResult {
  const argumentFields = asObject(args);
  if (wire === searchTool)
    return searchTools(asText(argumentFields.query).slice(0, maxQueryChars), state);
  return {
    result: readResult(asText(argumentFields.result), argumentFields.offset, state),
    handedOver: [],
  };
}

function searchTools(query: string, state: SessionState): BuiltInResult {
  const names = savedNameTable(state.selection?.names ?? []);
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .slice(0, maxWords);
  const deferred = new Set(listDeferredTools(state));
  const ranked = (state.selection?.tools ?? [])
    .filter((tool) => tool.deferred || deferred.has(tool))
    .flatMap((tool) => {
      const wire = names.toWire(tool.name);
      return wire === undefined ? [] : [{ tool, wire, score: scoreOf(tool, wire, query, words) }];
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxFound);
  if (ranked.length === 0)
    return {
      result: textResult(
        `No tool matches ${JSON.stringify(query.slice(0, 200))}. Use words of the list “More tools”.`,
      ),
      handedOver: [],
    };
  const found = ranked.map(({ tool: { deferred: _, ...rest }, wire }) => ({ ...rest, name: wire }));
  return {
    result: textResult(`You can now call these tools:\n${JSON.stringify(found)}`),
    handedOver: ranked.map(({ tool }) => tool.name),
  };
}

function scoreOf(
  { name, description }: SelectedTool,
  wire: string,
  query: string,
  words: readonly string[],
): number {
  if (query.trim() === wire || query.trim() === name) return 1_000;
  const inName = `${name} ${wire}`.toLowerCase();
  const inDescription = description.toLowerCase();
  return words.reduce(
    (sum, word) => sum + (inName.includes(word) ? 3 : 0) + (inDescription.includes(word) ? 1 : 0),
    0,
  );
}

function readResult(name: string, offset: Json | undefined, state: SessionState): ToolResult {
  const calls = [...state.calls.values()];
  const call = calls.find(({ asked }) => name !== '' && shortId(asked.id) === name.slice(0, 8));
  const result = call?.result;
  if (call === undefined || result === undefined || result === null)
    return failure(
      'LookupError: no such result',
      `There is no result named ${JSON.stringify(name.slice(0, 100))}.`,
    );
  const from = isCount(offset) ? offset : 0;
  const whole = modelText(result);
  if (from >= whole.length) return textResult('The offset is past the end of the result.');
  return textResult(cutExcerpt(whole, call.asked.id, from));
}

/** Longest output of a task, as JSON text; characters. */
const maxChars = 200_000;
const maxErrors = 10;

/** The tool as the model gets it, with the schema of the task's output. */
function finishDefinition({ output }: SessionTask): ToolDefinition {
  return {
    name: finish,
    description:
      'Ends your task and hands over its result. Call it once the task is done, and only then. The result is checked.',
    parameters: parametersFor(output),
  };
}

function parametersFor(output: JsonObject | null): JsonObject {
  if (output === null)
    return { type: 'object', properties: { result: { description: 'The result of the task' } } };
  // References in the schema start at its root.
  const { $defs, definitions, ...result } = output;
  return {
    type: 'object',
    properties: { result },
    required: ['result'],
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
  };
}

/** Checks the output. A failure tells the model what to correct. @param args text of a JSON object */
export async function answerFinish(
  signal: AbortSignal,
  args: JsonText,
  task: SessionTask | null,
  { checkArguments }: { readonly checkArguments: CheckArguments },
): Promise<ToolResult> {
  if (task === null || task.finishes === false)
    return failure('LookupError: no task', 'This session has no task that could be finished.');
  if (args.length > maxChars)
    return invalid([`the result has ${args.length} characters, and may have ${maxChars}`]);
  const errors = await checkArguments(signal, exactText(parametersFor(task.output)), args);
  if (errors === null) return invalid(['checking it against its schema takes too long']);
  if (errors.length > 0)
    return invalid(errors.slice(0, maxErrors).map(({ path, message }) => `${path} ${message}`));
  return textResult('The task is finished.');
}

function invalid(reasons: readonly string[]): ToolResult {
  const text = reasons.join('\n');
  return failure(
    `ValidationError: ${text}`,
    `The task is not finished, because the result is not valid:\n${text}\nCorrect it and call finish again.`,
  );
}

/** The output that a turn has handed over, as JSON text; null if it has not finished its task. */
export function findFinishedOutput(state: SessionState, turnId: string): JsonText | null {
  if (state.task === null || state.task.finishes === false) return null;
  let last: SessionCall | null = null;
  for (const call of state.calls.values())
    if (call.turnId === turnId && calledToolName(call.asked) === finish) last = call;
  return last?.result?.resultType === 'success' ? outputIn(last.arguments) : null;
}

function outputIn(args: JsonText): JsonText {
  const scan = scanObject(args);
  for (;;) {
    const { done, value } = scan.next();
    if (done === true) return value.get('result') ?? 'null';
  }
}

/** Answers a call. Interceptors may have changed the arguments. */
export type BuiltInAnswer = (
  args: Json,
  text: JsonText,
  signal: AbortSignal,
  watch: RunWatch,
) => ToolResult | Promise<ToolResult>;

/**
 * Sends calls to the built-in tools through the call path. Each call brings its own answer function, since the
 * tools read the session’s state.
 */
export class BuiltInCalls {
  readonly #answers = new Map<string, BuiltInAnswer>();

  readonly tools: readonly RegisteredTool[] = builtInNames.map((name) =>
    plainTool(name, { stateless: true, background_safe: true }),
  );

  /** Runs the tools for the registry. */
  readonly dispatch: Dispatch = {
    run: (signal, { name }, { id, arguments: args }, watch) => {
      const answer = this.#answers.get(id);
      const alone = `The tool ${name} can be called only by the model of a session.`;
      if (answer === undefined) return Promise.resolve(failure(`LookupError: ${alone}`, alone));
      watch.onStart();
      return answerOrFail(() => answer(JSON.parse(args) as Json, args, signal, watch));
    },
    check: () => Promise.resolve(null),
    needsApproval: () => Promise.resolve(false),
  };

  /** Makes a call that is answered by `answer`. */
  async call(
    callId: string,
    answer: BuiltInAnswer,
    make: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    this.#answers.set(callId, answer);
    try {
      return await make();
    } finally {
      this.#answers.delete(callId);
    }
  }
}

async function answerOrFail(answer: () => ToolResult | Promise<ToolResult>): Promise<ToolResult> {
  try {
    return await answer();
  } catch (thrown) {
    const why = errorText(thrown);
    return failure(`ValidationError: ${why}`, `The call failed: ${why}`);
  }
}
