/** Fakes for packages: a store in memory, a network with some files, and a resolver with prepared answers. */

import { sha256Of } from '../spec/bytes.ts';
import type { Resolution, ResolveAnswer, ResolvedWheel } from '../protocol/packages.ts';
import type { ResolveRequest } from '../protocol/packages.ts';
import type { Problem } from '../spec/folder.ts';
import type { Declared } from './declared.ts';
import type { Download } from './download.ts';
import { PackageFault } from '../spec/wheel.ts';
import type { Candidate, PackageStep, PrepareDeps } from './prepare.ts';
import type { IndexFile } from './index-listing.ts';
import type { LockedWheel, PackageStore } from './store.ts';

/** Only the fake resolver knows what these two files declare. */
export const declared: Declared = {
  sources: ['a.py', 'b.py'].map((file) => ({ file, text: 'x' })),
  wheels: [],
  key: 'k',
};

export const never = new AbortController().signal;

/** Returns the content of a file. */
export function textOf(filename: string): string {
  return `content of ${filename}`;
}

const files = [
  ...['x-1', 'y-1', 'z-1', 'requests-2.28.1', 'constructor-1', 'Some_Name.x-1'].map(
    (name) => `${name}-py3-none-any.whl`,
  ),
  'x-1.whl',
  'evil-1.tar.gz',
  'libz-1.zip',
];
const texts = ['mine', 'other', 'third', 'something else', 'wheel', 'other one'];
const hashes = new Map(
  await Promise.all(
    [...texts, ...files.map(textOf)].map(
      async (text) => [text, await sha256Of(new TextEncoder().encode(text))] as const,
    ),
  ),
);

/** Only knows the texts above, because browsers hash asynchronously. */
export function sha256(text: string): string {
  const hash = hashes.get(text);
  if (hash === undefined) throw new Error(`The fixture does not know the hash of “${text}”.`);
  return hash;
}

export function fileUrl(filename: string): string {
  return `https://files.example/${filename}`;
}

export function listed(filename: string, more: Partial<IndexFile> = {}): IndexFile {
  return {
    filename,
    url: fileUrl(filename),
    sha256: sha256(textOf(filename)),
    requiresPython: null,
    yanked: false,
    metadata: { sha256: null },
    ...more,
  };
}

export function resolved(
  filename: string,
  neededBy: readonly string[] = ['a.py'],
  more: Partial<ResolvedWheel> = {},
): ResolvedWheel {
  const [name = '', version = ''] = filename.split('-');
  return { name, version, filename, from: 'index', hashes: [], neededBy, ...more };
}

export function locked(filename: string, more: Partial<LockedWheel> = {}): LockedWheel {
  const [name = '', version = ''] = filename.split('-');
  const hash = sha256(textOf(filename));
  const bytes = textOf(filename).length;
  const place = { from: 'index', sha256: hash, bytes, url: fileUrl(filename) } as const;
  return { name, version, filename, ...place, neededBy: ['a.py'], ...more };
}

export function candidate(filename: string, more: Partial<Candidate> = {}): Candidate {
  const place = { from: 'distribution', url: fileUrl(filename) } as const;
  const facts = { metadata: null, depends: [], sha256: sha256(textOf(filename)) };
  return { filename, ...place, ...facts, ...more };
}

export function resolution(
  wheels: readonly ResolvedWheel[],
  more: Partial<Resolution> = {},
): Resolution {
  return { wheels, problems: [], wanted: [], ...more };
}

export function problem(file: string, more: Partial<Problem> = {}): Problem {
  return {
    severity: 'error',
    code: 'no-such-package',
    file,
    line: 2,
    column: null,
    message: 'There is none.',
    expected: 'one',
    hint: 'Make one.',
    ...more,
  };
}

export class FakePackages {
  readonly wheels = new Map<string, Blob>();
  readonly locks = new Map<string, unknown>();
  readonly listings = new Map<string, unknown>();
  /** Addresses that were requested. */
  readonly fetched: string[] = [];
  /** Content by address, where it differs from {@link textOf}. Null means not found. */
  readonly at = new Map<string, string | null | Error>();
  readonly failures: unknown[] = [];
  readonly steps: PackageStep[] = [];
  /** The requests to the resolver, and its answers; the last answer repeats. */
  readonly asked: ResolveRequest[] = [];
  answers: (ResolveAnswer | Error)[] = [];
  index: Record<string, IndexFile[] | null> = {};
  candidates: Candidate[] = [];
  /** Number of resolvers that were started and ended. */
  readonly resolvers = { started: 0, ended: 0 };
  storage: Error | null = null;

  readonly store: PackageStore = {
    wheel: (hash) => this.#stored(this.wheels.get(hash) ?? null),
    keepWheel: (hash, content) => this.#stored(void this.wheels.set(hash, content)),
    compiled: () => this.#stored(null),
    keepCompiled: () => this.#stored(undefined),
    lock: (key) => this.#stored(this.locks.get(key)),
    keepLock: (key, lock) => this.#stored(void this.locks.set(key, lock)),
    listing: (address) => this.#stored(this.listings.get(address)),
    keepListing: (address, listing) => this.#stored(void this.listings.set(address, listing)),
  };

  readonly download: Download = (signal, { url, onBytes }) => {
    signal.throwIfAborted();
    this.fetched.push(url);
    const content = this.at.has(url) ? this.at.get(url) : textOf(url.split('/').pop() ?? '');
    if (content instanceof Error) return Promise.reject(content);
    if (content === null || content === undefined) return Promise.resolve('not-found');
    const bytes = new TextEncoder().encode(content);
    onBytes?.(bytes.byteLength);
    return Promise.resolve({ bytes, type: 'application/octet-stream' });
  };

  deps(more: Partial<PrepareDeps> = {}): PrepareDeps {
    return {
      download: this.download,
      store: this.store,
      fetchSite: async (signal, url) => {
        const found = await this.download(signal, {
          url: new URL(url, 'https://cloche.example/').href,
          accept: '',
          maxBytes: 1e9,
          localOrigin: '',
        });
        if (found === 'not-found') throw new Error(`${url} answered with status 404`);
        return found.bytes;
      },
      mayFetch: true,
      indexOrigin: 'https://index.example',
      onStorageFailure: (thrown) => this.failures.push(thrown),
      platforms: ['wasm32'],
      list: (signal, project) => {
        signal.throwIfAborted();
        return Promise.resolve(this.index[project] ?? null);
      },
      metadata: (_, { filename }) => Promise.resolve(`METADATA of ${filename}`),
      lockKey: 'key',
      anew: false,
      candidates: () => Promise.resolve(this.candidates),
      openResolver: () => {
        this.resolvers.started += 1;
        return Promise.resolve({
          ask: (_, request) => {
            this.asked.push(request);
            const answer = this.answers.length > 1 ? this.answers.shift() : this.answers[0];
            return answer instanceof Error || answer === undefined
              ? Promise.reject(answer ?? new Error('No answer was prepared.'))
              : Promise.resolve(answer);
          },
          dispose: () => void (this.resolvers.ended += 1),
        });
      },
      check: () => Promise.resolve(),
      now: () => 1_000,
      onStep: (step) => this.steps.push(step),
      ...more,
    };
  }

  #stored<T>(value: T): Promise<T> {
    return this.storage ? Promise.reject(this.storage) : Promise.resolve(value);
  }
}

export function unreachable(): PackageFault {
  return new PackageFault('package-unreachable', 'it cannot be reached', 'Go online.');
}

/** Returns a fake whose resolver chooses these wheels, and whose index has them. */
export function chosen(answer: Resolution): FakePackages {
  const fake = new FakePackages();
  for (const { name, filename } of answer.wheels) fake.index[name] = [listed(filename)];
  fake.answers = [{ need: { projects: Object.keys(fake.index), metadata: [] } }, answer];
  if (answer.wheels.length === 0) fake.answers.shift();
  return fake;
}

/** The problem of a file that lacks this package because it is {@link unreachable}. */
export function missing(file: string, name: string): Problem {
  return {
    severity: 'error',
    code: 'package-unreachable',
    file,
    line: 1,
    column: null,
    message: `The package ${name} 1 is missing: it cannot be reached.`,
    expected: 'packages that can be downloaded or are stored in this browser',
    hint: 'Go online.',
  };
}
