/** What is told of starts that end, fail, or are not wanted any more. */

import { expect, it } from 'vitest';
import { StartStatus } from './start-status.ts';

function listening(): { status: StartStatus; reported: string[] } {
  const reported: string[] = [];
  const status = new StartStatus((state, text) => reported.push(`${state} ${text}`.trim()));
  return { status, reported };
}

it('tells what a start is at, and what became of it', () => {
  const { status, reported } = listening();
  status.began();
  status.isAt('loading');
  status.ready();
  status.began();
  status.failed('no memory');
  expect(reported).toEqual(['starting loading', 'ready', 'failed no memory']);
});

it('is off after a first start that is broken off, and ready after a later one', () => {
  const { status, reported } = listening();
  status.began();
  status.isAt('loading');
  status.aborted();
  status.began();
  status.ready();
  status.began();
  status.isAt('loading');
  status.aborted();
  expect(reported).toEqual(['starting loading', 'off', 'ready', 'starting loading', 'ready']);
});

it('leaves the word to the other start where one of two is broken off', () => {
  const { status, reported } = listening();
  status.began();
  status.began();
  status.isAt('loading');
  status.aborted();
  expect(reported).toEqual(['starting loading']);
  status.ready();
  expect(reported).toEqual(['starting loading', 'ready']);
});
