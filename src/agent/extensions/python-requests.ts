/**
 * Answers the requests of extensions in Python through `app`, as plain data: names, arguments and
 * answers in snake_case.
 */

import { createPacer } from '../../runtime/async/pace.ts';
import { errorText, ToolError } from '../../runtime/spec/error.ts';
import { asFields, isCount, isObject, type Fields } from '../../runtime/spec/guards.ts';
import type { Json, JsonText } from '../../runtime/spec/json.ts';
import type { ModelMessage } from '../../runtime/spec/model.ts';
import type { CheckpointSummary } from '../../runtime/workspace/checkpoints.ts';
import { PowerDenied } from './access.ts';
import { messagesFromPython, messagesToPython } from './messages.ts';
import { toPython } from './python-results.ts';
import type { SessionApp } from './session-writes.ts';
import type { SessionSummary, ToolSummary } from './app-reads.ts';

/** @returns the answer as JSON; undefined if there is none */
type Answer = (app: SessionApp, given: Fields) => Promise<JsonText | undefined>;

/** Limits of an answer, and of a text argument; characters. */
const maxAnswerChars = 7_000_000;
const maxTextChars = 100_000;

const answers: Readonly<Record<string, Answer>> = {
  conversation_messages: async (app, { last }) => {
    if (last !== null && !isCount(last)) throw wrongTypeError('last', 'a number from 0, or None');
    const all = await app.conversationMessages();
    return messagesText(last === null ? all : all.slice(Math.max(0, all.length - last)));
  },
  system_prompt: async (app) => json(await app.systemPrompt()),
  prompt_sections: async (app) =>
    json(
      (await app.promptSections()).map(({ title, text, tokens, from = null }) => ({
        title,
        content: text,
        tokens,
        file: from,
      })),
    ),
  session_title: async (app) => json(await app.sessionTitle()),
  step_mode: async (app) => json(await app.stepMode()),
  is_background_running: async (app) => json(await app.isBackgroundRunning()),
  provider: async (app) => json(await app.provider()),
  providers: async (app) => json(await app.providers()),
  available_models: async (app) => json(await app.availableModels()),
  resolve_model: async (app, given) => json(await app.resolveModel(text(given, 'name'))),
  sessions: async (app) => json((await app.sessions()).map(session)),
  tools: async (app) => json((await app.tools()).map(tool)),
  background_safe_tools: async (app) => json((await app.backgroundSafeTools()).map(tool)),
  find_tool: async (app, given) => {
    const found = await app.findTool(text(given, 'name'));
    return json(found && tool(found));
  },
  tool_defs: async (app) => json(await app.toolDefs()),
  commands: async (app) => json(await app.commands()),
  shortcuts: async (app) => json(await app.shortcuts()),
  status_sections: async (app) => json(await app.statusSections()),
  renderers: async (app) => json(await app.renderers()),
  stream_providers: async (app) => json(await app.streamProviders()),
  compactor: async (app) => json(await app.compactor()),
  ext_infos: async (app) =>
    json(
      (await app.extInfos()).map(({ name, version, kind, runtime, file, state, registered }) => ({
        name,
        version,
        kind,
        runtime,
        file,
        state,
        registered: registered.map((one) => ({ kind: one.kind, name: one.name })),
      })),
    ),
  cwd: async (app) => json(await app.cwd()),
  cancel_background: (app) => withoutResult(app.cancelBackground()),
  toggle_step_mode: async (app) => json(await app.toggleStepMode()),
  set_conversation_messages: (app, { messages }) =>
    withoutResult(app.setConversationMessages(messagesFromPython(messages))),
  switch_model: async (app, given) => json(await app.switchModel(text(given, 'name'))),
  set_provider: async (app, given) => json(await app.setProvider(text(given, 'name'))),
  sync_models: async (app, given) =>
    json(await app.syncModels(given.name === null ? null : text(given, 'name'))),
  fork_session: async (app, { n }) => {
    if (n !== null && !isCount(n)) throw wrongTypeError('n', 'a number from 0, or None');
    return json(await app.forkSession(n));
  },
  run_plan: async (app, { plan }) => {
    if (typeof plan !== 'string' && !isObject(plan))
      throw wrongTypeError('plan', 'a dict, or text');
    return json(await app.runPlan(plan));
  },
  plan_run: async (app, given) => {
    const run = await app.planRun(text(given, 'id'));
    if (run === null) return 'null';
    const { tasks, ...rest } = run;
    const written = tasks.map(({ output, ...task }) =>
      withMember(task, 'output', output ?? 'null'),
    );
    return withMember(rest, 'tasks', `[${written.join(',')}]`);
  },
  run_message_hooks: async (app, given) => json(await app.runMessageHooks(text(given, 'text'))),
  dispatch_event: (app, { event }) => {
    if (!isObject(event)) throw wrongTypeError('event', 'a dict');
    return withoutResult(app.dispatchEvent(event));
  },
  checkpoint_workspace: async (app, given) =>
    json(checkpoint(await app.checkpointWorkspace(text(given, 'name')))),
  workspace_checkpoints: async (app) => json((await app.workspaceCheckpoints()).map(checkpoint)),
  restore_workspace: async (app, given) => json(await app.restoreWorkspace(text(given, 'name'))),
  call_tool: async (app, given) => {
    const result = await app.callTool(text(given, 'name'), args(given));
    const parts = result.content.map((part) => ('text' in part ? part.text : part.data));
    const texts = [...parts, result.textResultForLlm, result.stdout, result.stderr];
    if (texts.reduce((sum, { length }) => sum + length, 0) > maxAnswerChars) throw tooLong();
    return toPython(result);
  },
};

/** Returns whether the request has an answer; actions without one are in `actions.ts`. */
export function isRequest(asked: Json): boolean {
  const { action } = asFields(asked);
  return typeof action === 'string' && Object.hasOwn(answers, action);
}

/** @returns the answer as JSON; undefined if there is none @throws {ToolError} that names the method */
export async function answerRequest(app: SessionApp, asked: Json): Promise<JsonText | undefined> {
  const request = asFields(asked);
  const name = String(request.action);
  try {
    const answer = await answers[name]?.(app, request);
    if (answer === undefined || answer.length <= maxAnswerChars) return answer;
    throw tooLong();
  } catch (thrown) {
    if (thrown instanceof PowerDenied) throw thrown;
    const code = thrown instanceof ToolError ? thrown.code : 'bad-input';
    throw new ToolError(code, `app.${name}: ${errorText(thrown)}`);
  }
}

/** Writes the messages one by one, so that a long session does not block the page. */
async function messagesText(messages: readonly ModelMessage[]): Promise<JsonText> {
  const pacer = createPacer();
  const written: string[] = [];
  let chars = 0;
  for (const message of messages) {
    const one = messagesToPython([message]).slice(1, -1);
    chars += one.length;
    if (chars > maxAnswerChars) throw tooLong(' Read only the newest: last=20.');
    if (one !== '') written.push(one);
    if (pacer.mustRest()) await pacer.rest();
  }
  return `[${written.join(',')}]`;
}

function tool({ backgroundSafe, ...rest }: ToolSummary): Json {
  return { ...rest, background_safe: backgroundSafe };
}

function session({ createdAt, parentId, ...rest }: SessionSummary): Json {
  return { ...rest, created_at: createdAt / 1000, parent_id: parentId };
}

function checkpoint({ name, createdAt, files, changed }: CheckpointSummary): Json {
  return { name, created_at: createdAt / 1000, files, changed };
}

function json(value: unknown): JsonText {
  return JSON.stringify(value);
}

/** The object as JSON, with one more member whose text is kept as it is. */
function withMember(object: object, name: string, value: JsonText): JsonText {
  return `${json(object).slice(0, -1)},"${name}":${value}}`;
}

async function withoutResult(work: Promise<void>): Promise<undefined> {
  await work;
}

function text(given: Fields, key: string): string {
  const value = given[key];
  if (typeof value !== 'string') throw wrongTypeError(key, 'str');
  if (value.length > maxTextChars)
    throw new ToolError('limit', `${key} is longer than ${maxTextChars} characters.`);
  return value;
}

function args({ arguments: value }: Fields): JsonText {
  if (typeof value !== 'string') throw wrongTypeError('arguments', 'JSON');
  return value;
}

function wrongTypeError(key: string, expected: string): ToolError {
  return new ToolError('bad-input', `${key} must be ${expected}.`);
}

function tooLong(hint = ''): ToolError {
  const max = maxAnswerChars.toLocaleString('en');
  return new ToolError('limit', `The answer has more than ${max} characters.${hint}`);
}
