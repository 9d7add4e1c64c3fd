import { describe, expect, it } from 'vitest';
import { pieceChars, toPieces, type Header } from '../../src/protocol/python.ts';
import { Allowance, Breach, Inbox } from './inbox.ts';

const result = (payload: string): string => `{"t":"result","id":7}\n${payload}`;

function inbox(room = 10_000_000, waiting: readonly number[] = [7]): Inbox {
  const limitOf = ({ t, id }: Header): number =>
    (t === 'result' && waiting.includes(id)) || t === 'stream' ? room : 0;
  return new Inbox(new Allowance(() => 0), limitOf);
}

function reasonOf(work: () => unknown): string {
  try {
    work();
  } catch (thrown) {
    if (thrown instanceof Breach) return thrown.reason;
  }
  return 'nothing';
}

describe('the inbox', () => {
  it('accepts a whole message', () => {
    expect(inbox().accept('=' + result('{"ok":true}'))).toEqual({
      header: { t: 'result', id: 7 },
      payload: '{"ok":true}',
    });
  });

  it('joins the pieces of a long message', () => {
    const payload = 'x'.repeat(3 * pieceChars + 17);
    const box = inbox();
    const messages = [...toPieces(result(payload))].map((piece) => box.accept(piece));
    expect(messages.slice(0, -1)).toEqual([null, null, null]);
    expect(messages.at(-1)?.payload).toBe(payload);
  });

  it('rejects a long message that was not requested', () => {
    const [first] = toPieces(result('x'.repeat(2 * pieceChars)));
    expect(reasonOf(() => inbox(10_000_000, []).accept(first))).toBe('protocol');
  });

  it('rejects a message above its limit', () => {
    const box = inbox(2.5 * pieceChars);
    expect(
      reasonOf(() => {
        for (const piece of toPieces(result('x'.repeat(4 * pieceChars)))) box.accept(piece);
      }),
    ).toBe('protocol');
  });

  it('rejects an endless message at the first piece above the limit', () => {
    const [first, next] = toPieces(result('x'.repeat(9 * pieceChars)));
    const box = inbox(2.5 * pieceChars);
    expect([box.accept(first), box.accept(next)]).toEqual([null, null]);
    expect(reasonOf(() => box.accept(next))).toBe('protocol');
  });

  it.each([
    ['a piece of another size', '+abc'],
    ['an end without a beginning', '.abc'],
    ['a whole message longer than a piece', '=' + 'x'.repeat(pieceChars + 1)],
  ])('rejects %s', (_, text) => {
    expect(reasonOf(() => inbox().accept(text))).toBe('protocol');
  });

  it.each([
    ['numbers', 5],
    ['null', null],
    ['objects', { t: 'result', id: 7 }],
    ['Comlink messages', { type: 'APPLY', path: ['constructor'], argumentList: [] }],
    ['strings of another wire', 'hello'],
    ['headers that are not JSON', '={"t":\n{}'],
    ['headers that are arrays', '=["result",7]\n{}'],
    ['headers with invalid ids', '={"t":"result","id":-1}\n{}'],
    ['unknown types', '={"t":"__proto__","id":7}\n{}'],
    ['answers that were not requested', '={"t":"result","id":8}\n{}'],
  ])('ignores %s until they are a flood', (_, data) => {
    const box = inbox();
    for (let n = 0; n < 300; n += 1) expect(box.accept(data)).toBeNull();
    expect(reasonOf(() => box.accept(data))).toBe('flood');
  });

  it('accepts streams at the rate of the allowance', () => {
    let now = 0;
    const box = new Inbox(new Allowance(() => now), () => 1_000);
    const stream = '={"t":"stream","id":7}\n{}';
    for (let n = 0; n < 300; n += 1) expect(box.accept(stream)).not.toBeNull();
    now = 1_000;
    for (let n = 0; n < 60; n += 1) expect(box.accept(stream)).not.toBeNull();
    expect(reasonOf(() => box.accept(stream))).toBe('flood');
  });

  it('does not count answers against the allowance', () => {
    const box = inbox();
    for (let n = 0; n < 5_000; n += 1) expect(box.accept('=' + result('{}'))).not.toBeNull();
  });
});
