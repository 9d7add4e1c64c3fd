/** Dates as people write them in full. */

import { lazily } from './lazily.ts';

const day = lazily(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }),
);
const time = lazily(() => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }));

/** `22 November 2026, 14:05` */
export function dayAndTime(at: number): string {
  return `${day().format(at)}, ${time().format(at)}`;
}

/** `14:05` */
export function timeOfDay(at: number): string {
  return time().format(at);
}
