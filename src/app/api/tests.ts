/** Answers `api/tests`: lists the saved tests of the open folder, and runs them. */

import { wait } from '../../runtime/async/wait.ts';
import { objectMembers } from '../../runtime/spec/json-reader.ts';
import { isStrings } from '../../runtime/spec/guards.ts';
import { problemResponse } from '../../runtime/protocol/problem-document.ts';
import type { TestSelection } from '../../agent/saved-tests/saved-tests.ts';
import type { TestStatus } from '../../runtime/spec/saved-test.ts';
import type { ApiDeps, ApiRequest } from './api-deps.ts';
import { longestAnswerMs } from './call-response.ts';
import { heartbeat, serverEvent } from './event-parts.ts';
import {
  refuseUnlessJsonBody,
  createPacedBody,
  type Part,
  negotiateForm,
  answerHeaders,
} from './http-form.ts';

/** Longest body of a request; bytes. */
const maxBytes = 1_000_000;
const heartbeatMs = 15_000;
const hint = 'Send {} for all tests, {"tests": ["adds up"]} for some, or {"tool": "sums:add"}.';

/** Answers `GET api/tests`. */
export async function answerTests(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  await wait(request.signal, deps.tests.refresh());
  const { state, folder, revision } = deps.listing();
  const { tests, problems } = deps.tests.view;
  const body = { state, folder, revision, tests: tests.map(apiTest), problems };
  return new Response(JSON.stringify(body), { headers: answerHeaders('json') });
}

/** Answers `POST api/tests/run`. A caller that disconnects, and four minutes, stop the run. */
export async function answerTestRun(request: ApiRequest, deps: ApiDeps): Promise<Response> {
  // @mutant form bodies do not run tests => without refuseUnlessJsonBody(request) ??
  const form = refuseUnlessJsonBody(request) ?? negotiateForm(request);
  if (form instanceof Response) return form;
  const selection = await readSelection(request);
  if (selection instanceof Response) return selection;
  const stop = new AbortController();
  const cancelDeadline = deps.after(longestAnswerMs, () => stop.abort());
  await wait(AbortSignal.any([stop.signal, request.signal]), deps.tests.refresh());
  const unknown = unknownTests(selection, deps);
  if (unknown !== null) {
    cancelDeadline();
    return unknown;
  }
  const progress = new Progress();
  const run = deps.tests
    .run(selection, {
      signal: stop.signal,
      onTest: (status) => progress.add(status),
    })
    .finally(() => {
      cancelDeadline();
      progress.end();
    });
  const parts = form === 'json' ? jsonParts(run, progress, deps) : eventParts(run, progress, deps);
  // @mutant a caller that leaves stops its run of tests => stop.abort() -> undefined
  const body = createPacedBody(parts, () => stop.abort());
  return new Response(body, { headers: answerHeaders(form) });
}

async function readSelection(request: ApiRequest): Promise<TestSelection | Response> {
  const bytes = await request.arrayBuffer();
  if (bytes.byteLength > maxBytes)
    return problemResponse({
      status: 413,
      code: 'too-large',
      detail: `The body is ${bytes.byteLength} bytes, more than the limit of ${maxBytes}.`,
      hint,
    });
  let members: ReadonlyMap<string, string> | null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    members = text.trim() === '' ? new Map() : objectMembers(text);
  } catch {
    members = null;
  }
  if (members === null) return badRequest('The body is not a JSON object in UTF-8.');
  const tests: unknown = JSON.parse(members.get('tests') ?? 'null');
  const tool: unknown = JSON.parse(members.get('tool') ?? 'null');
  if (tests !== null && !isStrings(tests)) return badRequest('"tests" is not a list of strings.');
  if (tool !== null && typeof tool !== 'string') return badRequest('"tool" is not a string.');
  return { ...(tests === null ? {} : { tests }), ...(tool === null ? {} : { tool }) };
}

/** The 404 if the selection names tests or a tool that do not exist. */
function unknownTests({ tests = [], tool }: TestSelection, deps: ApiDeps): Response | null {
  if (deps.listing().state === 'none')
    return unknownTestResponse('There are no tests: no folder is open.');
  const missing = tests.find((one) => deps.tests.select({ tests: [one] }).length === 0);
  if (missing !== undefined) return unknownTestResponse(`There is no test ${missing}.`);
  if (tool !== undefined && deps.tests.select({ tool }).length === 0)
    return unknownTestResponse(`There is no test of ${tool}.`);
  return null;
}

/** The tests of a run that have ended, until the answer has reported them. */
class Progress {
  #ended: TestStatus[] = [];
  #over = false;
  #wake: () => void = () => undefined;

  add(status: TestStatus): void {
    this.#ended.push(status);
    this.#wake();
  }

  end(): void {
    this.#over = true;
    this.#wake();
  }

  /**
   * The tests that have ended since the last call, waiting for the first at most `ms`: an empty list if
   * none has ended by then. Null after the last test.
   */
  async next(ms: number, deps: Pick<ApiDeps, 'after'>): Promise<readonly TestStatus[] | null> {
    if (this.#ended.length === 0 && !this.#over)
      await new Promise<void>((resolve) => {
        const cancel = deps.after(ms, resolve);
        this.#wake = () => {
          cancel();
          resolve();
        };
      });
    const ended = this.#ended;
    this.#ended = [];
    return ended.length === 0 && this.#over ? null : ended;
  }
}

async function* jsonParts(
  run: Promise<readonly TestStatus[]>,
  progress: Progress,
  deps: Pick<ApiDeps, 'after'>,
): AsyncGenerator<Part> {
  // White space before JSON is allowed, and shows that the answer has begun.
  while ((await progress.next(heartbeatMs, deps)) !== null) yield ['\n'];
  yield [JSON.stringify(summary(await run))];
}

async function* eventParts(
  run: Promise<readonly TestStatus[]>,
  progress: Progress,
  deps: Pick<ApiDeps, 'after'>,
): AsyncGenerator<Part> {
  let sent = 0;
  for (;;) {
    const ended = await progress.next(heartbeatMs, deps);
    if (ended === null) break;
    if (ended.length === 0) yield [heartbeat];
    for (const status of ended)
      yield serverEvent('test', String((sent += 1)), [JSON.stringify(apiTest(status))]);
  }
  yield serverEvent('result', 'end', [JSON.stringify(summary(await run))], {
    isLast: true,
  });
}

function summary(results: readonly TestStatus[]): object {
  const passed = results.filter(({ state }) => state === 'passed').length;
  const failed = results.filter(({ state }) => state === 'failed').length;
  const others = results.length - passed - failed;
  return { passed, failed, notRun: others, results: results.map(apiTest) };
}

function apiTest({ test, state, reasons, result, isStale }: TestStatus): object {
  const { id, name, tool, file, line } = test;
  const durationMs = result?.durationMs ?? null;
  return { id, name, tool, file, line, state, stale: isStale, reasons, durationMs };
}

function badRequest(detail: string): Response {
  return problemResponse({ status: 400, code: 'bad-request', detail, hint });
}

function unknownTestResponse(detail: string): Response {
  return problemResponse({
    status: 404,
    code: 'unknown-test',
    detail,
    hint: 'GET api/tests lists the tests, and the problems of test files.',
  });
}
