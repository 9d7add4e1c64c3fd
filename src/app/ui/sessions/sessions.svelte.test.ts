import { expect, test } from 'vitest';
import { Commands } from '../shell/commands.svelte.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import type { StartOffer } from '../starts/start-preview.ts';
import type { SessionsControl } from '../../../agent/create-agent.ts';
import { folderOfSession, Sessions } from './sessions.svelte.ts';
import { fakeSessions, FakeSession, headOf, stateOf } from './sessions.fixture.ts';

/** The part of the page that sessions use. */
function fakeUi(sessions: Promise<SessionsControl>) {
  const went: string[] = [];
  const offers: (StartOffer | null)[] = [];
  const ui = {
    controls: { sessions: () => sessions, policy: new Promise(() => undefined) },
    app: {
      calls: { observe: () => () => undefined, cancel: () => false },
      interpreters: { list: () => [], observe: () => () => undefined },
    },
    offer: (offer: StartOffer | null) => offers.push(offer),
    offerFromFolder: (offer: StartOffer) => offers.push(offer),
    announcer: { say: () => undefined },
    commands: new Commands(),
    late: { extensions: { part: null, start: () => Promise.resolve() } },
    opener: { status: { phase: 'ready', folderKey: 'f1' } },
    route: {
      place: { at: 'home' },
      go: (address: string) => went.push(address),
      toSession: (id: string) => `#/${id}`,
      to: ({ at }: { at: string }) => `#/${at}`,
    },
  } as unknown as Ui;
  return { ui, went, offers };
}

const kept = (id: string) => new FakeSession(stateOf({ head: headOf(id) }));

async function opened(control = fakeSessions([kept('a'), kept('b')])) {
  const released: string[] = [];
  const { ui, went, offers } = fakeUi(
    Promise.resolve({
      ...control,
      liveSessions: { ...control.liveSessions, release: (id: string) => released.push(id) },
    }),
  );
  const sessions = new Sessions(ui);
  await ui.controls.sessions();
  return { sessions, released, went, offers };
}

test('one session is shown at a time, and the last one is closed', async () => {
  const { sessions, released } = await opened();
  await sessions.show('a');
  await sessions.show('b');
  expect([sessions.shown?.id, released]).toEqual(['b', ['a']]);
});

test('a session that is requested before sessions have loaded is shown afterwards', async () => {
  let arrive: (control: SessionsControl) => void = () => undefined;
  const { ui } = fakeUi(new Promise((resolve) => (arrive = resolve)));
  const sessions = new Sessions(ui);
  await sessions.show('a');
  expect(sessions.shown).toBe(null);
  arrive(fakeSessions([kept('a')]));
  await new Promise((resolve) => setTimeout(resolve));
  expect(sessions.shown?.id).toBe('a');
});

test('an empty new session is shown again, and one that has begun is not', async () => {
  const { sessions, released } = await opened();
  await sessions.show('new');
  const fresh = sessions.shown;
  await sessions.show('a');
  await sessions.show('new');
  expect([sessions.shown, released]).toEqual([fresh, ['a']]);
  const begun = fresh?.control as FakeSession;
  begun.set({ state: { selection: { tools: [], names: [] } } });
  // The address gets the id, and shows the same session.
  await sessions.show(begun.id);
  expect(sessions.shown).toBe(fresh);
  await sessions.show('new');
  expect(sessions.shown).not.toBe(fresh);
});

test('queued messages of a session that another page takes over are in the composer of that page', async () => {
  const texts = new Map<string, string>();
  const memory = {
    getItem: (key: string) => texts.get(key) ?? null,
    setItem: (key: string, text: string) => void texts.set(key, text),
  };
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  const waits = { id: 'm2', parts: [image, { type: 'text', text: 'It waits.' }] } as const;
  const page = async (blocked = false) => {
    const session = kept('a');
    const control = fakeSessions([session]);
    const { sessions } = await opened({ ...control, memory: blocked ? null : memory });
    await sessions.show('a');
    const composer = () => sessions.composers.of('a', () => sessions.unsent.read('a', () => false));
    const taken = (writes: boolean, queue: readonly (typeof waits)[] = []): void => {
      session.writes = writes;
      session.set({ live: { queue } });
    };
    return { sessions, session, composer, taken };
  };
  const one = await page();
  one.composer().write('And more');
  one.session.set({ live: { queue: [waits] } });
  one.sessions.unsent.write('a', 'And more', [['m2', '(image)\n\nIt waits.']]);
  const other = await page();
  one.taken(false, [waits]);
  expect(one.session.calls).toEqual([['unsend', 'm2']]);
  expect(other.composer().text).toBe('(image)\n\nIt waits.\n\nAnd more');
  // Once sent there, only its picture is left here.
  other.composer().write('');
  other.sessions.unsent.write('a', '');
  one.taken(true);
  expect([one.composer().text, one.composer().images]).toEqual(['', [image]]);
  // Without storage, it stays in its page.
  const alone = await page(true);
  alone.composer().write('And more');
  alone.taken(false, [waits]);
  alone.taken(true);
  expect([alone.composer().text, alone.composer().images]).toEqual([
    'It waits.\n\nAnd more',
    [image],
  ]);
});

test('a fork before a message has that message in its composer', async () => {
  const control = fakeSessions([kept('a')]);
  const forked: number[] = [];
  const { sessions, went } = await opened({
    ...control,
    liveSessions: {
      ...control.liveSessions,
      fork: (id, n) => {
        forked.push(n);
        return control.liveSessions.fork(id, n);
      },
    },
  });
  const image = { type: 'image', mediaType: 'image/png', data: 'AAAA' } as const;
  await sessions.forkBefore('a', 7, [image, { type: 'text', text: 'What is the time?' }]);
  const { text, images } = sessions.composers.of('new1');
  expect([forked, went, text, images]).toEqual([[6], ['#/new1'], 'What is the time?', [image]]);
});

test('a fork before the first message starts with the tools of its original', async () => {
  const tool = { name: 'm:f', description: 'Does it.', parameters: {}, deferred: false };
  const selection = { tools: [tool], names: [] };
  const control = fakeSessions([new FakeSession(stateOf({ head: headOf('a'), selection }))]);
  const { sessions } = await opened(control);
  await sessions.show('a');
  await sessions.forkBefore('a', 4, [{ type: 'text', text: 'Go' }]);
  expect((await control.liveSessions.open('new1')).selected).toEqual(['m:f']);
});

test('a deleted session is closed', async () => {
  const { sessions, released, went } = await opened();
  await sessions.show('a');
  sessions.remove(headOf('a'));
  expect([sessions.shown, released, went]).toEqual([null, ['a'], ['#/sessions']]);
  expect([sessions.list.shown.map(({ id }) => id), sessions.list.removed?.id]).toEqual([
    ['b'],
    'a',
  ]);
});

test('a missing session is reported', async () => {
  const { sessions } = await opened();
  await sessions.show('gone');
  expect([sessions.shown, sessions.fault?.message]).toEqual([null, 'There is no such session.']);
  await sessions.show('a');
  expect([sessions.shown?.id, sessions.fault]).toEqual(['a', null]);
});

test('a page without sessions says why', async () => {
  const { ui } = fakeUi(Promise.reject(new Error('The part could not be loaded.')));
  const sessions = new Sessions(ui);
  await new Promise((resolve) => setTimeout(resolve));
  expect(sessions.fault?.message).toContain('The part could not be loaded.');
});

test('a session or recording from a file is offered with its name, and opened or played after confirmation', async () => {
  const { sessions, went, offers } = await opened();
  const file = (text: string) => new File([text], 'a.json');
  await sessions.takeIn(file('{"format": "cloche-session"}'));
  const replays = '{"format":"cloche-recording"}';
  await sessions.takeIn(file(JSON.stringify({ format: 'cloche-session', replays })));
  await sessions.takeIn(file('{"title": "By hand", "format": "cloche-recording"}'));
  expect(offers.map((offer) => [offer?.what, offer?.title, offer?.from])).toEqual([
    ['session', 'Session s1', 'the file a.json'],
    ['session', 'Session s1', 'the file a.json'],
    ['recording', 'What to wear in Oslo', 'the file a.json'],
  ]);
  expect(went).toEqual([]);
  offers[0]?.start();
  await expect.poll(() => went).toEqual(['#/imported']);
  offers[2]?.start();
  expect(went.at(-1)).toBe('#/new1');
});

test('a recording of the open folder is offered, from the list and from the palette', async () => {
  const { sessions, went, offers } = await opened();
  const [found] = sessions.recordings;
  if (found === undefined) throw new Error('There is no recording.');
  sessions.playListed(found);
  sessions.ui.commands.all.find(({ words }) => words.startsWith('Play: '))?.choose();
  expect([offers.map((offer) => offer?.what), went]).toEqual([['recording', 'recording'], []]);
});

test('another kind of file is refused, with the accepted kinds', async () => {
  const { sessions, went } = await opened();
  await sessions.takeIn(new Blob(['hello']));
  expect([sessions.list.fault, went]).toEqual([
    {
      message: 'This file is neither a session nor a recording.',
      hint: 'Choose a file made with “Export session” or “Save as recording” in the menu of a session.',
    },
    [],
  ]);
});

test('Undo opens the restored session', async () => {
  const { sessions, went } = await opened();
  await sessions.show('a');
  sessions.remove(headOf('a'));
  sessions.undo();
  expect([went.at(-1), sessions.list.shown.map(({ id }) => id)]).toEqual(['#/a', ['a', 'b']]);
});

test('a recording has ended when it has nothing further, until another model is chosen', async () => {
  const head = headOf('p', { model: { provider: 'replay', model: 'What to wear in Oslo' } });
  const plays = new FakeSession(stateOf({ head, replays: '{}' }));
  const { sessions } = await opened(fakeSessions([plays]));
  await sessions.show('p');
  const { shown } = sessions;
  if (shown === null) return expect.fail('It is not shown.');
  const seen = [sessions.playbackHasEnded(shown)];
  plays.set({ live: { phase: 'calling' } });
  seen.push(sessions.playbackHasEnded(shown));
  plays.set({ live: { phase: 'idle' } });
  plays.useModel({ provider: 'p1', model: 'gpt-x' });
  expect([...seen, sessions.playbackHasEnded(shown)]).toEqual([true, false, false]);
});

test('tools count as loading while a folder is opened or may still be reopened', async () => {
  const { sessions } = await opened();
  const { ui } = sessions;
  const seen = [false, true].flatMap((underWay) =>
    [false, true].map((returning) => {
      Object.assign(ui, { opener: { isOpening: underWay }, returning });
      return sessions.readsTools;
    }),
  );
  expect(seen).toEqual([false, true, true, true]);
});

test('recordings of the folder can be played by a command while it is open', async () => {
  const { sessions } = await opened();
  expect(sessions.recordings.map(({ path }) => path)).toEqual(['recordings/weather.json']);
  const { commands } = sessions.ui;
  const available = () =>
    commands.all.filter(({ available }) => available).map(({ words }) => words);
  expect(available()).toEqual(['Compare models', 'Play: What to wear in Oslo']);
});

test('a session’s folder is found by its id, or by its name if it has no id', () => {
  const recent = [
    { id: 'f1', name: 'tools' },
    { id: 'f2', name: 'tools' },
  ];
  const found = (folder: string, folderId: string) =>
    folderOfSession({ folder, folderId }, recent)?.id;
  expect(found('tools', 'f2')).toBe('f2');
  expect(found('tools', '')).toBe('f1');
  expect(found('tools', 'f3')).toBe(undefined);
  expect(found('other', '')).toBe(undefined);
});
