import { expect, it, vi } from 'vitest';
import type { InstallRequest } from '../protocol/packages.ts';
import { defaultLimits } from '../spec/limits.ts';
import { packagesInMemory } from '../storage/no-storage.ts';
import type { Wheel } from '../spec/wheel.ts';
import { CompiledPackages, type CompiledDeps } from './compiled.ts';

const pure = wheel('idna-3.3-py3-none-any.whl', '01');
const compiledC = wheel('numpy-2.0-cp314-cp314-pyodide.whl', '02');
const library: Wheel = { ...wheel('libz-py3-none-any.whl', '03'), target: 'dynlib' };
const all = [library, pure, compiledC];
const { signal } = new AbortController();

function wheel(filename: string, sha256: string): Wheel {
  return { filename, sha256, target: 'site', content: new Blob([filename]) };
}

/** One visit after the other, with the same storage. */
function visits() {
  const kept = new Map<string, string>();
  const store: CompiledDeps['store'] = {
    ...packagesInMemory(),
    compiled: (key) => Promise.resolve(kept.get(key)),
    keepCompiled: (key, sha256) => Promise.resolve(void kept.set(key, sha256)),
  };
  const compile = vi.fn((_: AbortSignal, wheels: readonly Wheel[]) =>
    Promise.resolve(new Blob(wheels.map(({ filename }) => `compiled ${filename}`))),
  );
  const visit = (build = 'build'): CompiledPackages =>
    new CompiledPackages({
      limits: defaultLimits,
      store,
      compile,
      sandboxKey: () => Promise.resolve(build),
    });
  return { store, kept, compile, visit };
}

/** The packages that an interpreter installs. The first `failures` interpreters that are given compiled packages fail. */
async function installed(packages: CompiledPackages, wheels: readonly Wheel[], failures = 0) {
  const log: string[] = [];
  const requests: InstallRequest[] = [];
  await packages.startWith(signal, wheels, () => {
    log.push('started');
    return Promise.resolve({
      install: (_: AbortSignal, request: InstallRequest) => {
        requests.push(request);
        const isBroken = request.compiled !== null && requests.length <= failures;
        return isBroken ? Promise.reject(new Error('cannot be read')) : Promise.resolve();
      },
      dispose: () => void log.push('disposed'),
    });
  });
  const last = requests.at(-1);
  return {
    wheels: last?.wheels.map(({ filename }) => filename),
    compiled: (await last?.compiled?.text()) ?? null,
    ...(failures === 0 ? {} : { log }),
  };
}

const names = all.map(({ filename }) => filename);
const others = [library.filename, compiledC.filename];

it('replaces pure packages by what was compiled, once that is stored, and only these', async () => {
  const { compile, visit } = visits();
  const first = visit();
  expect(await installed(first, all)).toEqual({ wheels: names, compiled: null });
  await first.make(signal);
  expect(compile.mock.calls).toEqual([[signal, [pure]]]);
  const expected = { wheels: others, compiled: `compiled ${pure.filename}` };
  expect(await installed(first, all)).toEqual(expected);
  const next = visit();
  expect(await installed(next, all)).toEqual(expected);
  await next.make(signal);
  expect(compile).toHaveBeenCalledOnce();
});

it('is used neither for other wheels of the same names nor in another build', async () => {
  const { visit } = visits();
  const first = visit();
  await installed(first, all);
  await first.make(signal);
  const changed = [library, { ...pure, sha256: '99' }, compiledC];
  const none = { wheels: names, compiled: null };
  expect(await installed(visit(), changed)).toEqual(none);
  expect(await installed(visit('other build'), all)).toEqual(none);
  expect(await installed(visit(), [pure, wheel('six-1-py3-none-any.whl', '04')])).toMatchObject({
    compiled: null,
  });
});

it('compiles nothing for a folder without pure packages', async () => {
  const { compile, visit } = visits();
  const packages = visit();
  await packages.make(signal);
  await installed(packages, [compiledC]);
  await packages.make(signal);
  expect(compile).not.toHaveBeenCalled();
});

it('installs the wheels in another interpreter if it cannot be used, and in all later ones', async () => {
  const { compile, visit } = visits();
  const packages = visit();
  await installed(packages, all);
  await packages.make(signal);
  expect(await installed(packages, all, 1)).toEqual({
    wheels: names,
    compiled: null,
    log: ['started', 'disposed', 'started'],
  });
  expect(await installed(packages, all)).toEqual({ wheels: names, compiled: null });
  await packages.make(signal);
  expect(compile).toHaveBeenCalledOnce();
});

it('rejects if wheels cannot be installed', async () => {
  const broken = {
    install: () => Promise.reject(new Error('cannot be installed')),
    dispose: vi.fn(),
  };
  const start = () => Promise.resolve(broken);
  await expect(visits().visit().startWith(signal, all, start)).rejects.toThrow('installed');
  expect(broken.dispose).toHaveBeenCalledOnce();
});

it('installs wheels if the content is damaged or storage fails', async () => {
  const { store, kept, visit } = visits();
  const first = visit();
  await installed(first, all);
  await first.make(signal);
  const none = { wheels: names, compiled: null };
  const lost = new CompiledPackages({
    limits: defaultLimits,
    store: { ...store, compiled: () => Promise.reject(new Error('blocked')) },
    compile: () => Promise.reject(new Error('is not called')),
    sandboxKey: () => Promise.resolve('build'),
  });
  expect(await installed(lost, all)).toEqual(none);
  // The store returns nothing for content that does not match its hash.
  for (const key of kept.keys()) kept.set(key, 'hash of nothing');
  expect(await installed(visit(), all)).toEqual(none);
});
