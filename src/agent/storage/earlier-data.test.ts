/**
 * Data that version 0.1 has stored in a browser opens. earlier-data.fixture.json is a database that the code of that version (database
 * version 10) has written: calls, sessions with events of every kind, runs, evaluations, a provider and a policy.
 */

import 'fake-indexeddb/auto';
import { readFile } from 'node:fs/promises';
import { openDB } from 'idb';
import { expect, test } from 'vitest';
import { evaluation as isEvaluation, plan as isPlan } from 'virtual:cloche/page-validators';
import { FakeLocks } from '../../runtime/async/locks.fixture.ts';
import { Policies } from '../../runtime/grants/policies.ts';
import { databaseName } from '../../runtime/protocol/listing.ts';
import type { LoggedCall } from '../../runtime/spec/call.ts';
import { defaultLimits } from '../../runtime/spec/limits.ts';
import { openStorage } from '../../runtime/storage/call-store.ts';
import {
  openFolderStore,
  openPolicyStore,
  openWorkspaceStore,
} from '../../runtime/storage/folder-stores.ts';
import { EvalRuns } from '../evals/eval-runs.ts';
import { readStoredProvider, readSecrets } from '../providers/stored-provider.ts';
import { PlanRuns } from '../runner/plan-runs.ts';
import { Sessions } from '../session/sessions.ts';
import { openProviderStore } from './provider-store.ts';
import { openRunStore } from './run-store.ts';
import { openSessionPages } from './session-pages.ts';
import { openSessionStore } from './session-store.ts';

interface EarlierStore {
  readonly store: string;
  readonly keyPath: string | null;
  readonly records: readonly { readonly key: string | [string, number]; readonly value: unknown }[];
}

const { version, stores } = JSON.parse(
  await readFile(new URL('./earlier-data.fixture.json', import.meta.url), 'utf8'),
) as { readonly version: number; readonly stores: readonly EarlierStore[] };

const base = '/earlier/';
const troubles: unknown[] = [];
const report = (thrown: unknown): void => void troubles.push(thrown);
const ignore = (): void => undefined;

/** Creates the database as that version did. */
async function writeDatabase(): Promise<void> {
  const database = await openDB(databaseName(base), version, {
    upgrade: (made) => {
      for (const { store, keyPath } of stores) {
        const created = made.createObjectStore(store, { keyPath });
        if (store === 'calls') created.createIndex('at', 'at');
      }
    },
  });
  for (const { store, keyPath, records } of stores)
    for (const { key, value } of records)
      await database.put(store, value, keyPath === null ? key : undefined);
  database.close();
}

/** Number of events of each run or session in a store. */
function countEvents(name: string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { key } of stores.find(({ store }) => store === name)?.records ?? []) {
    const id = typeof key === 'string' ? key : key[0];
    counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

test('calls, sessions, runs, evaluations, providers and policies are read without a loss', async () => {
  await writeDatabase();
  const { database, calls } = openStorage(base, false);

  const logged: LoggedCall[] = [];
  await calls.load((call) => logged.push(call));
  // That version called the user's calls those of a person.
  expect(logged.map(({ id, call }) => [id, call.caller])).toEqual([
    ['call-1', 'user'],
    ['call-2', 'user'],
    ['call-3', 'http'],
  ]);

  const sessions = new Sessions({
    store: openSessionStore(database),
    pages: openSessionPages(new FakeLocks(), base),
    limits: defaultLimits,
    providers: { nameOf: (id) => id, idOf: (name) => name },
    now: () => 0,
    newId: () => 'new',
    after: ignore,
    report,
    onStorageFailure: report,
  });
  await sessions.loaded;
  const events = await Promise.all(sessions.list().map(({ id }) => sessions.events(id)));
  expect(
    sessions
      .list()
      .map(({ id }, at) => [id, events[at]?.length])
      .sort(),
  ).toEqual(Object.entries(countEvents('events')).sort());
  expect(sessions.list().map(({ title, titled }) => [title, titled])).toContainEqual([
    'The weather',
    'by-user',
  ]);

  const ofRuns = {
    hold: () => Promise.resolve(null),
    newId: () => 'new',
    now: () => 0,
    announce: ignore,
    observeOthers: ignore,
    removeSession: ignore,
    after: () => ignore,
    report,
    onStorageFailure: report,
  };
  const agentsOf = (): never => {
    throw new Error('No run goes on.');
  };
  const runs = new PlanRuns({ ...ofRuns, store: openRunStore(database), agentsOf, isPlan });
  await runs.loaded;
  expect(Object.fromEntries(runs.list().map(({ id }) => [id, runs.events(id).length]))).toEqual(
    countEvents('runs'),
  );
  expect(
    runs
      .list()
      .map(({ phase }) => phase)
      .sort(),
  ).toEqual(['done', 'stuck']);

  const evals = new EvalRuns({
    ...ofRuns,
    store: openRunStore(database, 'evals'),
    openTrials: agentsOf,
    isEvaluation,
  });
  await evals.loaded;
  expect(evals.damaged()).toEqual([]);
  expect(evals.list().map(({ phase, trials }) => [phase, trials.size])).toEqual([['done', 4]]);

  const providers = openProviderStore(database, base);
  const [provider] = (await providers.list()).map((one) => readStoredProvider(one, 100));
  expect(provider).toMatchObject({ name: 'Mine', key: 'kept', models: [{ label: 'small' }] });
  expect(readSecrets(await providers.secrets('mine'))).toMatchObject({
    key: 'sk-test',
    headers: { 'X-Team': 'red' },
  });

  const policies = new Policies({
    store: openPolicyStore(database, base),
    isLocked: false,
    onStorageFailure: report,
    report,
  });
  policies.follow('folder', 'folder-1');
  await policies.loaded();
  expect(policies.current.get()).toMatchObject({
    grants: [
      { origin: 'https://api.example.org', allowed: true },
      { origin: 'https://denied.example.org', allowed: false },
    ],
    secrets: [{ origin: 'https://api.example.org', header: 'Authorization' }],
    tools: [{ tool: 'weather:today', rule: 'always' }],
    packages: { decision: 'allow' },
  });
  expect((await openFolderStore(database).all()).map(({ name }) => name)).toEqual(['tools']);
  expect((await openWorkspaceStore(database, base).all()).map(({ id }) => id)).toEqual([
    'folder-1',
  ]);
  expect(troubles).toEqual([]);
});
