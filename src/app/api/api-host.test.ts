import { afterEach, expect, test, vi } from 'vitest';
import {
  hostsChanged,
  parsePageMessage,
  stayAwake,
  type PageMessage,
  type Role,
} from '../../runtime/protocol/service.ts';
import { ApiHost } from './api-host.ts';
import { FakeLocks } from '../../runtime/async/locks.fixture.ts';

const ports: MessagePort[] = [];
afterEach(() => ports.splice(0).forEach((port) => port.close()));

const tools = { id: 'f1', name: 'tools' };

interface Page {
  host: ApiHost;
  roles: Role[];
  takeovers: number;
  /** The page's clock. */
  clock: { at: number };
  /** Messages to the service worker outside its channels. */
  posted: unknown[];
  answer: () => Promise<Response>;
  /**
   * Asks as a service worker who the page is.
   *
   * @returns the answers
   */
  ask(base?: string, lock?: string): PageMessage[];
}

function openPage(locks: FakeLocks, id: string): Page {
  const active = { postMessage: (message: unknown) => page.posted.push(message) };
  const serviceWorkers = Object.assign(new EventTarget(), {
    startMessages: () => {},
    ready: Promise.resolve({ active } as unknown as ServiceWorkerRegistration),
  });
  const clock = { at: 1 };
  const page: Page = {
    roles: [],
    takeovers: 0,
    clock,
    posted: [],
    answer: () => Promise.resolve(new Response(id)),
    host: new ApiHost({
      base: new URL('https://cloche.test/app/'),
      locks,
      serviceWorkers,
      handle: () => page.answer(),
      newId: () => id,
      now: () => clock.at,
      onRole: (role) => page.roles.push(role),
      onTakeover: () => (page.takeovers += 1),
    }),
    ask(base = '/app/', lock = 'cloche-worker:/app/:w') {
      const { port1, port2 } = new MessageChannel();
      ports.push(port1, port2);
      const heard: PageMessage[] = [];
      port1.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        const message = parsePageMessage(data);
        if (message !== undefined) heard.push(message);
      });
      port1.start();
      const data = { type: 'cloche-who', base, lock };
      serviceWorkers.dispatchEvent(Object.assign(new Event('message'), { data, ports: [port2] }));
      return heard;
    },
  };
  return page;
}

async function settled(): Promise<void> {
  // Counts turns of the event loop, however long each takes.
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setTimeout(resolve, 0));
}

/** Two pages with a claim: the first hosts, the second is a standby. */
async function twoPages(): Promise<{ locks: FakeLocks; first: Page; second: Page }> {
  const locks = new FakeLocks();
  const first = openPage(locks, '1');
  const second = openPage(locks, '2');
  first.host.claim(tools);
  await settled();
  second.host.claim(tools);
  await settled();
  return { locks, first, second };
}

/** A service worker that lives until it is ended. */
function liveWorker(locks: FakeLocks): () => void {
  let end = (): void => {};
  void locks.request(
    'cloche-worker:/app/:w',
    () => new Promise<void>((resolve) => (end = resolve)),
  );
  return () => end();
}

test('the first page to claim hosts, and reports no takeover', async () => {
  const locks = new FakeLocks();
  const page = openPage(locks, '1');
  expect(page.host.role).toBe('idle');
  page.host.claim(tools);
  page.host.claim(tools);
  await settled();
  expect([page.host.role, page.roles, page.takeovers]).toEqual(['host', ['idle', 'host'], 0]);
  expect(locks.held).toEqual(['cloche-api-host:/app/:f1', 'cloche-page:/app/:1']);
});

test('the second page is a standby, and reports a takeover when the first has closed', async () => {
  const { locks, first, second } = await twoPages();
  expect([second.roles, second.takeovers]).toEqual([['idle', 'standby'], 0]);
  first.host.dispose();
  await settled();
  expect([second.roles, second.takeovers]).toEqual([['idle', 'standby', 'host'], 1]);
  expect([first.roles, locks.held]).toEqual([
    ['idle', 'host', 'idle'],
    ['cloche-api-host:/app/:f1', 'cloche-page:/app/:2'],
  ]);
});

test('a standby can take over; the other page becomes a standby, and can take over again', async () => {
  const { first, second } = await twoPages();
  second.host.takeOver();
  await settled();
  expect([first.roles, second.roles]).toEqual([
    ['idle', 'host', 'standby'],
    ['idle', 'standby', 'host'],
  ]);
  first.host.takeOver();
  await settled();
  expect([first.host.role, second.host.role]).toEqual(['host', 'standby']);
  expect([first.takeovers, second.takeovers]).toEqual([1, 1]);
  first.host.dispose();
  await settled();
  expect([second.host.role, second.takeovers]).toEqual(['host', 2]);
});

test('only a standby takes over', async () => {
  const locks = new FakeLocks();
  const page = openPage(locks, '1');
  page.host.takeOver();
  page.host.claim(tools);
  await settled();
  page.host.takeOver();
  await settled();
  expect([page.roles, page.takeovers]).toEqual([['idle', 'host'], 0]);
});

test('a page that releases its claim while waiting never becomes the host', async () => {
  const { locks, first, second } = await twoPages();
  second.host.release();
  first.host.release();
  await settled();
  expect([second.roles, second.takeovers, locks.held.includes('cloche-api-host:/app/:f1')]).toEqual(
    [['idle', 'standby', 'idle'], 0, false],
  );
});

test('a page that opens several folders one after the other does not take over from itself', async () => {
  const page = openPage(new FakeLocks(), '1');
  for (let times = 0; times < 3; times += 1) {
    page.host.claim(tools);
    await settled();
    page.host.release();
  }
  page.host.claim(tools);
  page.host.release();
  page.host.claim(tools);
  await settled();
  expect([page.host.role, page.takeovers]).toEqual(['host', 0]);
  const changes = Array.from({ length: 3 }, () => ['idle', 'host']).flat();
  expect(page.roles).toEqual([...changes, 'idle', 'host']);
});

test('a service worker is informed of the role, at once and after every change', async () => {
  const locks = new FakeLocks();
  const end = liveWorker(locks);
  const page = openPage(locks, '1');
  const heard = page.ask();
  await settled();
  page.host.claim(tools);
  await settled();
  page.host.release();
  await settled();
  const lock = 'cloche-page:/app/:1';
  const idle = { type: 'role', role: 'idle', lock, usedAt: 1 };
  expect(heard).toEqual([idle, { ...idle, role: 'host', folder: tools }, idle]);
  end();
});

test('pages with different folders both host, and each says which folder and when it was used', async () => {
  const locks = new FakeLocks();
  const end = liveWorker(locks);
  const first = openPage(locks, '1');
  const second = openPage(locks, '2');
  first.host.claim(tools);
  second.host.claim({ id: 'f2', name: 'tools' });
  await settled();
  expect([first.host.role, second.host.role]).toEqual(['host', 'host']);
  expect(first.posted).toEqual([hostsChanged]);
  const heard = first.ask();
  await settled();
  first.clock.at = 7;
  first.host.use();
  await settled();
  expect(heard).toEqual(
    [1, 7].map((usedAt) => ({
      type: 'role',
      role: 'host',
      lock: 'cloche-page:/app/:1',
      folder: tools,
      usedAt,
    })),
  );
  end();
});

test('a page that opens another folder hosts that one instead, and a renamed folder is announced', async () => {
  const locks = new FakeLocks();
  const end = liveWorker(locks);
  const page = openPage(locks, '1');
  page.host.claim(tools);
  await settled();
  const heard = page.ask();
  page.host.claim({ id: 'f1', name: 'renamed' });
  page.host.claim({ id: 'f2', name: 'other' });
  await settled();
  expect(locks.held).toContain('cloche-api-host:/app/:f2');
  expect(locks.held).not.toContain('cloche-api-host:/app/:f1');
  const said = heard.map((message) => message.type === 'role' && message.folder?.name);
  expect(said).toEqual(['tools', 'renamed', undefined, 'other']);
  expect(page.takeovers).toBe(0);
  end();
});

test('the service worker of another base path gets no answer', async () => {
  const page = openPage(new FakeLocks(), '1');
  const heard = [page.ask('/'), page.ask('/app')];
  await settled();
  expect(heard).toEqual([[], []]);
});

test('a worker that has ended receives nothing more', async () => {
  const locks = new FakeLocks();
  const end = liveWorker(locks);
  const page = openPage(locks, '1');
  const heard = page.ask();
  await settled();
  end();
  await settled();
  page.host.claim(tools);
  await settled();
  expect(heard).toHaveLength(1);
});

test('a worker receives messages from the page as long as a request is running', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const locks = new FakeLocks();
    const end = liveWorker(locks);
    const page = openPage(locks, '1');
    const heard = page.ask();
    await settled();
    const [worker] = ports.slice(-2);
    const asked = { type: 'request', id: 1, method: 'GET', path: 'tools', headers: [], body: null };
    worker?.postMessage({ ...asked, sentAt: Date.now() });
    await settled();
    vi.advanceTimersByTime(60_000);
    await settled();
    expect([heard.at(-1)?.type, page.posted]).toEqual(['end', []]);
    page.answer = () => new Promise(() => {});
    worker?.postMessage({ ...asked, sentAt: Date.now() });
    await settled();
    vi.advanceTimersByTime(25_000);
    await settled();
    expect(page.posted).toEqual([stayAwake, stayAwake]);
    end();
  } finally {
    vi.useRealTimers();
  }
});

test('a disposed page answers nothing and holds no locks', async () => {
  const locks = new FakeLocks();
  const page = openPage(locks, '1');
  page.host.claim(tools);
  await settled();
  page.host.dispose();
  page.host.claim(tools);
  const heard = page.ask();
  await settled();
  expect([heard, locks.held, page.roles]).toEqual([[], [], ['idle', 'host', 'idle']]);
});
