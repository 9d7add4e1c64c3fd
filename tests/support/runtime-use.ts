/** What tests of the runtime run in a page, in Chromium and in Firefox, and what they expect. */

import type * as Runtime from '../../src/runtime/index.ts';

/** What the page of docs/runtime.md shows. */
export const shownByPage = [
  'Tools: demo:count, demo:wait, demo:get',
  'Update 0: 0',
  'Update 1: 1',
  'Update 2: "counted"',
  'Output: step 0 step 1',
  'Result: counted',
  'Response: as wanted',
  'Press “Stop”.',
  'Stopped: cancelled',
  'Done.',
];

/** Joins the pieces of output, whose number depends on the machine. */
export function shownLines(text: string): readonly string[] {
  const lines = text.trim().split('\n');
  const isOutput = (line: string): boolean => /^(Output: )?step \d$/.test(line);
  const output = lines.filter(isOutput).map((line) => line.replace('Output: ', ''));
  const others = lines.filter((line) => !isOutput(line));
  const end = others.findIndex((line) => line.startsWith('Result'));
  return [...others.slice(0, end), `Output: ${output.join(' ')}`, ...others.slice(end)];
}

/** Runs in a page with the module as `globalThis.runtime`. @returns codes and messages by what was tried */
export async function refusals({
  assets,
  api,
}: {
  readonly assets: string;
  readonly api: string;
}): Promise<Readonly<Record<string, string>>> {
  const { createRuntime } = (globalThis as unknown as { runtime: typeof Runtime }).runtime;
  const source = `
import urllib.request

calls = 0

def ask():
    return "ran"

def count():
    global calls
    calls += 1
    return calls

def get(url: str):
    return urllib.request.urlopen(url).read().decode()

def spec(handler, approval=False, **properties):
    return {"name": f"demo:{handler.__name__}", "description": "A demo.", "handler": handler,
            "parameters": {"type": "object", "properties": properties}, "requires_approval": approval}

TOOL_SPECS = [spec(ask, True), spec(count), spec(get, url={"type": "string"})]
`;
  const folder = { 'demo.py': source };
  const told = async (work: Promise<unknown>): Promise<string> =>
    work.then(
      (value) => `no error: ${JSON.stringify(value)}`,
      (thrown: unknown) => {
        const { name, code, message, hint = '' } = thrown as Runtime.ToolError;
        const text = `${name} ${code}: ${message}. ${hint}`;
        return text.replace(/assets\/[\w.-]+/, 'assets/…').replaceAll(location.origin, 'here');
      },
    );
  const { signal } = new AbortController();
  const late = new AbortController();
  const opening = told(createRuntime({ folder, assetsUrl: assets, signal: late.signal }));
  late.abort();
  const seen: Record<string, string> = {
    'no files': await told(createRuntime({ folder: {}, assetsUrl: assets })),
    'a path outside': await told(createRuntime({ folder: { '../a.py': '' }, assetsUrl: assets })),
    'a bad address': await told(createRuntime({ folder: 'ftp://a.example/', assetsUrl: assets })),
    'a bad origin': await told(
      createRuntime({ folder, assetsUrl: assets, policy: { network: [`${api}/path`] } }),
    ),
    'its own origin': await told(
      createRuntime({ folder, assetsUrl: assets, policy: { network: [location.origin] } }),
    ),
    'no assets': await told(createRuntime({ folder, assetsUrl: `${assets}missing/` })),
    'aborted before': await told(
      createRuntime({ folder, assetsUrl: assets, signal: AbortSignal.abort() }),
    ),
    'aborted meanwhile': await opening,
  };
  seen['frames of failures'] = String(document.querySelectorAll('iframe').length);

  const asked: string[] = [];
  const runtime = await createRuntime({
    folder,
    assetsUrl: assets,
    onQuestion: ({ kind, tool }) => {
      asked.push(`${kind} ${tool}`);
      return kind === 'network' && asked.length > 1 ? 'always' : 'no';
    },
  });
  const result = async (...given: Parameters<typeof runtime.call>): Promise<string> => {
    const { textResultForLlm, error = '' } = await runtime.call(...given);
    return error === '' ? textResultForLlm : error.replace(/:.*/s, '');
  };
  const url = JSON.stringify({ url: `${api}/status?code=200` });
  seen['an unknown tool'] = await told(runtime.call(signal, 'demo:cuont', '{}'));
  seen['no JSON'] = await result(signal, 'demo:count', 'x');
  seen.aborted = await result(AbortSignal.abort(), 'demo:count', '{}');
  seen['without approval'] = await result(signal, 'demo:ask', '{}');
  seen['with approval'] = await result(signal, 'demo:ask', '{}', { approved: true });
  seen['a question'] = await result(signal, 'demo:get', url);
  seen.origins = runtime.grants.origins.join() === api ? 'granted' : 'other';
  runtime.grants.revoke(api);
  seen.revoked = runtime.grants.origins.join();
  seen.questions = asked.join(', ');
  await runtime.call(signal, 'demo:count', '{}', { session: 'a' });
  seen.sessions = [
    await result(signal, 'demo:count', '{}', { session: 'a' }),
    await result(signal, 'demo:count', '{}', { session: 'b' }),
  ].join(' ');
  let changes = 0;
  const stopObserving = runtime.observe(() => (changes += 1));
  await runtime.update({ 'demo.py': source.replace('"ran"', '"changed"'), 'bad.py': 'def' });
  seen.updated = await result(signal, 'demo:ask', '{}', { approved: true });
  seen.problems = runtime.problems
    .filter(({ severity }) => severity === 'error')
    .map(({ file, code }) => `${file} ${code}`)
    .join();
  seen.observed = String(changes > 0);
  stopObserving();
  runtime.dispose();
  seen.disposed = await told(runtime.call(signal, 'demo:count', '{}'));
  seen['updated after'] = await told(runtime.update(folder));
  seen.frames = String(document.querySelectorAll('iframe').length);
  return seen;
}

const files =
  "Pass files such as { 'hello.py': 'def hello() -> str: …' }, a directory handle, or an address.";
const origin = 'Pass an origin such as https://api.example.org, without a path.';
const disposed =
  'ToolError no-folder: This runtime has been disposed. Create another one with createRuntime.';
const cancelled = 'ToolError aborted: Opening the tools folder was cancelled. ';

/**
 * What {@link refusals} returns, with the addresses that were given.
 * @param waits whether a plain function can wait, without which it asks nothing
 */
export function refused(
  assets: string,
  api: string,
  waits = true,
): Readonly<Record<string, string>> {
  return {
    'no files': `ToolError bad-input: The folder has no files. ${files}`,
    'a path outside': `ToolError bad-input: The file “../a.py” cannot be used: its path has a part named “..”. ${files}`,
    'a bad address':
      'ToolError bad-input: The address cannot be used: ftp: is neither http: nor https:. Enter an address such as https://example.org/tools.zip.',
    'a bad origin': `ToolError bad-input: Requests to ${api}/path cannot be granted: it is an address, not an origin. ${origin}`,
    'its own origin': `ToolError bad-input: Requests to here cannot be granted: no tool may reach the origin of this page. ${origin}`,
    'no assets': `ToolError not-found: ${assets}missing/assets/… could not be loaded (404). Serve the folder “assets” of the npm package under ${assets}missing/, so that this page can fetch it.`,
    'aborted before': cancelled,
    'aborted meanwhile': cancelled,
    'frames of failures': '0',
    'an unknown tool':
      'ToolError not-found: There is no tool demo:cuont. The folder has demo:count, demo:get, demo:ask.',
    'no JSON': 'ValidationError',
    aborted: 'cancelled',
    'without approval': 'approval_required',
    'with approval': 'ran',
    'a question': waits ? 'as wanted' : 'RuntimeError',
    origins: waits ? 'granted' : 'other',
    revoked: '',
    questions: `call demo:ask${waits ? ', network demo:get' : ''}`,
    sessions: '2 1',
    updated: 'changed',
    problems: 'bad.py syntax-error',
    observed: 'true',
    disposed,
    'updated after': disposed,
    frames: '0',
  };
}
