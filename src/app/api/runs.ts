/** Answers `api/runs`: starts runs of plans, lists them, and shows, streams and stops one. */

import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import type { RunEvent, RunState } from '../../agent/runner/run-record.ts';
import { errorText, ToolError, type ToolErrorCode } from '../../runtime/spec/error.ts';
import { isObject } from '../../runtime/spec/guards.ts';
import type { Json } from '../../runtime/spec/json.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { longestAnswerMs } from './call-response.ts';
import { Change, streamEnd } from './calls.ts';
import { heartbeat, serverEvent, waitForChange } from './event-parts.ts';
import {
  refuseUnlessJsonBody,
  createPacedBody,
  type Part,
  negotiateForm,
  answerHeaders,
} from './http-form.ts';

/** Longest body of a request; bytes. */
const maxBytes = 1_000_000;
const hint = 'Send {"plan": {"goal": "…", "tasks": [{"id": "a", "instructions": "…"}]}}.';

const statuses: Partial<Record<ToolErrorCode, number>> = { 'not-found': 404, 'not-supported': 403 };

/** Answers `GET api/runs`: newest first. */
export async function answerRuns(deps: ApiDeps): Promise<Response> {
  const { runs } = await deps.plans();
  await runs.loaded;
  const heads = runs.list().map((run) => headText(run, runs.isActive(run.id)));
  return json(200, `{"runs":[${heads.join(',')}]}`);
}

/**
 * Answers `POST api/runs`: starts a run, and returns its id. The plan is an object, or text as JSON
 * or YAML.
 */
export async function answerRunStart(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  const refused = refuseUnlessJsonBody(request);
  if (refused !== undefined) return refused;
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > maxBytes)
    return problem(413, 'too-large', `The body is larger than ${maxBytes} bytes.`);
  let body: Json;
  try {
    body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as Json;
  } catch {
    return problem(400, 'bad-request', 'The body is not JSON in UTF-8.');
  }
  if (!isObject(body)) return problem(400, 'bad-request', 'The body is not a JSON object.');
  const { plan: value, session = '' } = body;
  if (value === undefined) return problem(400, 'bad-request', 'The body has no "plan".');
  if (typeof session !== 'string')
    return problem(400, 'bad-request', '"session" is not the id of a session.');
  const plans = await deps.plans();
  try {
    const { plan, problems } =
      typeof value === 'string'
        ? await plans.read(value, session)
        : await plans.check(value, session);
    if (plan === null || problems.length > 0) return refusal(problems);
    const run = await plans.request(plan, session);
    // The location is relative to the address of the request, `api/runs`.
    return json(202, runText(run, { isActive: !run.isWaiting }), { Location: `runs/${run.id}` });
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    const status = statuses[thrown.code] ?? 409;
    return problem(status, thrown.code, errorText(thrown), thrown.hint);
  }
}

/** Answers `GET api/runs/{id}`: the record; with `Accept: text/event-stream` its events until the end. */
export async function answerRun(request: ApiRequest, id: string, deps: ApiDeps): Promise<Response> {
  const form = negotiateForm(request);
  if (form instanceof Response) return form;
  const { runs } = await deps.plans();
  await runs.loaded;
  const run = runs.get(id);
  if (run === null) return unknownRun(id);
  if (form === 'json')
    return json(
      200,
      runText(
        run,
        { isActive: runs.isActive(id) },
        `,"plan":${JSON.stringify(run.plan)},"events":${JSON.stringify(runs.events(id))}`,
      ),
    );
  const last = request.headers.get('Last-Event-ID');
  // An `EventSource` reconnects after the last event; 204 stops it.
  if (last === streamEnd && !runs.isActive(id)) return new Response(null, { status: 204 });
  const stop = new AbortController();
  const cancelDeadline = deps.after(longestAnswerMs, () => stop.abort());
  request.signal.addEventListener('abort', () => stop.abort());
  const from = Number(last ?? '-1') + 1;
  const body = createPacedBody(
    runEvents(id, Number.isSafeInteger(from) ? from : 0, stop.signal, deps, cancelDeadline),
    () => stop.abort(),
  );
  return new Response(body, { headers: answerHeaders('events') });
}

/** Answers `DELETE api/runs/{id}`: stops the run. */
export async function answerRunStop(id: string, deps: ApiDeps): Promise<Response> {
  const { runs } = await deps.plans();
  await runs.loaded;
  if (runs.get(id) === null) return unknownRun(id);
  try {
    await runs.stop(id);
  } catch (thrown) {
    if (!(thrown instanceof ToolError)) throw thrown;
    return problem(409, thrown.code, errorText(thrown), thrown.hint);
  }
  const run = runs.get(id);
  return run === null ? unknownRun(id) : json(200, runText(run, { isActive: false }));
}

async function* runEvents(
  id: string,
  from: number,
  stop: AbortSignal,
  deps: ApiDeps,
  onEnd: () => void,
): AsyncGenerator<Part> {
  const { runs } = await deps.plans();
  const change = new Change();
  const unobserve = runs.observe((run) => {
    if (run.id === id) change.signal();
  });
  let sent = from;
  try {
    for (;;) {
      const events: readonly RunEvent[] = runs.events(id).slice(sent);
      for (const event of events)
        yield serverEvent(event.type, String(event.n), [JSON.stringify(event)]);
      sent += events.length;
      const isWaiting = runs.get(id)?.isWaiting === true;
      if (stop.aborted || (!runs.isActive(id) && !isWaiting)) break;
      if (events.length > 0) continue;
      if (!(await waitForChange(stop, change.next, deps))) yield [heartbeat];
    }
    const run = runs.get(id);
    if (run !== null) {
      const isActive = runs.isActive(id);
      const goesOn = isActive || run.isWaiting;
      const text = [runText(run, { isActive })];
      if (goesOn) yield serverEvent('running', String(sent - 1), text);
      else yield serverEvent('result', streamEnd, text, { isLast: true });
    }
  } finally {
    unobserve();
    onEnd();
  }
}

/**
 * The run as JSON text, in which outputs keep the spelling of their numbers. `waiting`: the user must approve it first.
 * `interrupted`: it has not ended, and this page does not carry it out.
 * @param more further members, each after a comma
 */
function runText(run: RunState, { isActive }: { isActive: boolean }, more = ''): string {
  const tasks = run.plan.tasks.map(({ id, title = id }) => {
    const {
      phase: state,
      output,
      ...rest
    } = run.tasks.get(id) ?? { phase: 'waiting', output: null };
    return `${JSON.stringify({ id, title, state, ...rest }).slice(0, -1)},"output":${output ?? 'null'}}`;
  });
  return `${headText(run, isActive).slice(0, -1)},"tasks":[${tasks.join(',')}]${more}}`;
}

/** The run without its tasks, as JSON text. */
function headText(run: RunState, isActive: boolean): string {
  const { id, plan, session, folder, phase, reason, tasks, usage, isWaiting } = run;
  const { createdAt, changedAt } = run;
  const isOpen = phase === 'running' || phase === 'paused';
  const done = [...tasks.values()].filter((task) => task.phase === 'done').length;
  return JSON.stringify({
    id,
    goal: plan.goal,
    session,
    folder,
    reason,
    usage,
    createdAt,
    changedAt,
    state: isWaiting ? 'waiting' : isOpen && !isActive ? 'interrupted' : phase,
    done,
    total: tasks.size,
  });
}

function refusal(
  problems: readonly { readonly message: string; readonly hint: string; readonly line?: number }[],
): Response {
  const [first] = problems;
  return problemResponse({
    status: 400,
    code: 'bad-plan',
    detail: `The plan cannot be run: ${problems
      .map(({ message, line }) => (line === undefined ? message : `line ${line}: ${message}`))
      .join('; ')}.`,
    hint: first?.hint ?? hint,
  });
}

function unknownRun(id: string): Response {
  return problem(404, 'unknown-run', `There is no run ${id}.`, 'GET api/runs lists the runs.');
}

function problem(status: number, code: string, detail: string, what = hint): Response {
  return problemResponse({ status, code, detail, hint: what });
}

function json(status: number, body: string, more: Record<string, string> = {}): Response {
  return new Response(body, { status, headers: { ...answerHeaders('json'), ...more } });
}
