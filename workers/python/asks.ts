/** What running calls ask of the page: sent as questions with numbers, matched with their answers. */

import { refused, type Ask, type AskAnswer } from '../../src/protocol/ask.ts';
import { askFault } from './ask-limits.ts';
import { send } from './outgoing.ts';

/** Questions at once; the broker takes no more. */
const mostOpen = 60;

interface Asked {
  readonly id: number;
  readonly n: number;
  readonly ask: Ask;
}

/** An answer, with the number of the question that it is for. */
export type Answered = AskAnswer & { readonly request: number };

const waiting: Asked[] = [];
const open = new Map<string, (answer: Answered) => void>();
let numbers = 0;
let under = 0;

/** Asks the page on behalf of a call. Never rejects: a refusal is an answer. */
export function askPage(id: number, ask: Ask): Promise<Answered> {
  const n = ++numbers;
  if (id === 0) {
    const why = 'Network access and questions to the user are possible only during a call.';
    return Promise.resolve({ ...refused('PermissionError', why), request: n });
  }
  const fault = askFault(ask);
  if (fault !== null) return Promise.resolve({ ...refused('ValueError', fault), request: n });
  return new Promise((resolve) => {
    open.set(keyOf(id, n), resolve);
    waiting.push({ id, n, ask });
    sendSome();
  });
}

/** The page's answer has come. */
export function answered(id: number, n: number, answer: AskAnswer): void {
  const key = keyOf(id, n);
  const resolve = open.get(key);
  if (!resolve) return;
  open.delete(key);
  under -= 1;
  resolve({ ...answer, request: n });
  sendSome();
}

/** The call has sent its result: nothing that it has asked is answered any more. */
export function endAsks(id: number): void {
  if (open.size === 0) return;
  for (let at = waiting.length - 1; at >= 0; at -= 1) {
    const one = waiting[at];
    if (one?.id !== id) continue;
    waiting.splice(at, 1);
    open.delete(keyOf(id, one.n));
  }
  for (const key of open.keys()) {
    if (!key.startsWith(keyOf(id, ''))) continue;
    open.delete(key);
    under -= 1;
  }
}

function sendSome(): void {
  while (under < mostOpen) {
    const next = waiting.shift();
    if (!next) return;
    under += 1;
    send('ask', next.id, JSON.stringify({ n: next.n, ask: next.ask }));
  }
}

function keyOf(id: number, n: number | ''): string {
  return `${id}/${n}`;
}
