/** Sessions stay in their columns while the address is still that of new ones. */

import { expect, test } from 'vitest';
import type { ModelRef } from '../../../../runtime/spec/model.ts';
import type { SessionHead } from '../../../../runtime/spec/session.ts';
import type { FakeSession } from '../sessions.fixture.ts';
import { fakeSessions, headOf } from '../sessions.fixture.ts';
import { config, gpt } from '../providers.fixture.ts';
import { SideSessions, type SideDeps } from './side-sessions.svelte.ts';

function twoNew(heads: readonly SessionHead[] = [], provider = config) {
  const released: string[] = [];
  const { liveSessions } = fakeSessions([]);
  const deps = {
    liveSessions: { ...liveSessions, release: (id: string) => released.push(id) },
    events: () => Promise.resolve([]),
    ui: { announcer: { say: () => undefined } },
    playbackHasEnded: () => false,
    models: { list: [provider] },
    list: { all: heads },
  } as unknown as SideDeps;
  const side = new SideSessions(deps);
  side.follow(['new', 'new']);
  const begin = (index: number): void => {
    const session = side.open[index]?.control as unknown as FakeSession;
    session.set({ state: { selection: { tools: [], names: [] } } });
  };
  const shown = () => side.sides.map(({ session }) => session?.id ?? null);
  const useModel = (index: number, model: ModelRef): void => {
    (side.open[index]?.control as unknown as FakeSession).useModel(model);
  };
  const models = () => side.open.map(({ state }) => state.head.model?.model ?? null);
  return { side, released, begin, shown, useModel, models };
}

test('a new session that begins a moment after the others keeps its column', () => {
  const { side, released, begin, shown } = twoNew();
  const [first, second] = shown();
  begin(0);
  expect(side.ids).toEqual([first, 'new']);
  side.follow(side.ids);
  expect(shown()).toEqual([first, second]);
  begin(1);
  side.follow(side.ids);
  expect([shown(), side.ids, released]).toEqual([[first, second], [first, second], []]);
});

test('a session that begins just before the address of the others is followed keeps its column', () => {
  const { side, released, begin, shown } = twoNew();
  const [first, second] = shown();
  begin(0);
  const { ids } = side;
  begin(1);
  side.follow(ids);
  expect([shown(), side.ids, released]).toEqual([[first, second], [first, second], []]);
});

test('sessions that have begun are not shown as new ones', () => {
  const { side, begin, shown } = twoNew();
  const before = shown();
  begin(0);
  begin(1);
  side.follow(side.ids);
  side.follow(['new', 'new']);
  expect(shown().filter((id) => before.includes(id))).toEqual([]);
  // A column that is added to sessions that have begun is empty until the user chooses a session.
  begin(0);
  begin(1);
  side.follow(side.ids);
  side.follow([...side.ids, 'new']);
  expect(shown()[2]).toBe(null);
});

const mini = { provider: 'p1', model: 'gpt-x-mini' };

test('models are compared with each other, not with themselves', () => {
  const { side, useModel, models } = twoNew();
  // The default model is not known at first.
  side.chooseDifferentModels();
  expect(models()).toEqual([null, null]);
  useModel(0, gpt);
  useModel(1, gpt);
  side.chooseDifferentModels();
  expect(models()).toEqual(['gpt-x', 'gpt-x-mini']);
  // The user's choice is kept, even if it is the same model twice.
  useModel(1, gpt);
  side.chooseDifferentModels();
  expect(models()).toEqual(['gpt-x', 'gpt-x']);
  useModel(0, mini);
  side.chooseDifferentModels();
  expect(models()).toEqual(['gpt-x-mini', 'gpt-x']);
  // There is no third model for a third column.
  side.follow(['new', 'new', 'new']);
  useModel(2, gpt);
  side.chooseDifferentModels();
  expect(models()).toEqual(['gpt-x-mini', 'gpt-x', 'gpt-x']);
});

test('the model that was used last is compared first', () => {
  const other = { ...gpt, model: 'gpt-y' };
  const added = config.models.slice(0, 1).map((info) => ({ ...info, ref: other }));
  const heads = [gpt, { ...gpt, model: 'gone' }, other].map((model, n) =>
    headOf(`s${n}`, { model }),
  );
  const provider = { ...config, models: [...config.models, ...added] };
  const { side, useModel, models } = twoNew(heads, provider);
  useModel(0, gpt);
  useModel(1, gpt);
  side.chooseDifferentModels();
  expect(models()).toEqual(['gpt-x', 'gpt-y']);
});
