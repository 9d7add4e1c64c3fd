/**
 * Prepares the packages that folders declare: from the folder, this site, the browser's storage, or, if the
 * user allows it, the network.
 */

import { sha256Of } from '../spec/bytes.ts';
import {
  distribution,
  platforms,
  pyodideVersion,
  resolver,
  siteWheels,
} from 'virtual:cloche/packages';
import { CompiledPackages } from '../packages/compiled.ts';
import type { Declared } from '../packages/declared.ts';
import { downloadWhile, downloadWith } from '../packages/download.ts';
import { indexLinks, indexMetadata, listProject } from '../packages/index-listing.ts';
import type { Candidate, PrepareDeps } from '../packages/prepare.ts';
import { checkWheel, wheelMetadata } from '../packages/check-wheel.ts';
import { wheelContent } from '../packages/wheel-content.ts';
import type { Wanted } from '../protocol/packages.ts';
import type { Send } from '../grants/network-sender.ts';
import type { PackageStore } from '../packages/store.ts';
import type { ForSpare } from '../sandbox/interpreter-allocator.ts';
import type { InterpreterSource } from '../sandbox/interpreter-source.ts';
import type { Interpreter } from '../sandbox/interpreter.ts';
import type { Limits } from '../spec/limits.ts';
import type { Wheel } from '../spec/wheel.ts';
import type { PreparePackages } from '../open-folder/opened-packages.ts';
import type { PolicyConnection } from './policy.ts';
import { asFields, isRecord, stringsIn } from '../spec/guards.ts';

export interface PackageDeps {
  /** Where the files of Cloche are, with a trailing slash. */
  readonly base: URL;
  readonly window: Window;
  readonly limits: Limits;
  readonly store: PackageStore;
  readonly send: Send;
  readonly policy: Pick<PolicyConnection, 'policies' | 'questions' | 'requests' | 'follow'>;
  readonly interpreters: InterpreterSource;
  /** Returns a key of all files in the sandbox. */
  readonly sandboxKey: () => Promise<string>;
  /** Resolves when the open folder's id is known. Never rejects. */
  readonly remembered: () => Promise<void>;
  readonly onStorageFailure: (thrown: unknown) => void;
}

export interface PackageConnection {
  readonly prepare: PreparePackages;
  /**
   * Starts an interpreter and installs these wheels.
   * @param options.spare whether no caller is waiting for it
   * @throws {ToolError}
   */
  readonly take: (
    signal: AbortSignal,
    wheels: readonly Wheel[],
    options: ForSpare,
  ) => Promise<Interpreter>;
  /** Compiles the packages of the folder that was opened last, for later interpreters. @throws if it fails */
  readonly compile: (signal: AbortSignal) => Promise<void>;
  /** Makes the next opening of the folder resolve its packages again. */
  renew(): void;
}

export function connectPackages(deps: PackageDeps): PackageConnection {
  const { base, window, limits, policy, interpreters, store, send, onStorageFailure } = deps;
  const { policies, questions, requests: log } = policy;
  const now = (): number => Date.now();
  const isOnline = (): boolean => window.navigator.onLine;
  const appOrigin = window.location.origin;
  const download = downloadWith({ send, log, appOrigin, isOnline, now });
  const fetchSite = siteFetcher(base);
  /** Keys of the resolution used last, and of the one to renew. */
  let lastKey = '';
  let renewedKey: string | null = null;

  const prepare: PreparePackages = async (signal, { declared, onStep, reload }) => {
    await deps.remembered();
    policy.follow();
    await policies.loaded();
    signal.throwIfAborted();
    const own = policies.current;
    const grant = own.packages;
    const index = { url: grant.index, origin: new URL(grant.index).origin };
    const mayFetch = grant.decision === 'allow';
    const key = await lockKey(declared, index.url);
    signal.throwIfAborted();
    lastKey = key;
    const anew = key === renewedKey;
    renewedKey = null;
    const isAllowed = (): boolean =>
      own.packages.decision === 'allow' && own.packages.index === grant.index;
    const fetching = {
      download: downloadWhile(isAllowed, download),
      store,
      fetchSite,
      mayFetch,
      indexOrigin: index.origin,
      onStorageFailure,
    };
    const listing = { ...fetching, linksOf: indexLinks };
    const wheelsInFolder = declared.wheels.map(({ path, bytes }) => ({
      filename: path.slice('wheels/'.length),
      content: new Blob([new Uint8Array(bytes)]),
    }));
    let candidates: Promise<readonly Candidate[]> | null = null;
    const parts: PrepareDeps = {
      ...fetching,
      lockKey: key,
      anew,
      platforms,
      list: (stop, project) => listProject(stop, listing, index, project),
      metadata: async (stop, file) => {
        const alone = await indexMetadata(stop, fetching.download, file, index.origin);
        if (alone !== null) return alone;
        const wheel = { ...file, from: 'index' } as const;
        const { content } = await wheelContent(stop, fetching, wheel, undefined, () => undefined);
        return wheelMetadata(stop, content, file.filename, limits);
      },
      candidates: () =>
        (candidates ??= allCandidates(signal, wheelsInFolder, limits, () =>
          fetchSite(signal, distribution.url, distribution.integrity),
        )),
      openResolver: async (stop) => {
        const archive = new Blob([await fetchSite(stop, resolver.url, resolver.integrity)]);
        const python = await interpreters.take(stop, { quiet: true });
        // The folder's own interpreter can start meanwhile.
        interpreters.warm();
        return {
          ask: (signal, request) => python.resolve(signal, archive, request),
          dispose: () => python.dispose(),
        };
      },
      check: (stop, content, filename) => checkWheel(stop, content, filename, limits),
      now,
      onStep,
    };
    const askFor = (wanted: readonly Wanted[]): void => {
      if (wanted.length > 0 && grant.decision === 'ask')
        void ask(signal, wanted, grant.index, reload);
    };
    return { ...parts, askFor };
  };

  async function ask(
    signal: AbortSignal,
    wanted: readonly Wanted[],
    index: string,
    reload: () => Promise<void>,
  ): Promise<void> {
    const asking = {
      tool: '',
      file: wanted[0]?.file ?? '',
      callId: 'packages',
      caller: 'user',
    } as const;
    const { reply } = await questions.ask(signal, { kind: 'packages', wanted, index, ...asking });
    if (reply !== 'visit' && reply !== 'always' && reply !== 'never') return;
    policies.current.allowPackages(reply);
    if (reply !== 'never') await reload();
  }

  const compiled = new CompiledPackages({
    limits,
    store,
    sandboxKey: deps.sandboxKey,
    compile: async (signal, wheels) => {
      const python = await interpreters.take(signal, { quiet: true });
      try {
        // The bytes belong to the frame, so copy them before it is removed.
        const compiled = await python.compilePackages(signal, wheels, limits);
        return new Blob([await compiled.arrayBuffer()]);
      } finally {
        python.dispose();
      }
    },
  });
  return {
    prepare,
    take: (signal, wheels, { spare }) =>
      compiled.startWith(signal, wheels, () => interpreters.take(signal, { quiet: spare })),
    compile: (signal) => compiled.make(signal),
    renew: () => {
      renewedKey = lastKey;
    },
  };
}

async function allCandidates(
  signal: AbortSignal,
  inFolder: readonly { readonly filename: string; readonly content: Blob }[],
  limits: Limits,
  distribution: () => Promise<Uint8Array<ArrayBuffer>>,
): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const { filename, content } of inFolder) {
    // An invalid wheel is listed too, so that the error can say that it exists but is not a wheel.
    const metadata = await wheelMetadata(signal, content, filename, limits).catch(() => null);
    signal.throwIfAborted();
    found.push({ from: 'folder', filename, url: '', sha256: null, depends: null, metadata });
  }
  for (const { filename, url, sha256, metadata } of siteWheels)
    found.push({ from: 'site', filename, url, sha256, metadata, depends: null });
  const lockFile = await distribution().catch(() => null);
  return lockFile === null
    ? found
    : [...found, ...distributionWheels(new TextDecoder().decode(lockFile), pyodideVersion)];
}

function siteFetcher(
  base: URL,
): (signal: AbortSignal, url: string, integrity?: string) => ReturnType<PrepareDeps['fetchSite']> {
  return async (signal, url, integrity = '') => {
    // @mutant the hashes of the package resolver and of the list of packages => without , integrity [cold
    //   tests/integrity.test.ts the package resolver: refused if altered]
    const response = await fetch(new URL(url, base), { redirect: 'error', signal, integrity });
    if (!response.ok) throw new Error(`${url} answered with status ${response.status}`);
    return new Uint8Array(await response.arrayBuffer());
  };
}

/**
 * Returns the key under which a resolution is stored. It covers the contents of the folder's wheels, so that
 * another folder cannot decide what is installed with wheels of the same names.
 */
async function lockKey({ key, wheels }: Declared, index: string): Promise<string> {
  const site = siteWheels.map(({ sha256 }) => sha256);
  const hashes = await Promise.all(wheels.map(({ bytes }) => sha256Of(new Uint8Array(bytes))));
  const text = JSON.stringify([pyodideVersion, index, site, hashes.sort(), key]);
  return sha256Of(new TextEncoder().encode(text));
}

/**
 * Lists the packages of Pyodide's distribution from its lock file:
 * https://pyodide.org/en/stable/development/abi.html.
 *
 * @param lockFile the lock file of exactly this version of Pyodide
 */
export function distributionWheels(lockFile: string, version: string): Candidate[] {
  const base = `https://cdn.jsdelivr.net/pyodide/v${version}/full/`;
  const listed = JSON.parse(lockFile) as unknown;
  const packages = asFields(asFields(listed).packages);
  return Object.values(packages).flatMap((one): Candidate[] => {
    if (!isRecord(one)) return [];
    const { name, version: of, file_name: filename, sha256, depends, package_type: type } = one;
    if (typeof name !== 'string' || typeof of !== 'string') return [];
    if (typeof filename !== 'string' || typeof sha256 !== 'string') return [];
    const isWheel = filename.endsWith('.whl');
    // Entries of other types are tests of packages, which no index has under these names.
    if (!isWheel && type !== 'shared_library') return [];
    return [
      {
        from: 'distribution',
        name,
        version: of,
        filename,
        metadata: null,
        depends: stringsIn(depends),
        url: new URL(filename, base).href,
        sha256,
        ...(isWheel ? {} : { tagless: true }),
      },
    ];
  });
}
