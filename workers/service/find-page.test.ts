import { expect, test } from 'vitest';
import { AppPage } from './app-page.ts';
import { PageFinder, type Found } from './find-page.ts';
import { answerWith, arrived, FakeServiceDeps } from './service-deps.fixture.ts';

/** The lock of the found page, which is the one that receives a request. */
async function nameOf(found: Found, deps: FakeServiceDeps): Promise<string | undefined> {
  if (!(found instanceof AppPage)) return typeof found === 'string' ? found : 'no folder';
  found.ask({ method: 'GET', path: 'tools', headers: [], body: null }, []);
  await arrived();
  return deps.pages.find((page) => page.received.some(({ type }) => type === 'request'))?.lock;
}

test('a search without app pages ends at once', async () => {
  const deps = new FakeServiceDeps();
  deps.others.push({ postMessage: () => {} });
  expect(await new PageFinder(deps).find(null)).toBe('no-page');
  expect(deps.timers).toBe(0);
});

test('the host is found, and the channels of other pages are closed', async () => {
  const deps = new FakeServiceDeps();
  deps.others.push({ postMessage: () => {} });
  const pages = (['idle', 'host', 'standby', 'mute'] as const).map((role) => deps.addPage(role));
  const found = new PageFinder(deps).find(null);
  await deps.pass(300);
  expect(await nameOf(await found, deps)).toBe(pages[1]?.lock);
  expect(pages[0]?.asked).toEqual([
    { type: 'cloche-who', base: '/app/', lock: 'cloche-worker:/app/:w' },
  ]);
  expect(pages[0]?.received).toEqual([{ type: 'bye' }]);
  expect(deps.stopped).not.toContain(pages[1]?.lock);
  expect(deps.stopped).toContain(pages[3]?.lock);
});

test('any page is found if none has a folder open', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('idle', answerWith(''));
  deps.addPage('idle', answerWith(''));
  expect(await nameOf(await new PageFinder(deps).find(null), deps)).toMatch(/^cloche-page/);
});

test('an idle page is chosen only after the others have answered', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('idle');
  const slow = deps.addPage('mute');
  const found = new PageFinder(deps).find(null);
  await deps.pass(500);
  slow.become('host');
  expect(await nameOf(await found, deps)).toBe(slow.lock);
});

test('a search waits for a standby page to become host', async () => {
  const deps = new FakeServiceDeps();
  const standby = deps.addPage('standby');
  deps.addPage('idle');
  const found = new PageFinder(deps).find(null);
  await deps.pass(500);
  standby.become('host');
  expect(await nameOf(await found, deps)).toBe(standby.lock);
});

test('a search does not wait for a page that closes', async () => {
  const deps = new FakeServiceDeps();
  const dying = deps.addPage('mute');
  const found = new PageFinder(deps).find(null);
  await arrived();
  dying.die();
  expect(await found).toBe('no-page');
});

test('an idle page is found if the standby page closes', async () => {
  const deps = new FakeServiceDeps();
  const standby = deps.addPage('standby');
  const idle = deps.addPage('idle');
  const found = new PageFinder(deps).find(null);
  await arrived();
  standby.die();
  expect(await nameOf(await found, deps)).toBe(idle.lock);
});

test('a search ends as silent if no page answers within ten seconds', async () => {
  const deps = new FakeServiceDeps();
  const mute = deps.addPage('mute');
  const found = new PageFinder(deps).find(null);
  await deps.pass(9_999);
  await deps.pass(1);
  expect(await found).toBe('silent');
  expect(deps.stopped).toEqual([mute.lock]);
});

test('an answer with a foreign lock is ignored', async () => {
  const deps = new FakeServiceDeps();
  deps.addPage('mute');
  deps.others.push({
    postMessage(_message, [port]) {
      if (port instanceof MessagePort)
        port.postMessage({ type: 'role', role: 'host', lock: 'another:/app/:1' });
    },
  });
  const found = new PageFinder(deps).find(null);
  await deps.pass(10_000);
  expect(await found).toBe('silent');
});
