/** The main pages, which the header, and on narrow screens its menu, link to. */

import type { Place } from './address.ts';

export interface MainPage {
  readonly words: string;
  readonly place: Place;
  /** The kinds of places at which the page's link is the current one. */
  readonly at: readonly Place['at'][];
}

export const mainPages: readonly MainPage[] = [
  { words: 'Tools', place: { at: 'home' }, at: ['home', 'tool', 'file', 'call', 'compare'] },
  { words: 'Sessions', place: { at: 'sessions' }, at: ['sessions', 'session'] },
  { words: 'Plans', place: { at: 'plans' }, at: ['plans', 'plan'] },
  { words: 'Evaluations', place: { at: 'evals' }, at: ['evals', 'eval'] },
  { words: 'API', place: { at: 'api', operation: '' }, at: ['api'] },
];
