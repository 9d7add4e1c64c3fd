/** The bytes of wheels: where they come from, and when they are accepted. */

import { expect, test } from 'vitest';
import { fakeFile } from '../folder/folder.fixture.ts';
import { FakePackages, fileUrl, never, sha256, textOf, unreachable } from './packages.fixture.ts';
import { wheelContent, type WheelContentDeps, type WantedWheel } from './wheel-content.ts';

const filename = 'x-1-py3-none-any.whl';
const right = sha256(textOf(filename));
const other = sha256('something else');
const ofIndex: WantedWheel = { filename, from: 'index', url: fileUrl(filename), sha256: right };
const ofSite: WantedWheel = { filename, from: 'site', url: `wheels/${filename}`, sha256: right };

/** Returns the text and the hash. */
async function had(
  fake: FakePackages,
  wheel: WantedWheel,
  more: Partial<Pick<WheelContentDeps, 'mayFetch'>> = {},
  file = undefined as ReturnType<typeof fakeFile> | undefined,
) {
  const bytes: number[] = [];
  const deps = fake.deps(more);
  const got = await wheelContent(never, deps, wheel, file, (received) => bytes.push(received));
  return [await got.content.text(), got.sha256, bytes.length];
}

test.each(['index', 'distribution'] as const)(
  'a wheel of the %s is downloaded, checked and stored',
  async (from) => {
    const fake = new FakePackages();
    expect(await had(fake, { ...ofIndex, from })).toEqual([textOf(filename), right, 1]);
    expect(fake.fetched).toEqual([fileUrl(filename)]);
    expect(await fake.wheels.get(right)?.text()).toBe(textOf(filename));
  },
);

test('a stored wheel is not downloaded again, with or without permission', async () => {
  const fake = new FakePackages();
  fake.wheels.set(right, new Blob(['kept']));
  expect(await had(fake, ofIndex, { mayFetch: false })).toEqual(['kept', right, 0]);
  expect(await had(fake, ofIndex)).toEqual(['kept', right, 0]);
  expect(fake.fetched).toEqual([]);
});

test('nothing is downloaded without permission', async () => {
  const fake = new FakePackages();
  for (const wheel of [ofIndex, { ...ofIndex, sha256: null }])
    await expect(had(fake, wheel, { mayFetch: false })).rejects.toMatchObject({
      code: 'package-unreachable',
      message: expect.stringContaining('may not download packages') as string,
    });
  expect(fake.fetched).toEqual([]);
});

test.each([
  ['index', 'the index'],
  ['distribution', 'its list'],
] as const)('content other than what the %s describes is not used or stored', async (from, who) => {
  const fake = new FakePackages();
  await expect(had(fake, { ...ofIndex, from, sha256: other })).rejects.toMatchObject({
    code: 'package-integrity',
    message: `${filename} is not the file that ${who} describes: its SHA-256 is ${right.slice(0, 12)}…, not ${other.slice(0, 12)}…`,
  });
  expect(fake.wheels.size).toBe(0);
});

test('without a known hash, any content is accepted', async () => {
  const fake = new FakePackages();
  expect(await had(fake, { ...ofIndex, sha256: null })).toEqual([textOf(filename), right, 1]);
  expect([...fake.wheels.keys()]).toEqual([right]);
});

test('a wheel that the index no longer has, and a failing network, are reported', async () => {
  const fake = new FakePackages();
  fake.at.set(fileUrl(filename), null);
  await expect(had(fake, ofIndex)).rejects.toMatchObject({
    code: 'package-unreachable',
    message: `https://files.example no longer has ${filename}`,
  });
  fake.at.set(fileUrl(filename), unreachable());
  await expect(had(fake, ofIndex)).rejects.toMatchObject({ message: 'it cannot be reached' });
});

test('a failure of storage is only reported', async () => {
  const fake = new FakePackages();
  fake.storage = new Error('full');
  expect(await had(fake, ofIndex)).toEqual([textOf(filename), right, 1]);
  await Promise.resolve();
  expect(fake.failures).toEqual([fake.storage]);
});

test('an unlisted wheel is not requested', async () => {
  const fake = new FakePackages();
  for (const wheel of [ofIndex, ofSite])
    await expect(had(fake, { ...wheel, url: '', sha256: null })).rejects.toMatchObject({
      code: 'package-broken',
      message: `${filename} was chosen, but is not listed`,
    });
  expect(fake.fetched).toEqual([]);
});

test('a wheel of this site needs no permission, and is checked too', async () => {
  const fake = new FakePackages();
  expect(await had(fake, ofSite, { mayFetch: false })).toEqual([textOf(filename), right, 0]);
  await expect(had(fake, { ...ofSite, sha256: other })).rejects.toMatchObject({
    code: 'package-integrity',
    message: expect.stringContaining('its list') as string,
  });
  fake.at.set(`https://cloche.example/wheels/${filename}`, null);
  await expect(had(fake, ofSite)).rejects.toMatchObject({
    code: 'package-unreachable',
    message: `${filename}, which is part of this site, cannot be loaded`,
  });
});

test('a wheel of the folder has the content of its file', async () => {
  const fake = new FakePackages();
  const wheel: WantedWheel = { filename, from: 'folder', url: '', sha256: other };
  const file = fakeFile(`wheels/${filename}`, 'mine');
  expect(await had(fake, wheel, {}, file)).toEqual(['mine', sha256('mine'), 0]);
  await expect(had(fake, wheel)).rejects.toMatchObject({
    message: `${filename} is no longer in wheels/`,
  });
});

test('an abort rejects with the signal’s reason', async () => {
  const reason = new Error('another folder');
  const fake = new FakePackages();
  for (const wheel of [ofIndex, ofSite])
    await expect(
      wheelContent(AbortSignal.abort(reason), fake.deps(), wheel, undefined, () => undefined),
    ).rejects.toBe(reason);
});
