/** The components of the gallery, each with its states: empty, loading, partial, error, full. */

import type { AppStatus } from '../../src/app/app.ts';
import OpeningFailure from '../../src/app/ui/home/OpeningFailure.svelte';
import OpeningProgress from '../../src/app/ui/home/OpeningProgress.svelte';
import JsonPart from '../../src/app/ui/json/JsonPart.svelte';
import ResultTable from '../../src/app/ui/json/ResultTable.svelte';
import ConfirmDialog from '../../src/app/ui/parts/ConfirmDialog.svelte';
import { LazyPart } from '../../src/app/ui/parts/lazy-part.svelte.ts';
import LazyPartStatus from '../../src/app/ui/parts/LazyPartStatus.svelte';
import Progress from '../../src/app/ui/parts/Progress.svelte';
import NetworkSection from '../../src/app/ui/policy/NetworkSection.svelte';
import RequestsSection from '../../src/app/ui/policy/RequestsSection.svelte';
import SecretsSection from '../../src/app/ui/policy/SecretsSection.svelte';
import SessionsRail from '../../src/app/ui/sessions/list/SessionsRail.svelte';
import ModelsSection from '../../src/app/ui/sessions/models/ModelsSection.svelte';
import { config, fakeProviders } from '../../src/app/ui/sessions/providers.fixture.ts';
import * as fixture from '../../src/app/ui/sessions/sessions.fixture.ts';
import CallCard from '../../src/app/ui/sessions/transcript/CallCard.svelte';
import StepEntry from '../../src/app/ui/sessions/transcript/StepEntry.svelte';
import ProblemsPanel from '../../src/app/ui/shell/ProblemsPanel.svelte';
import StatusLine from '../../src/app/ui/shell/StatusLine.svelte';
import ArgumentsEditor from '../../src/app/ui/tools/forms/ArgumentsEditor.svelte';
import { Draft } from '../../src/app/ui/tools/forms/draft.svelte.ts';
import ToolsRail from '../../src/app/ui/tools/list/ToolsRail.svelte';
import LiveRun from '../../src/app/ui/tools/result/LiveRun.svelte';
import ResultView from '../../src/app/ui/tools/result/ResultView.svelte';
import RunsPanel from '../../src/app/ui/tools/runs/RunsPanel.svelte';
import { noOutput, Run, withStream } from '../../src/app/ui/tools/runs/runs.svelte.ts';
import type { SessionCall, StepEntry as Step } from '../../src/agent/session/session-state.ts';
import { idle } from '../../src/agent/turn/live-state.ts';
import type { JsonObject } from '../../src/runtime/spec/json.ts';
import type { AssistantPart } from '../../src/runtime/spec/model.ts';
import type { Stream, ToolResult } from '../../src/runtime/spec/result.ts';
import * as sample from '../support/ui-samples.ts';
import { comparedRun } from '../../src/agent/evals/versions.fixture.ts';
import EvalVersions from '../../src/app/ui/evals/EvalVersions.svelte';
import { programStates } from './programs.ts';
import { type Given, never, type Scene } from './scene.ts';
import { long, many, show, type Shown, type States, words } from './shown.ts';

const site = (n: number): string =>
  `https://api-${n}.${long.replaceAll('_', '-').slice(0, 60)}.example.com`;

const result = (changes: Partial<ToolResult> = {}): Shown =>
  show(ResultView, {
    result: sample.sampleResult(changes),
    tool: 'weather_tools:get_temperatures',
  });
const failed = {
  resultType: 'failure',
  isError: true,
  content: [],
  error: 'ValueError: There is no such place',
  textResultForLlm: 'ValueError: There is no such place',
} as const;

function live(stream: Partial<Stream>, changes: Partial<Run> = {}): Shown {
  const nothing = { updates: [], dropped: 0, out: '', err: '', log: [] };
  const run = new Run(sample.sampleCall(), Date.now());
  const phase = 'running';
  const shown = withStream(noOutput, { ...nothing, ...stream }, Date.now());
  return show(LiveRun, { run: Object.assign(run, { phase, live: shown, ...changes }) });
}

const json = (value: unknown): Shown =>
  show(JsonPart, { text: JSON.stringify(value), name: 'value', label: 'value' });
const table = (rows: readonly unknown[]): Shown =>
  show(ResultTable, { text: JSON.stringify(rows), name: 'rows', label: 'Rows' });
const row = (n: number): JsonObject => ({ hour: n, place: `Oslo ${n}`, [long]: words });

const files = many(300, (n) => sample.sampleTool({ name: `file_${n % 40}:${n}_${long}` }));
const tools = (given: Given): Shown =>
  show(ToolsRail, {}, { status: { phase: 'ready', folder: 'weather-tools' }, ...given });

const problems = (given: Given): Shown =>
  show(ProblemsPanel, {}, { status: { phase: 'ready' }, ...given });
const warning = sample.sampleProblem({ severity: 'warning', code: 'no-types', hint: '' });

const call = (n: number, changes: Partial<ToolResult> = {}) =>
  sample.sampleLoggedCall({
    at: Date.now() - n * 60_000,
    call: sample.sampleCall({ id: `call-${n}`, arguments: JSON.stringify({ location: long }) }),
    result: sample.sampleResult(changes),
  });
const runs = (given: Given): Shown => show(RunsPanel, {}, given);

const versions = (...given: Parameters<typeof comparedRun>): Shown =>
  show(EvalVersions, { run: comparedRun(...given) });

const sessions = (given: Given['sessions']): Shown =>
  show(SessionsRail, ({ sessions: state }: Scene) => ({ state }), given && { sessions: given });
const stored = (count: number, title: string) =>
  Promise.resolve(
    fixture.fakeSessions(
      many(count, (n) => {
        const head = fixture.headOf(`s${n}`, { title: `${n} ${title}` });
        return new fixture.FakeSession(fixture.stateOf({ head }));
      }),
    ),
  );

const asked = fixture.askedCall('c1');
function card(changes: Partial<SessionCall>, args = asked.arguments): Shown {
  const given = { ...asked, arguments: args };
  const calls = new Map([['c1', fixture.callOf(given, { arguments: args, ...changes })]]);
  const session = new fixture.FakeSession(fixture.stateOf({ calls }));
  return show(CallCard, { asked: given, dropped: false }, { session });
}

const answered = { type: 'text', text: 'Between **9 °C** and 15 °C in Oslo.' } as const;
function answer(parts: readonly AssistantPart[], changes: Partial<Step> = {}): Shown {
  const entry = { ...fixture.step(2, parts, 't1'), ...changes };
  const isLive = entry.finish === null;
  const session = new fixture.FakeSession(
    fixture.stateOf({
      entries: [entry],
      calls: new Map(
        parts.flatMap((part) => (part.type === 'call' ? [[part.id, fixture.callOf(part)]] : [])),
      ),
    }),
    isLive ? { ...idle, phase: 'streaming', stepId: entry.stepId, parts } : idle,
  );
  return show(StepEntry, { entry }, { session });
}

function form(properties: JsonObject, text: string): Shown {
  const parameters = { type: 'object', properties, required: ['location'] };
  const draft = new Draft('{}', () => [], text);
  return show(ArgumentsEditor, { tool: { parameters }, draft, id: 'arguments' });
}

const providers = (added: Parameters<typeof fakeProviders>[0]) =>
  Promise.resolve(fixture.fakeSessions([], fakeProviders(added)));
const models = (given: Given['sessions']): Shown =>
  show(ModelsSection, ({ sessions: state }: Scene) => ({ state }), given && { sessions: given });

const opening = (status: Partial<AppStatus>): Shown => show(OpeningProgress, {}, { status });
const statusLine = (status: Partial<AppStatus>): Shown =>
  show(StatusLine, {}, { status: { phase: 'ready', python: 'ready', ...status } });
const request = { tool: 'weather_tools:today', url: 'https://api.example.com/v1/today' };
const confirm = (losses: readonly string[]): Shown =>
  show(ConfirmDialog, {
    question: 'Discard all changes?',
    losses,
    yes: 'Discard',
    onyes: () => undefined,
    onclose: () => undefined,
  });
const lazy = (load: () => Promise<unknown>): Shown =>
  show(LazyPartStatus, () => {
    const loading = new LazyPart(load);
    void loading.start();
    return { loading };
  });

export const components: Readonly<Record<string, States>> = {
  result: {
    empty: () => result({ content: [], textResultForLlm: '' }),
    partial: () => result({ stdout: 'Reading …', outputDropped: 5_000, stateLost: true }),
    error: () => result({ ...failed, stderr: 'Trying again' }),
    full: () =>
      result({
        changes: [
          { by: `guard (${long})`, what: 'arguments', before: '{"a": 1}', after: `{"${long}": 2}` },
          { what: 'arguments', before: '{"a": 1}', after: `{"a": "${words}"}` },
          { by: 'redact (Safety)', what: 'result', before: words, after: long },
        ],
        content: many(200, (n) => ({ type: 'text', text: `${n} ${long}` })),
      }),
  },
  'live run': {
    empty: () => live({}, { phase: 'queued' }),
    loading: () => live({ updates: [{ n: 0, json: '{"progress": 3, "total": 8}' }] }),
    partial: () => live({ out: 'Reading page 1\n' }),
    error: () => live({ err: 'The server is slow\n', log: [{ level: 'error', message: words }] }),
    full: () =>
      live({
        out: `${long}\n`.repeat(2_000),
        updates: many(500, (n) => ({ n, json: JSON.stringify({ n, long }) })),
      }),
  },
  'JSON value': {
    empty: () => json({}),
    partial: () => json({ a: null }),
    full: () => json(many(2_000, row)),
  },
  'table of a result': {
    empty: () => table([]),
    partial: () => table([{ a: 1 }, {}]),
    full: () => table(many(3_000, row)),
  },
  'tool list': {
    empty: () => tools({}),
    loading: () =>
      tools({ status: { phase: 'scanning', done: 3, total: 40, message: 'weather.py' } }),
    partial: () => tools({ tools: files, search: 'nothing has this name' }),
    error: () =>
      tools({
        tools: files.slice(0, 3),
        problems: [sample.sampleProblem({ tool: 'broken:rows' })],
      }),
    full: () => tools({ tools: files }),
  },
  problems: {
    empty: () => problems({ tools: files }),
    loading: () => problems({ status: { phase: 'scanning', done: 3, total: 40 } }),
    partial: () => problems({ problems: [warning] }),
    error: () => problems({ problems: [sample.sampleProblem()] }),
    full: () =>
      problems({
        problems: many(900, (n) =>
          sample.sampleProblem({
            ...(n % 3 === 0 && warning),
            file: `${n}_${long}.py`,
            message: words,
          }),
        ),
      }),
  },
  runs: {
    empty: () => runs({}),
    partial: () => runs({ calls: [call(1)] }),
    error: () => runs({ calls: [call(1, failed)] }),
    full: () => runs({ calls: many(1_500, (n) => call(n, n % 5 === 0 ? failed : {})) }),
  },
  'evaluation versions': {
    loading: () => versions({ prompts: 8 }, () => true, 'running'),
    partial: () => versions({ prompts: 2 }, () => true),
    error: () => versions({ prompts: 8 }, () => false),
    full: () => versions({ prompts: 80 }, ({ version, prompt }) => version + prompt > 20),
  },
  'session list': {
    empty: () => sessions(undefined),
    loading: () => sessions(never()),
    partial: () => sessions(stored(1, 'Weather')),
    full: () => sessions(stored(2_000, long)),
  },
  'call card': {
    empty: () => card({ result: fixture.resultOf({ content: [], textResultForLlm: '' }) }, '{}'),
    loading: () => card({ phase: 'running', result: null }),
    partial: () => card({ phase: 'asked', result: null }),
    error: () => card({ result: fixture.resultOf(failed) }),
    full: () =>
      card({ result: fixture.resultOf({ textResultForLlm: words }) }, JSON.stringify(row(1))),
  },
  ...programStates,
  answer: {
    empty: () => answer([{ type: 'reasoning', text: 'Nothing to say.' }]),
    loading: () => answer([answered], { finish: null }),
    partial: () => answer([answered], { finish: 'length' }),
    error: () =>
      answer([], { finish: 'cut', fault: { fault: 'network', message: 'No connection.' } }),
    full: () =>
      answer([
        { type: 'text', text: `# ${long}\n\n${words}\n\n\`\`\`\n${long}\n\`\`\`` },
        ...many(120, (n) => fixture.askedCall(`c${n}`)),
      ]),
  },
  arguments: {
    empty: () => form({}, '{}'),
    partial: () => form({ location: { type: 'string' }, days: { type: 'integer' } }, '{"days": 2}'),
    error: () => form({ location: { type: 'string' } }, '{"location": '),
    full: () =>
      form(
        Object.fromEntries(
          many(60, (n) => [
            `${n}_${long}`,
            { type: n % 2 ? 'string' : 'boolean', description: words },
          ]),
        ),
        '{}',
      ),
  },
  network: {
    empty: () => show(NetworkSection, {}),
    partial: () => show(NetworkSection, {}, { policy: (policy) => policy.grant(site(1), 'visit') }),
    error: () => show(NetworkSection, {}, { policy: (policy) => policy.grant(site(1), 'never') }),
    full: () =>
      show(
        NetworkSection,
        {},
        {
          policy: (policy) => many(80, (n) => policy.grant(site(n), n % 4 ? 'always' : 'never')),
        },
      ),
  },
  secrets: {
    empty: () => show(SecretsSection, {}),
    full: () =>
      show(
        SecretsSection,
        {},
        {
          policy: (policy) =>
            many(80, (n) => policy.addSecret({ origin: site(n), header: `X-${n}`, value: 'key' })),
        },
      ),
  },
  requests: {
    empty: () => show(RequestsSection, {}),
    loading: () => show(RequestsSection, {}, { requests: [request] }),
    partial: () =>
      show(RequestsSection, {}, { requests: [{ ...request, status: 206, durationMs: 9 }] }),
    error: () =>
      show(
        RequestsSection,
        {},
        { requests: [{ ...request, fault: 'not allowed', durationMs: 0 }] },
      ),
    full: () =>
      show(
        RequestsSection,
        {},
        {
          requests: many(120, (n) => ({
            ...request,
            tool: `${n}_${long}:${long}`,
            url: `${site(n)}/${long.repeat(5)}`,
            ...(n % 2 ? { status: 200 } : { fault: `${n} ${words}` }),
            durationMs: n,
          })),
        },
      ),
  },
  providers: {
    empty: () => models(providers([])),
    loading: () => models(never()),
    partial: () => models(providers([{ ...config, key: 'none', models: [] }])),
    error: () => models(Promise.reject(new Error('The database is blocked.'))),
    full: () =>
      models(providers(many(30, (n) => ({ ...config, id: `p${n}`, name: `${n} ${long}` })))),
  },
  'opening a folder': {
    loading: () => opening({ phase: 'starting', python: 'starting', pythonStep: 'Loading Python' }),
    partial: () => opening({ phase: 'scanning', done: 300, total: 4_000, message: `${long}.py` }),
    error: () =>
      show(
        OpeningFailure,
        {},
        {
          status: { phase: 'failed', message: 'The folder is gone.', hint: 'Choose it again.' },
        },
      ),
    full: () =>
      show(OpeningFailure, {}, { status: { phase: 'failed', message: long, hint: words } }),
  },
  progress: {
    empty: () => show(Progress, { label: 'Reading', done: 0, total: 8 }),
    loading: () => show(Progress, { label: 'Reading', done: 0, total: 0 }),
    partial: () => show(Progress, { label: 'Reading', done: 3, total: 8 }),
    full: () => show(Progress, { label: long, done: 8, total: 8 }),
  },
  'lazy part': {
    loading: () => lazy(never),
    error: () => lazy(() => Promise.reject(new Error('offline'))),
  },
  'confirm dialog': {
    partial: () => confirm(['One change.']),
    full: () => confirm(many(40, (n) => `${n} ${long}`)),
  },
  'status line': {
    empty: () => statusLine({ phase: 'none', python: 'off' }),
    loading: () => statusLine({ python: 'starting', pythonStep: 'Loading Python' }),
    partial: () => statusLine({}),
    error: () =>
      statusLine({ python: 'failed', pythonStep: 'No memory', storage: 'QuotaExceededError' }),
    full: () => statusLine({ python: 'failed', pythonStep: words, storage: long, api: 'host' }),
  },
};
