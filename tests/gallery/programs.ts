/** Programs in the gallery: the calls below a card, the switch that allows programs, and the console. */

import ProgramsSwitch from '../../src/app/ui/sessions/composer/ProgramsSwitch.svelte';
import * as fixture from '../../src/app/ui/sessions/sessions.fixture.ts';
import CallCard from '../../src/app/ui/sessions/transcript/CallCard.svelte';
import ConsolePanel from '../../src/app/ui/tools/console/ConsolePanel.svelte';
import { noOutput, Run } from '../../src/app/ui/tools/runs/runs.svelte.ts';
import type { NestedCall, SessionCall } from '../../src/agent/session/session-state.ts';
import type { ToolResult } from '../../src/runtime/spec/result.ts';
import * as sample from '../support/ui-samples.ts';
import type { Scene } from './scene.ts';
import { long, many, show, type Shown, type States, words } from './shown.ts';

const code = `cities = ["Oslo", "Bergen", "Tromsø"]
days = await asyncio.gather(*[weather_tools.get_temperatures(location=city) for city in cities])
max(day["max_c"] for day in days)`;

/** @param result null while the call runs */
function nested(n: number, result: Partial<ToolResult> | null = {}, args?: string): NestedCall {
  return {
    id: `nested-${n}`,
    tool: n % 3 === 2 ? 'maps:distance_between' : 'weather_tools:get_temperatures',
    at: Date.now(),
    arguments: args ?? JSON.stringify({ location: `City ${n}` }),
    result: result && fixture.resultOf({ durationMs: 12 + n * 37, ...result }),
  };
}
const failed = {
  isError: true,
  resultType: 'failure',
  error: 'ValueError: There is no such place',
  textResultForLlm: 'ValueError: There is no such place',
} as const;

function program(
  calls: readonly NestedCall[],
  changes: Partial<SessionCall> = {},
  unfolded: readonly string[] = [],
): Shown {
  const asked = fixture.askedCall('program', {
    wire: 'run_python',
    tool: 'run_python',
    arguments: JSON.stringify({ code }),
  });
  const call = fixture.callOf(asked, { nested: calls, ...changes });
  const session = new fixture.FakeSession(fixture.stateOf({ calls: new Map([['program', call]]) }));
  const running = [asked, ...calls.filter(({ result }) => result === null)].map(({ id }, n) => {
    const run = new Run(sample.sampleCall({ id }), Date.now() - 1_000 * n);
    const phase = n % 4 === 3 ? 'queued' : 'running';
    const out = n % 2 === 1 ? `Reading page ${n} of 12\n` : '';
    return Object.assign(run, { phase, live: { ...noOutput, out } });
  });
  return show(
    CallCard,
    ({ session: open }: Scene) => {
      for (const part of unfolded) open.toggle(part);
      return { asked, dropped: false };
    },
    { session, running: call.result === null ? running : [] },
  );
}

function programsSwitch(selected: number, locked = false): Shown {
  const session = new fixture.FakeSession(
    fixture.stateOf(locked ? {} : { selection: null }),
    undefined,
    many(selected, (n) => `weather_tools:tool_${n}`),
  );
  session.selection.programs = selected > 2;
  return show(ProgramsSwitch, {}, { session });
}

function consoleOf(text: string, runs: readonly Run[] = []): Shown {
  const control = Promise.resolve(fixture.fakeSessions([]));
  return show(
    ConsolePanel,
    ({ ui }: Scene) => {
      const { console: shown } = ui.late;
      shown.text = text;
      shown.runs = runs.map((run) => ({ run, code: text }));
      return {};
    },
    { sessions: control },
  );
}
function ran(result: Partial<ToolResult> | null): Run {
  const run = new Run(sample.sampleCall({ id: `program-${JSON.stringify(result)}` }), Date.now());
  const live = { ...noOutput, out: 'Reading Oslo\nReading Bergen\n' };
  if (result === null) return Object.assign(run, { phase: 'running', live });
  return Object.assign(run, { phase: 'ended', result: sample.sampleResult(result) });
}

export const programStates: Readonly<Record<string, States>> = {
  'program calls': {
    empty: () => program([]),
    loading: () =>
      program([nested(0), nested(1, failed), ...many(4, (n) => nested(n + 2, null))], {
        phase: 'running',
        result: null,
      }),
    partial: () =>
      program(
        many(3, (n) => nested(n)),
        {},
        ['call nested-1', 'call program'],
      ),
    error: () =>
      program([nested(0), nested(1, failed)], { result: fixture.resultOf(failed) }, [
        'call nested-1',
      ]),
    full: () =>
      program(
        many(120, (n) =>
          nested(n, n % 7 === 3 ? failed : { textResultForLlm: words }, `{"${long}": 1}`),
        ),
      ),
  },
  'programs switch': {
    empty: () => programsSwitch(1),
    partial: () => programsSwitch(12),
    full: () => programsSwitch(12, true),
  },
  'program console': {
    empty: () => consoleOf(''),
    loading: () => consoleOf(code, [ran(null)]),
    partial: () => consoleOf(code, [ran({ stdout: 'Reading Oslo\n' }), ran({})]),
    error: () => consoleOf('1 / 0', [ran({ ...failed, content: [] })]),
    full: () =>
      consoleOf(
        `${code}\n`.repeat(40),
        many(20, (n) => ran({ textResultForLlm: `${n} ${long}` })),
      ),
  },
};
