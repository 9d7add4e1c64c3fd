/** The main pages, to which the header links, or its menu on narrow screens. */

import type { Place } from './address.ts';

export interface MainPage {
  readonly words: string;
  readonly place: Place;
  /** The kinds of places for which the page's link is marked as current. */
  readonly at: readonly Place['at'][];
}

export const mainPages: readonly MainPage[] = [
  { words: 'Tools', place: { at: 'home' }, at: ['home', 'tool', 'file', 'call', 'compare'] },
  { words: 'Sessions', place: { at: 'sessions' }, at: ['sessions', 'session'] },
  { words: 'Plans', place: { at: 'plans' }, at: ['plans', 'plan'] },
  { words: 'Evaluations', place: { at: 'evals' }, at: ['evals', 'eval'] },
  { words: 'Servers', place: { at: 'servers' }, at: ['servers'] },
  { words: 'API', place: { at: 'api', operation: '' }, at: ['api'] },
];
