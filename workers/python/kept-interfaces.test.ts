import { expect, test } from 'vitest';
import { removeOtherInterfaces } from './kept-interfaces.ts';

class Above {
  get gpu(): string {
    return 'a processor';
  }
  get userAgent(): string {
    return 'a browser';
  }
}

class Scope {
  get caches(): string {
    return 'a cache';
  }
  get crypto(): string {
    return 'numbers';
  }
}

test('what is not on the list is removed, also from prototypes; what is on it stays', () => {
  const navigator = new Above();
  const scope = Object.assign(new Scope(), {
    ...{ OffscreenCanvas: Object, Blob: Object, Worker: Object, onmessage: null, FutureDevice: 1 },
  });
  const kept = { language: Object.keys(Object.getOwnPropertyDescriptors(Object.prototype)) };
  removeOtherInterfaces(scope, navigator);
  expect(Object.keys(scope)).toEqual(['Blob', 'onmessage']);
  expect(['gpu', 'userAgent'].map((name) => name in navigator)).toEqual([false, true]);
  expect(['caches', 'crypto'].map((name) => name in scope)).toEqual([false, true]);
  expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(kept.language);
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
