/** Reasons why a task does not begin, and the model, tools, inputs and judge that its sub-agent gets. */

import { afterEach, expect, test } from 'vitest';
import { added, endServers, serve } from '../../../tests/support/mcp-bench.ts';
import { asks, FakeAgent, model, registeredTool, says } from '../turn/agent.fixture.ts';
import { agentPage } from '../turn/live-sessions.fixture.ts';
import type { Plan, PlanTask } from '../../runtime/spec/plan.ts';
import { task } from './plan-runs.fixture.ts';
import { PlanSources } from './plan-sources.ts';
import { RunLog } from './run-log.ts';
import type { RunFact } from './run-record.ts';
import { SubAgents } from './sub-agents.ts';

const { signal } = new AbortController();

afterEach(endServers);
const provider = { id: 'mine', name: 'Mine', kind: 'openai', models: [] };
const infoOf = (name: string) => ({ ref: { provider: 'mine', model: name }, name, price: null });

interface Given {
  readonly plan?: Partial<Plan>;
  readonly created?: Partial<Extract<RunFact, { type: 'created' }>>;
  readonly defaultModel?: typeof model | null;
}

function setup({ plan = {}, created = {}, defaultModel = model }: Given = {}) {
  const agent = new FakeAgent();
  const { sessions, pageDeps } = agentPage(agent);
  const asked: string[] = [];
  const providers = {
    loaded: Promise.resolve(),
    list: () => [{ ...provider, models: ['large', 'small', 'tiny'].map(infoOf) }],
    info: () => agent.info,
    ask: (ref: typeof model) => {
      asked.push(ref.model);
      return async function* () {
        await Promise.resolve();
        yield* says('{"holds": true, "reason": "by the model"}');
      };
    },
  };
  const folder = pageDeps.folder;
  const files = new Map<string, unknown>();
  const judged: { readonly asked: unknown[]; reasons: readonly string[] } = {
    asked: [],
    reasons: [],
  };
  const common = {
    interpreters: {
      judge: (_: AbortSignal, ...asked: readonly string[]) => {
        judged.asked.push(asked.slice(0, 2));
        return Promise.resolve(judged.reasons);
      },
    },
    sessions,
    folder,
    registry: pageDeps.registry,
    newId: () => 'new',
    providers: providers as never,
    tests: { refresh: () => Promise.resolve(), select: () => [], run: () => Promise.resolve([]) },
    defaultModel: { current: defaultModel, loaded: Promise.resolve() },
  };
  const sources = new PlanSources(common);
  const log = new RunLog(
    'run',
    [
      {
        type: 'created',
        session: '',
        folder: 'tools',
        folderId: 'f',
        inherited: null,
        plan: { goal: 'a goal', tasks: [task('a'), task('b')], ...plan },
        n: 0,
        at: 0,
        ...created,
      },
    ],
    {
      store: { append: () => Promise.resolve() },
      now: () => 0,
      onChange: () => undefined,
      onStored: () => undefined,
    },
  );
  const agents = new SubAgents(log, {
    ...common,
    sources,
    calls: { call: () => Promise.reject(new Error('no call')) },
    currentFolder: pageDeps.currentFolder as never,
    workspaces: {
      of: () => Promise.resolve({ refresh: () => Promise.resolve(), view: { files } } as never),
    },
  });
  return { agent, agents, sessions, asked, log, judged };
}

const begin = (of: ReturnType<typeof setup>, more: Partial<PlanTask> = {}) =>
  of.agents.begin(task('a', [], more));

test('a task begins once the folder is read, in a session with its title, tools and model', async () => {
  const page = setup();
  let settle = (): void => undefined;
  const read = new Promise<void>((resolve) => (settle = resolve));
  page.agent.settled = read.then(() => void page.agent.tools.push(registeredTool('m:late')));
  const begun = begin(page, { title: 'First', tools: ['m:late'] });
  settle();
  const { session, close } = await begun;
  const opened = page.sessions.opened(session);
  expect(opened?.state.head).toMatchObject({ title: 'First', model });
  expect(opened?.selected).toEqual(['m:late']);
  close();
  await expect.poll(() => page.sessions.opened(session)).toBeUndefined();
});

test('a task does not begin in another folder than that of its run, also if that is opened meanwhile', async () => {
  const page = setup();
  page.agent.settled = Promise.resolve().then(() => {
    page.agent.folderKey = 'other';
  });
  await expect(begin(page)).rejects.toMatchObject({ code: 'no-folder' });
  await expect(page.agents.reopen(task('a'), 's')).rejects.toMatchObject({ code: 'no-folder' });
  page.agent.settled = Promise.resolve();
  page.agent.folderKey = 'f';
  await begin(page);
});

test('an expression is compiled apart from the sessions, and again only if it changes', async () => {
  const { agents, judged } = setup();
  const { faultIn } = await agents.references();
  judged.reasons = ['invalid expression: x > raised SyntaxError: no'];
  for (let n = 0; n < 2; n += 1) expect(await faultIn(signal, 'x >')).toBe('SyntaxError: no');
  judged.reasons = [];
  expect(await faultIn(signal, 'x > 1')).toBeNull();
  expect(judged.asked).toEqual([
    ['plan-expressions', '{"expression":"x >"}'],
    ['plan-expressions', '{"expression":"x > 1"}'],
  ]);
});

test('a task whose tool has gone does not begin, and the tool is named', async () => {
  const page = setup({ created: { inherited: ['m:f', 'm:gone'] } });
  await expect(begin(page)).rejects.toThrow('This tool is no longer available: m:gone.');
  await expect(begin(page, { tools: ['m:lost', 'm:away'] })).rejects.toThrow(
    'These tools are no longer available: m:lost, m:away.',
  );
  await begin(page, { tools: ['m:f'] });
});

test('the model of the task counts before that of the plan, then of the session, then the default', async () => {
  const nameOf = async (page: ReturnType<typeof setup>, more: Partial<PlanTask> = {}) =>
    page.sessions.opened((await begin(page, more)).session)?.state.head.model?.model;
  const planned = setup({ plan: { model: 'Mine/small' } });
  expect(await nameOf(planned, { model: 'Mine/tiny' })).toBe('tiny');
  expect(await nameOf(planned)).toBe('small');
  expect(await nameOf(setup())).toBe('large');
  // The session in which the plan was made has another model than the default one.
  const made = setup({ created: { session: 'id-none' } });
  const { sessions } = made;
  const session = sessions.create();
  session.useModel({ provider: 'mine', model: 'small' });
  session.send([{ type: 'text', text: 'Plan' }]);
  await session.settled();
  Object.assign(made.log.state, { session: session.id });
  expect(await nameOf(made)).toBe('small');
});

test('a task without a model, or with one that is unknown, does not begin', async () => {
  const unset = setup({ defaultModel: null });
  await expect(begin(unset)).rejects.toThrow('No model is set up.');
  await expect(begin(setup(), { model: 'Mine/huge' })).rejects.toThrow(
    'There is no model Mine/huge.',
  );
});

test.each(['task', 'plan'])(
  'with a budget of money for the %s, the price of its model must be known',
  async (whose) => {
    const budget = { cost: 1 };
    const page = setup(whose === 'plan' ? { plan: { budget } } : {});
    const more = whose === 'plan' ? {} : { budget };
    await expect(begin(page, more)).rejects.toThrow('The price of large is unknown');
    page.agent.info = { price: { input: 0, output: 0 } } as never;
    const { session } = await begin(page, more);
    page.sessions.opened(session)?.send([{ type: 'text', text: 'Do a' }]);
    await page.sessions.opened(session)?.settled();
    // The price may be removed before the task continues.
    page.agent.info = undefined;
    page.sessions.release(session);
    await expect.poll(() => page.sessions.opened(session)).toBeUndefined();
    await expect(page.agents.reopen(task('a', [], more), session)).rejects.toThrow('The price of');
    await expect.poll(() => page.sessions.opened(session)).toBeUndefined();
    // Control: a budget of tokens needs no price.
    if (whose === 'task') await begin(page, { budget: { tokens: 1 } });
  },
);

test('a session that was never stored is not opened again; a fault of storage is not hidden', async () => {
  const page = setup();
  expect(await page.agents.reopen(task('a'), 'never')).toBeNull();
  page.agent.browser.failure = new Error('The disk is broken');
  await expect(page.agents.reopen(task('a'), 'never')).rejects.toThrow();
});

test('an input is a value, or the output of a task as text; a file that does not exist is refused', async () => {
  const page = setup();
  const inputs = { plain: 1, output: { task: 'b' } };
  const of = (more: NonNullable<PlanTask['inputs']>) =>
    page.agents.inputs(task('a', ['b'], { inputs: more }));
  expect([...(await of(inputs))]).toEqual([
    ['plain', 1],
    ['output', 'null'],
  ]);
  const finished = { type: 'task-finished', task: 'b', attempt: 1, output: '{"n":1.0}' } as const;
  await page.log.append({ type: 'task-began', task: 'b', attempt: 1, session: 's' });
  await page.log.append(finished);
  expect((await of(inputs)).get('output')).toBe('{"n":1.0}');
  await expect(of({ file: { file: 'none.txt' } })).rejects.toThrow('none.txt');
});

test('a task without a check passes; another one is judged by the model of its session', async () => {
  const page = setup({ plan: { model: 'Mine/small' } });
  const agent = await begin(page);
  const check = (more: Partial<PlanTask>, of: { session: string } = agent) =>
    page.agents.check(signal, task('a', [], more), of, '1');
  expect(await check({})).toMatchObject({ fault: null, words: '' });
  expect(page.asked).toEqual([]);
  const judge = { check: { judge: 'It is one' } };
  expect(await check(judge)).toMatchObject({ fault: null, words: 'by the model' });
  expect(page.asked).toEqual(['small']);
  await expect(check(judge, { session: 'closed' })).rejects.toThrow('is not open');
  expect(await page.agents.failuresBefore(signal, task('a'), agent)).toEqual([]);
});

test('a run that is played asks no model, needs no price, and is judged by its recording', async () => {
  const plan = { goal: 'a goal', tasks: [task('a'), task('b')], budget: { cost: 1 } };
  const verdicts = [{ holds: true, reason: 'as recorded' }];
  const replays = JSON.stringify({
    format: 'cloche-recorded-run',
    version: 1,
    title: 'Played',
    scripted: true,
    plan,
    tasks: { a: { turns: [{ steps: [{ parts: [{ type: 'text', text: 'Done.' }] }] }], verdicts } },
  });
  const page = setup({ plan, created: { replays }, defaultModel: null });
  const agent = await begin(page);
  expect(page.sessions.opened(agent.session)?.state.head.model?.model).toBe('Played');
  await page.log.append({ type: 'task-began', task: 'a', attempt: 1, session: agent.session });
  const judged = task('a', [], { check: { judge: 'It is one' } });
  expect(await page.agents.check(signal, judged, agent, '1')).toMatchObject({
    words: 'as recorded',
  });
  expect(page.asked).toEqual([]);
});

test('a sub-agent may write programs only if its task or the plan says so', async () => {
  const tools = ['m:a', 'm:b', 'm:c'];
  const programsOf = async (plan: Partial<Plan>, more: Partial<PlanTask>) => {
    const page = setup({ plan });
    page.agent.tools.push(...tools.map((name) => registeredTool(name)));
    const { session } = await begin(page, { tools, ...more });
    return page.sessions.opened(session)?.selection.programs;
  };
  expect(await programsOf({}, {})).toBe(false);
  expect(await programsOf({ programs: true }, {})).toBe(true);
  expect(await programsOf({ programs: true }, { programs: false })).toBe(false);
  expect(await programsOf({}, { programs: true })).toBe(true);
});

test('a task uses the tools of an MCP server, and does not begin without them', async () => {
  const received: unknown[] = [];
  const server = await serve({
    tools: [{ name: 'echo', description: 'Repeats.', inputSchema: { type: 'object' } }],
    run: (_, { args }) => {
      received.push(args);
      return { content: [{ type: 'text', text: `It said ${String(args.text)}.` }] };
    },
  });
  const { call, key, registry } = await added(server.url);
  const page = setup();
  const ofFolder = page.agent.tools;
  page.agent.tools = [...ofFolder, ...registry.list()];
  page.agent.onCall = (_, { tool, arguments: args }) => call(tool, args);
  const name = `${key}:echo`;
  expect((await page.agents.references()).tools).toContain(name);
  const sub = await begin(page, { tools: [name] });
  page.agent.script = [
    asks([`${key}__echo`, '{"text": "hi"}']),
    asks(['finish', '{"result": "It said hi."}']),
  ];
  expect(await sub.work(signal, 'Do a')).toMatchObject({ output: '"It said hi."' });
  const [request, next] = page.agent.requests;
  expect(request?.tools.map(({ name: wire }) => wire)).toEqual([`${key}__echo`, 'finish']);
  expect(JSON.stringify(next?.messages)).toContain('It said hi.');
  expect(page.agent.calls).toMatchObject([{ tool: name, caller: 'sub-agent', agentId: 'a' }]);
  expect(received).toEqual([{ text: 'hi' }]);
  page.agent.tools = ofFolder;
  await expect(begin(page, { tools: [name] })).rejects.toThrow(`no longer available: ${name}.`);
});
