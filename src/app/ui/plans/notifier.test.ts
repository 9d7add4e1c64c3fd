import { expect, test, vi } from 'vitest';
import { pageNotifier } from './notifier.ts';

type Page = Window & typeof globalThis;

class FakeNotification {
  static permission: NotificationPermission = 'default';
  /** The user's answer. */
  static answer: NotificationPermission = 'granted';
  static readonly shown: FakeNotification[] = [];
  onclick: () => void = () => undefined;
  readonly close = vi.fn();
  readonly words: string;
  readonly options: NotificationOptions;

  constructor(words: string, options: NotificationOptions) {
    this.words = words;
    this.options = options;
    FakeNotification.shown.push(this);
  }

  static requestPermission(): Promise<NotificationPermission> {
    this.permission = this.answer;
    return Promise.resolve(this.answer);
  }
}

/** @param Notification undefined if the browser has none */
function open(Notification: unknown = FakeNotification) {
  const document = Object.assign(new EventTarget(), { title: 'Cloche', visibilityState: 'hidden' });
  const page = {
    document,
    location: { hash: '#/tools' },
    focus: vi.fn(),
    ...(Notification === undefined ? {} : { Notification }),
  };
  const notifier = pageNotifier(page as unknown as Page);
  const see = (isSeen: boolean): void => {
    document.visibilityState = isSeen ? 'visible' : 'hidden';
    document.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, document, notifier, see };
}

test('the title shows the notice until the user looks at the page', () => {
  const { document, notifier, see } = open();
  notifier.markTitle('The plan is done');
  expect([document.title, notifier.isInView]).toEqual(['The plan is done · Cloche', false]);
  // A second notice replaces the first instead of standing before it.
  notifier.markTitle('A task needs your answer');
  expect(document.title).toBe('A task needs your answer · Cloche');
  see(false);
  expect(document.title).toBe('A task needs your answer · Cloche');
  see(true);
  expect([document.title, notifier.isInView]).toEqual(['Cloche', true]);
});

test('a title that the page has set in the meantime stays', () => {
  const { document, notifier, see } = open();
  notifier.markTitle('The plan is done');
  document.title = 'Sessions · Cloche';
  see(true);
  expect(document.title).toBe('Sessions · Cloche');
});

test('the user’s answer decides whether the system may show notices', async () => {
  const { notifier } = open();
  expect(notifier.system).toBe('off');
  await notifier.askSystem();
  expect(notifier.system).toBe('on');
  FakeNotification.answer = 'denied';
  await notifier.askSystem();
  expect(notifier.system).toBe('denied');
});

test('a notice has the run as its tag, and a click on it shows the run', () => {
  const { page, notifier } = open();
  notifier.show('r1', 'The plan is done', 'Sort my photos');
  const shown = FakeNotification.shown.at(-1);
  expect([shown?.words, shown?.options]).toEqual([
    'The plan is done',
    { body: 'Sort my photos', tag: 'r1' },
  ]);
  expect([page.location.hash, page.focus.mock.calls.length]).toEqual(['#/tools', 0]);
  shown?.onclick();
  expect([page.location.hash, page.focus.mock.calls.length]).toEqual(['#/plans/r1', 1]);
  expect(shown?.close).toHaveBeenCalledOnce();
});

test('in a browser without notifications, or that shows none for pages, only the title changes', async () => {
  const { notifier } = open(null);
  expect(() => notifier.show('r', 'The plan is done', '')).not.toThrow();
  const without = pageNotifier({ document: new EventTarget() } as unknown as Page);
  expect(without.system).toBe('unavailable');
  await without.askSystem();
  expect(() => without.show('r', 'The plan is done', '')).not.toThrow();
});
