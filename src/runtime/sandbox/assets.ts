/** Fetches the files that go into the sandbox, checks them against the hashes from the build, and starts workers from them. */

import { source } from 'virtual:cloche/file-fetcher';
import { type SandboxAsset, sandboxAssets } from 'virtual:cloche/sandbox-assets';
import type { FetchedFile, WantedFile } from '../protocol/fetched-files.ts';
import type { FrameBoot } from '../protocol/frame.ts';
import { type MessageTap, noTap } from '../protocol/message-tap.ts';
import type { LibraryFiles, PythonFiles } from '../protocol/python.ts';
import { ToolError } from '../spec/error.ts';

/** Files that are still arriving. A frame is prepared with the small `boot` files. */
export interface ArrivingFiles {
  readonly boot: Promise<FrameBoot>;
  readonly wasm: Promise<Blob>;
  readonly python: Promise<PythonFiles>;
}

/** The parts of the standard library that a start does not read. */
export interface LateFiles {
  readonly libraries: Promise<LibraryFiles>;
  /** Arrives last. Fails alone if only this file cannot be used. */
  readonly sources: Promise<Blob>;
}

type Name = SandboxAsset['name'];

const types: Record<Name, string> = {
  broker: 'text/javascript',
  toolWorker: 'text/javascript',
  wasm: 'application/wasm',
  stdlib: 'application/octet-stream',
  lockfile: 'application/json',
  loader: 'application/zip',
  stdlibRest: 'application/octet-stream',
  stdlibSources: 'application/octet-stream',
};

/** Late files in the order of their download. */
const lateFiles: ReadonlySet<Name> = new Set(['stdlibRest', 'stdlibSources']);

/** No import reads it. */
const optionalFile = 'stdlibSources' satisfies Name;

/** Whether an import can wait for the late files. Otherwise Python has to wait for them before tools run. */
export const importsCanWait = 'Suspending' in WebAssembly;

/** Downloads the files once for all interpreters, and again only after a failure. */
export class SandboxFiles {
  readonly #base: string;
  readonly #missingHint: string;
  readonly #tap: MessageTap;
  #needed: ArrivingFiles | null = null;
  #libraries: Promise<LibraryFiles> | null = null;
  #sources: Promise<Blob> | null = null;
  #onBytes: OnBytes = () => undefined;

  /**
   * @param base address of the app
   * @param missingHint what to do if a file cannot be loaded
   */
  constructor(
    base: string,
    missingHint = 'Check the connection, then reload the page.',
    tap = noTap,
  ) {
    this.#base = base;
    this.#tap = tap;
    this.#missingHint = missingHint;
  }

  /** @param onBytes receives the bytes received so far and the total, over all files that a start waits for */
  observe(onBytes: OnBytes): void {
    this.#onBytes = onBytes;
  }

  /** Returns the files, whose download begins with the first call. After a failure, downloads them again. */
  fetch(): ArrivingFiles {
    return (this.#needed ??= this.#fetchNeeded());
  }

  /** Returns the late files, like {@link fetch}. If only the sources have failed, downloads only these again. */
  fetchLate(): LateFiles {
    const libraries = this.#libraries;
    if (libraries === null) {
      const late = sandboxAssets.filter(({ name }) => lateFiles.has(name));
      return this.#keepLate(this.#download(late, () => undefined));
    }
    return { libraries, sources: this.#sources ?? this.#fetchSources() };
  }

  #fetchNeeded(): ArrivingFiles {
    const assets = sandboxAssets.filter(({ name }) => !importsCanWait || !lateFiles.has(name));
    const fetched = this.#download(assets, (...bytes) => {
      this.#onBytes(...bytes);
    });
    const needed = groupArrivingFiles(fetched);
    for (const files of [needed.wasm, needed.python])
      files.catch(() => {
        if (this.#needed === needed) this.#needed = null;
      });
    if (!importsCanWait) this.#keepLate(fetched);
    return needed;
  }

  #keepLate(fetched: FetchedBlob): LateFiles {
    const libraries = fetched('stdlibRest').then((stdlibRest) => ({ stdlibRest }));
    this.#libraries = libraries;
    libraries.catch(() => {
      if (this.#libraries === libraries) this.#libraries = null;
    });
    return { libraries, sources: this.#keepSources(fetched(optionalFile)) };
  }

  #fetchSources(): Promise<Blob> {
    const asset = sandboxAssets.filter(({ name }) => name === optionalFile);
    return this.#keepSources(this.#download(asset, () => undefined)(optionalFile));
  }

  #download(assets: readonly SandboxAsset[], onBytes: OnBytes): FetchedBlob {
    return download(this.#base, assets, this.#missingHint, this.#tap, onBytes);
  }

  #keepSources(sources: Promise<Blob>): Promise<Blob> {
    this.#sources = sources;
    sources.catch(() => {
      if (this.#sources === sources) this.#sources = null;
    });
    return sources;
  }
}

type OnBytes = (received: number, total: number) => void;

type FetchedBlob = (name: Name) => Promise<Blob>;

/** Downloads these files in one worker. The failure of a file that Python needs fails all of them. */
function download(
  base: string,
  assets: readonly SandboxAsset[],
  missingHint: string,
  tap: MessageTap,
  onBytes: OnBytes,
): FetchedBlob {
  const total = assets.reduce(
    (sum, { name, bytes }) => sum + (name === optionalFile ? 0 : bytes),
    0,
  );
  const received = new Map<string, number>();
  const reportReceived = (name: string, bytes: number): void => {
    // Python may have started already.
    if (name === optionalFile) return;
    received.set(name, bytes);
    onBytes(
      [...received.values()].reduce((sum, one) => sum + one, 0),
      total,
    );
  };
  const arriving = new Map(
    assets.map(({ name }) => [name, Promise.withResolvers<Blob>()] as const),
  );
  const wanted = assets.map(({ name, url, sha256, bytes }): WantedFile => {
    const late = lateFiles.has(name);
    return { name, url: new URL(url, base).href, sha256, bytes, type: types[name], late };
  });
  // Python does not start without one of the needed files. The other files fail too, because they may never arrive.
  const fail = (error: ToolError): void => {
    for (const { reject } of arriving.values()) reject(error);
  };
  const worker = startFetcher(wanted, tap, (file) => {
    if ('received' in file) {
      reportReceived(file.name, file.received);
      return;
    }
    if ('fault' in file) {
      const error = faultError(file, wanted, missingHint);
      if (file.name === optionalFile) arriving.get(optionalFile)?.reject(error);
      else fail(error);
      return;
    }
    reportReceived(file.name, file.blob.size);
    arriving.get(file.name as Name)?.resolve(file.blob);
  });
  worker.addEventListener('error', () => {
    fail(noFetcher());
  });
  const all = Array.from(arriving.values(), ({ promise }) => promise);
  void Promise.allSettled(all).then(() => {
    worker.terminate();
  });
  // The page of the component tests has no assets, and never starts Python.
  return async (name) => (await arriving.get(name)?.promise) ?? new Blob();
}

function groupArrivingFiles(blob: FetchedBlob): ArrivingFiles {
  const boot = Promise.all([blob('broker'), blob('toolWorker')]).then(([broker, toolWorker]) => ({
    broker,
    toolWorker,
  }));
  const lockfile = blob('lockfile').then((file) => file.text());
  const python = Promise.all([blob('stdlib'), lockfile, blob('loader'), boot]).then(
    ([stdlib, text, loader]) => ({ stdlib, lockfile: text, loader }),
  );
  return { boot, wasm: blob('wasm'), python };
}

function startFetcher(
  wanted: readonly WantedFile[],
  tap: MessageTap,
  onFile: (file: FetchedFile) => void,
): Worker {
  const worker = tap.watch('files', startScript(source, 'files'));
  worker.addEventListener('message', ({ data }: MessageEvent<FetchedFile>) => onFile(data));
  worker.postMessage(wanted);
  return worker;
}

function faultError(
  { name, fault, status }: Extract<FetchedFile, { fault: unknown }>,
  wanted: readonly WantedFile[],
  missingHint: string,
): ToolError {
  const url = wanted.find((file) => file.name === name)?.url ?? name;
  switch (fault) {
    case 'missing':
      return new ToolError(
        'not-found',
        `${url} could not be loaded (${status === null ? 'no answer' : String(status)})`,
        missingHint,
      );
    case 'stalled':
      return new ToolError(
        'not-found',
        `the download of ${url} stalled`,
        'Check the connection, then open the folder again or reload the page.',
      );
    case 'differs':
      return new ToolError(
        'integrity',
        `${url} is not the file that this version of Cloche was built with`,
        'Reload the page. If that does not help, the site may be in the middle of an update.',
      );
    case 'unchecked':
      return new ToolError(
        'not-supported',
        'Web Crypto is not available here, so Python cannot be verified and was not started',
        'Open Cloche over https:// or from localhost.',
      );
  }
}

function noFetcher(): ToolError {
  return new ToolError(
    'not-supported',
    'The browser did not start the worker that downloads Python',
    'Reload the page. If that does not help, an extension or a policy may be blocking workers.',
  );
}

/** Starts a worker from a script's text, so that it needs no file and has the policy of its page. */
export function startScript(source: string, name: string): Worker {
  const address = URL.createObjectURL(new Blob([source], { type: 'text/javascript' }));
  const worker = new Worker(address, { name });
  const revoke = (): void => URL.revokeObjectURL(address);
  // The browser has read the script by then.
  for (const type of ['message', 'error']) worker.addEventListener(type, revoke, { once: true });
  return worker;
}
