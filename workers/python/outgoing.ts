/** Sends the tool worker's messages to the broker, in pieces, and matches the answers to asks by their numbers. */

import { toPieces, type HeaderType } from '../../src/runtime/protocol/python.ts';
import { refusal, type Ask, type AskAnswer } from '../../src/runtime/protocol/ask.ts';
import { askFault } from './ask-limits.ts';

/** Limit of asks that are sent and not answered; others wait. The broker's limit is higher. */
const maxOpen = 60;

// The function is bound before tool code can replace it. A tool that forges messages anyway affects
// only its own interpreter.
const post: (message: string | Blob) => void = self.postMessage.bind(self);

/** Sends a header that Python has serialised, and its payload. */
export function emit(header: string, payload: string): void {
  for (const piece of toPieces(header, payload)) post(piece);
}

export function send(t: HeaderType, id: number, payload = ''): void {
  emit(JSON.stringify({ t, id }), payload);
}

/** Sends the only answer that is not a string, from a worker that does nothing else. */
export function sendSnapshot(snapshot: Blob): void {
  post(snapshot);
}

interface WaitingAsk {
  readonly id: number;
  readonly n: number;
  readonly ask: Ask;
}

/** An answer with the number of its ask. */
export type NumberedAnswer = AskAnswer & { readonly request: number };

/** Asks that are not sent yet. */
const waiting: WaitingAsk[] = [];
/** What takes the answers to all open asks, sent or not. */
const open = new Map<string, (answer: NumberedAnswer) => void>();
let lastNumber = 0;
/** How many asks are sent and not answered. */
let inFlight = 0;

/** Asks the page on behalf of a call; `id` 0 means no call. Never rejects: a refusal is an answer. */
export function askPage(id: number, ask: Ask): Promise<NumberedAnswer> {
  const n = ++lastNumber;
  if (id === 0) {
    const why = 'Network access and questions to the user are possible only during a call.';
    return Promise.resolve({ ...refusal('PermissionError', why), request: n });
  }
  const fault = askFault(ask);
  if (fault !== null) return Promise.resolve({ ...refusal('ValueError', fault), request: n });
  return new Promise((resolve) => {
    open.set(keyOf(id, n), resolve);
    waiting.push({ id, n, ask });
    sendSome();
  });
}

/** Resolves an ask with the page's answer. */
export function resolveAsk(id: number, n: number, answer: AskAnswer): void {
  const key = keyOf(id, n);
  const resolve = open.get(key);
  if (!resolve) return;
  open.delete(key);
  inFlight -= 1;
  resolve({ ...answer, request: n });
  sendSome();
}

/** Drops the asks of a call that has sent its result. */
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
    inFlight -= 1;
  }
}

function sendSome(): void {
  while (inFlight < maxOpen) {
    const next = waiting.shift();
    if (!next) return;
    inFlight += 1;
    send('ask', next.id, JSON.stringify({ n: next.n, ask: next.ask }));
  }
}

function keyOf(id: number, n: number | ''): string {
  return `${id}/${n}`;
}
