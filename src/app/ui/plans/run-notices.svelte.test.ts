import { expect, test } from 'vitest';
import type { Question } from '../../../runtime/grants/questions.ts';
import { FakePage, task } from '../../../agent/runner/plan-runs.fixture.ts';
import type { Notifier, SystemNotices } from './notifier.ts';
import { RunNotices } from './run-notices.svelte.ts';

class FakeNotifier implements Notifier {
  system: SystemNotices = 'off';
  isInView = false;
  /** The user's answer when the browser asks. */
  answer: SystemNotices = 'on';
  readonly shown: string[] = [];
  title = '';

  askSystem(): Promise<void> {
    this.system = this.answer;
    return Promise.resolve();
  }

  show(tag: string, words: string, body: string): void {
    this.shown.push(`${tag}: ${words}: ${body}`);
  }

  markTitle(words: string): void {
    this.title = words;
  }
}

function open() {
  const page = new FakePage();
  const notifier = new FakeNotifier();
  return { page, notifier, notices: new RunNotices(page.runs, notifier) };
}

test('the end of a run in a hidden tab changes the title, and is notified once the user has allowed it', async () => {
  const { page, notifier, notices } = open();
  const { id } = await page.start({ tasks: [task('a')] });
  await page.ended(id);
  expect(notices.last).toEqual({ run: id, goal: 'a goal', phase: 'done' });
  expect([notifier.title, notifier.shown]).toEqual(['The plan is done', []]);
  await notices.askSystem();
  expect(notices.system).toBe('on');
  page.behave = () => ({ end: 'failed', reason: 'no' });
  const { id: stuck } = await page.start({ tasks: [task('a')] });
  await page.ended(stuck);
  const words = 'The plan needs your attention';
  expect([notifier.title, notifier.shown]).toEqual([words, [`${stuck}: ${words}: a goal`]]);
  notices.dismiss();
  expect(notices.last).toBeNull();
});

test('without permission only the title and the page say it, and in view only the page', async () => {
  const { page, notifier, notices } = open();
  notifier.answer = 'denied';
  await notices.askSystem();
  const first = await page.start({ tasks: [task('a')] });
  await page.ended(first.id);
  expect([notifier.title, notifier.shown]).toEqual(['The plan is done', []]);
  notifier.title = '';
  notifier.isInView = true;
  const second = await page.start({ tasks: [task('a')] });
  await page.ended(second.id);
  expect(notices.last?.run).toBe(second.id);
  expect(notifier.title).toBe('');
});

test('the user is notified of a run that a budget ends, and not of one that they stop', async () => {
  const { page, notices } = open();
  page.behave = (_, own) => {
    own.calls += 3;
    return { end: 'finished', output: '1' };
  };
  const { id } = await page.start({ budget: { calls: 1 }, tasks: [task('a'), task('b', ['a'])] });
  await page.ended(id);
  expect(notices.last).toMatchObject({ run: id, phase: 'stopped' });
  notices.dismiss();
  page.behave = () => new Promise(() => undefined);
  const { id: own } = await page.start({ tasks: [task('a')] });
  await page.runs.stop(own);
  expect(page.runs.get(own)?.phase).toBe('stopped');
  expect(notices.last).toBeNull();
});

test('the user is notified once of a question of a sub-agent, and not of other questions', () => {
  const { notifier, notices } = open();
  notifier.system = 'on';
  const asked = { kind: 'approve', tool: 'm:f', file: 'm.py', callId: 'c' } as const;
  const ask = (id: number, title: string | null): Question => ({
    ...asked,
    id,
    caller: 'sub-agent',
    question: 'Send?',
    details: null,
    task: title === null ? null : { run: 'r', title },
  });
  notices.followQuestions([ask(1, null)]);
  expect(notifier.shown).toEqual([]);
  const told = new RunNotices(new FakePage().runs, notifier);
  told.followQuestions([ask(1, null), ask(2, 'Mail')]);
  told.followQuestions([ask(1, null), ask(2, 'Mail')]);
  expect(notifier.shown).toEqual(['r: A task needs your answer: Mail: m:f']);
  told.followQuestions([ask(2, 'Mail'), ask(3, 'Post')]);
  expect(notifier.shown).toHaveLength(2);
  expect(notifier.title).toBe('A task needs your answer');
});
