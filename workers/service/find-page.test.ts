import { expect, test } from 'vitest';
import { AppPage } from './app-page.ts';
import { findPage, type Found } from './find-page.ts';
import { answerWith, arrived, FakeSurroundings } from './surroundings.fixture.ts';

/** Which page was found: it is the one that gets a request. */
async function nameOf(found: Found, around: FakeSurroundings): Promise<string | undefined> {
  if (!(found instanceof AppPage)) return found;
  found.ask({ method: 'GET', path: 'tools', headers: [], body: null }, []);
  await arrived();
  return around.pages.find((page) => page.received.some(({ type }) => type === 'request'))?.lock;
}

test('without an app page there is none, at once', async () => {
  const around = new FakeSurroundings();
  around.others.push({ postMessage: () => {} });
  expect(await findPage(around)).toBe('no-page');
  expect(around.timers).toBe(0);
});

test('the host is found among others, and these are let go of', async () => {
  const around = new FakeSurroundings();
  around.others.push({ postMessage: () => {} });
  const pages = (['idle', 'host', 'standby', 'mute'] as const).map((role) => around.addPage(role));
  expect(await nameOf(await findPage(around), around)).toBe(pages[1]?.lock);
  expect(pages[0]?.asked).toEqual([
    { type: 'cloche-who', base: '/app/', lock: 'cloche-worker:/app/:w' },
  ]);
  expect(pages[0]?.received).toEqual([{ type: 'bye' }]);
  expect(around.stopped).not.toContain(pages[1]?.lock);
  expect(around.stopped).toContain(pages[3]?.lock);
});

test('where nobody has a folder open, any page will do', async () => {
  const around = new FakeSurroundings();
  around.addPage('idle', answerWith(''));
  around.addPage('idle', answerWith(''));
  expect(await nameOf(await findPage(around), around)).toMatch(/^cloche-page/);
});

test('an idle page is not taken before the others have answered', async () => {
  const around = new FakeSurroundings();
  around.addPage('idle');
  const slow = around.addPage('mute');
  const found = findPage(around);
  await around.pass(500);
  slow.become('host');
  expect(await nameOf(await found, around)).toBe(slow.lock);
});

test('a page on standby is waited for while the host goes', async () => {
  const around = new FakeSurroundings();
  const standby = around.addPage('standby');
  around.addPage('idle');
  const found = findPage(around);
  await around.pass(500);
  standby.become('host');
  expect(await nameOf(await found, around)).toBe(standby.lock);
});

test('a page that dies during the search is not waited for', async () => {
  const around = new FakeSurroundings();
  const dying = around.addPage('mute');
  const found = findPage(around);
  await arrived();
  dying.die();
  expect(await found).toBe('no-page');
});

test('a standby that dies leaves the idle ones', async () => {
  const around = new FakeSurroundings();
  const standby = around.addPage('standby');
  const idle = around.addPage('idle');
  const found = findPage(around);
  await arrived();
  standby.die();
  expect(await nameOf(await found, around)).toBe(idle.lock);
});

test('pages that do not answer are silent after ten seconds', async () => {
  const around = new FakeSurroundings();
  const mute = around.addPage('mute');
  const found = findPage(around);
  await around.pass(9_999);
  await around.pass(1);
  expect(await found).toBe('silent');
  expect(around.stopped).toEqual([mute.lock]);
});

test('an answer with a foreign lock is not believed', async () => {
  const around = new FakeSurroundings();
  around.addPage('mute');
  around.others.push({
    postMessage(_message, [port]) {
      if (port instanceof MessagePort)
        port.postMessage({ type: 'role', role: 'host', lock: 'another:/app/:1' });
    },
  });
  const found = findPage(around);
  await around.pass(10_000);
  expect(await found).toBe('silent');
});
