import { expect, test } from 'vitest';
import type { ListingRecord } from '../../runtime/protocol/listing.ts';
import { FakeApiDeps } from './api-deps.fixture.ts';
import { createListingKeeper, type ListingKeeper } from './listing.ts';

interface SetUp {
  deps: FakeApiDeps;
  keeper: ListingKeeper;
  saved: ListingRecord[];
  failures: unknown[];
  host: { is: boolean };
  fail: { with?: Error };
  calm(): Promise<void>;
}

function setUp(): SetUp {
  const deps = new FakeApiDeps();
  const saved: ListingRecord[] = [];
  const failures: unknown[] = [];
  const host = { is: true };
  const fail: { with?: Error } = {};
  const keeper = createListingKeeper({
    listing: () => deps.listing(),
    isHost: () => host.is,
    after: (ms, then) => deps.after(ms, then),
    save(record) {
      if (fail.with !== undefined) return Promise.reject(fail.with);
      saved.push(record);
      return Promise.resolve();
    },
    onFailure: (error) => failures.push(error),
  });
  const calm = async (): Promise<void> => {
    deps.pass(1_000);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return { deps, keeper, saved, failures, host, fail, calm };
}

test('changes in quick succession are saved once, with the body of api/tools', async () => {
  const { deps, keeper, saved, calm } = setUp();
  keeper.changed();
  deps.revision = 'r2';
  keeper.changed();
  await calm();
  expect(saved.map(({ id, etag }) => [id, etag])).toEqual([['latest', '"ready.r2.tools.f1"']]);
  expect(JSON.parse(saved[0]?.body ?? '')).toMatchObject({
    state: 'ready',
    revision: 'r2',
    tools: [{ name: 'a:one' }, { name: 'a:two' }],
  });
});

test('nothing is saved during a scan, or by a page that is not the host', async () => {
  const { deps, keeper, saved, host, calm } = setUp();
  deps.state = 'scanning';
  keeper.changed();
  await calm();
  deps.state = 'ready';
  host.is = false;
  keeper.changed();
  await calm();
  expect(saved).toEqual([]);
});

test('a failed save is reported, and the next change is saved', async () => {
  const { keeper, saved, failures, fail, calm } = setUp();
  fail.with = new Error('full');
  keeper.changed();
  await calm();
  expect(failures).toEqual([fail.with]);
  delete fail.with;
  keeper.changed();
  await calm();
  expect(saved).toHaveLength(1);
});

test('nothing is saved after disposal', async () => {
  const { keeper, saved, calm } = setUp();
  keeper.changed();
  keeper.dispose();
  await calm();
  expect(saved).toEqual([]);
});
