/** Setup of unit tests that share a thread: fails a file that leaves globals or the environment changed. */
import { afterAll, expect } from 'vitest';

/** Vitest's own, and what newer versions of Node warn of when it is read. */
const ignored = /^(__|VITEST)|Storage$/;

const before = globalNames();

afterAll(() => {
  const after = globalNames();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => !Object.is(before.get(name), after.get(name)));
  expect(changed, 'globals that this file has changed').toEqual([]);
});

/** What a test could replace for the files that run after it in its thread. */
function globalNames(): Map<string, unknown> {
  const objects = {
    globalThis,
    performance,
    Date,
    Math,
    JSON,
    console,
    crypto,
    Promise,
    'process.env': process.env,
  };
  const all = Object.entries(objects).flatMap(([name, object]) =>
    Object.getOwnPropertyNames(object)
      .filter((key) => !ignored.test(key))
      // Read, since Node makes many of its globals when they are first asked for.
      .map((key): [string, unknown] => [`${name}.${key}`, Reflect.get(object, key)]),
  );
  return new Map([...all, ['cwd', process.cwd()]]);
}
