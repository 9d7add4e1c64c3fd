import { expect, test } from 'vitest';
import { removeOtherInterfaces } from './kept-interfaces.ts';

/** An object that inherits accessors of these names, as the worker's globals do. */
function inheriting(...names: readonly string[]): object {
  const accessors = names.map((name) => [name, { get: () => name, configurable: true }] as const);
  return Object.create(
    Object.create(Object.prototype, Object.fromEntries(accessors)) as object,
  ) as object;
}

test('what is not on the list is removed, also from prototypes; what is on it stays', () => {
  const navigator = inheriting('gpu', 'userAgent');
  const scope = Object.assign(inheriting('caches', 'crypto'), {
    OffscreenCanvas: Object,
    Blob: Object,
    Worker: Object,
    onmessage: null,
    FutureDevice: 1,
  });
  const inherited = Object.getOwnPropertyNames(Object.prototype);
  expect(['gpu', 'userAgent'].map((name) => name in navigator)).toEqual([true, true]);
  removeOtherInterfaces(scope, navigator);
  expect(Object.keys(scope)).toEqual(['Blob', 'onmessage']);
  expect(['gpu', 'userAgent'].map((name) => name in navigator)).toEqual([false, true]);
  expect(['caches', 'crypto'].map((name) => name in scope)).toEqual([false, true]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(inherited);
});

test('the language stays complete', () => {
  const names = Object.getOwnPropertyNames(globalThis).filter((name) =>
    /^(?:[A-Z][a-z]+(?:8|16|32|64)?(?:Clamped)?Array|Map|Set|Promise|Proxy|Reflect|Symbol|WebAssembly|Atomics)$/.test(
      name,
    ),
  );
  const scope = Object.fromEntries(names.map((name) => [name, 1]));
  removeOtherInterfaces(scope, {});
  expect(names.length).toBeGreaterThan(12);
  expect(Object.keys(scope)).toEqual(names);
});
