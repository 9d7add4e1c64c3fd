/** The map of a session's calls. */

import { expect, test } from 'vitest';
import { CallMap, type SessionCall } from './session-state.ts';
import { askedCall } from './session.fixture.ts';

function callOf(id: string, phase: SessionCall['phase']): SessionCall {
  const asked = askedCall(id);
  return { asked, turnId: 't', phase, approval: null, result: null, arguments: asked.arguments };
}

test('copied maps stay unchanged, and behave like a Map', () => {
  const maps: CallMap[] = [new CallMap()];
  const same = [new Map<string, SessionCall>()];
  for (let n = 0; n < 1_000; n += 1) {
    const map = new CallMap(maps.at(-1));
    const plain = new Map(same.at(-1));
    // New calls, and changes of recent and old ones.
    for (const id of [`call-${n}`, `call-${n - 1}`, `call-${n % 7}`]) {
      const call = callOf(id, n % 2 === 0 ? 'running' : 'ended');
      map.set(id, call);
      plain.set(id, call);
    }
    maps.push(map);
    same.push(plain);
  }
  for (const at of [0, 1, 2, 199, 200, 201, 202, 500, 999, 1_000]) {
    const map = maps[at];
    const plain = same[at];
    expect([map?.size, [...(map ?? [])]]).toEqual([plain?.size, [...(plain ?? [])]]);
    expect([[...(map?.keys() ?? [])], map?.has('call-0'), map?.get('call-150')]).toEqual([
      [...(plain?.keys() ?? [])],
      plain?.has('call-0'),
      plain?.get('call-150'),
    ]);
    expect([...(map?.values() ?? [])]).toEqual([...(plain?.values() ?? [])]);
  }
});
