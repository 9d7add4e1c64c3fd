/** How starts are reported that succeed, fail, or are cancelled. */

import { expect, it } from 'vitest';
import { StartStatus } from './interpreter-source.ts';

function listening(): { status: StartStatus; reported: string[] } {
  const reported: string[] = [];
  const status = new StartStatus((state, text) => reported.push(`${state} ${text}`.trim()));
  return { status, reported };
}

it('reports the progress of a start and its outcome', () => {
  const { status, reported } = listening();
  status.started();
  status.progress('loading');
  status.ready();
  status.started();
  status.failed('no memory');
  expect(reported).toEqual(['starting loading', 'ready', 'failed no memory']);
});

it('is off after a cancelled first start, and ready after a cancelled later one', () => {
  const { status, reported } = listening();
  status.started();
  status.progress('loading');
  status.aborted();
  status.started();
  status.ready();
  status.started();
  status.progress('loading');
  status.aborted();
  expect(reported).toEqual(['starting loading', 'off', 'ready', 'starting loading', 'ready']);
});

it('keeps the status of the other start when one of two is cancelled', () => {
  const { status, reported } = listening();
  status.started();
  status.started();
  status.progress('loading');
  status.aborted();
  expect(reported).toEqual(['starting loading']);
  status.ready();
  expect(reported).toEqual(['starting loading', 'ready']);
});
