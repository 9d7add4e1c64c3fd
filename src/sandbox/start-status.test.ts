/** What is told of starts that end, fail, or are not wanted any more. */

import { expect, it } from 'vitest';
import { StartStatus } from './start-status.ts';

function listening(): { status: StartStatus; told: string[] } {
  const told: string[] = [];
  const status = new StartStatus((state, text) => told.push(`${state} ${text}`.trim()));
  return { status, told };
}

it('tells what a start is at, and what became of it', () => {
  const { status, told } = listening();
  status.began();
  status.isAt('loading');
  status.ready();
  status.began();
  status.failed('no memory');
  expect(told).toEqual(['starting loading', 'ready', 'failed no memory']);
});

it('is off after a first start that is broken off, and ready after a later one', () => {
  const { status, told } = listening();
  status.began();
  status.isAt('loading');
  status.aborted();
  status.began();
  status.ready();
  status.began();
  status.isAt('loading');
  status.aborted();
  expect(told).toEqual(['starting loading', 'off', 'ready', 'starting loading', 'ready']);
});

it('leaves the word to the other start where one of two is broken off', () => {
  const { status, told } = listening();
  status.began();
  status.began();
  status.isAt('loading');
  status.aborted();
  expect(told).toEqual(['starting loading']);
  status.ready();
  expect(told).toEqual(['starting loading', 'ready']);
});
