/**
 * The file worker: downloads files and checks their hashes, which would block the page for large files. The page gets
 * blobs, whose bytes are not copied.
 */

import type { FetchedFile, WantedFile } from '../../src/runtime/protocol/fetched-files.ts';

declare const self: DedicatedWorkerGlobalScope;

/** A download without data for this long is aborted; milliseconds. */
const silentMs = 30_000;
/** Interval between progress messages; milliseconds. */
const progressMs = 100;
/**
 * Number of downloads that run at once. They start in the given order; late files come last, one at
 * a time. Browsers open few connections to a site, and the page needs some.
 */
const atOnce = 2;
/** The first late file is requested when so many bytes of the others are missing, so that the line is never idle. */
const headStartBytes = 500_000;

self.onmessage = ({ data }: MessageEvent<readonly WantedFile[]>) => {
  const early = data.filter(({ late }) => !late);
  const late = data.filter(({ late }) => late);
  let missing = early.reduce((sum, { bytes }) => sum + bytes, 0) - headStartBytes;
  const almostDone = new Promise<void>((resolve) => {
    void download(early, atOnce, (bytes) => {
      missing -= bytes;
      if (missing <= 0) resolve();
    }).then(resolve);
  });
  void almostDone.then(() => download(late, 1));
};

/** @param onBytes receives the length of each piece that arrives */
async function download(
  files: readonly WantedFile[],
  atOnce: number,
  onBytes: (bytes: number) => void = () => undefined,
): Promise<void> {
  const waiting = files.values();
  const inTurn = async (): Promise<void> => {
    for (const wanted of waiting) post(await fetchFile(wanted, onBytes));
  };
  await Promise.all(Array.from({ length: atOnce }, inTurn));
}

function post(file: FetchedFile): void {
  self.postMessage(file);
}

/** Downloads and checks one file. @param onBytes receives the length of each piece that arrives */
async function fetchFile(
  { name, url, sha256, bytes, type }: WantedFile,
  onBytes: (bytes: number) => void,
): Promise<FetchedFile> {
  const timeout = new SilenceTimeout();
  const response = await fetch(url, { redirect: 'error', signal: timeout.signal }).catch(
    () => null,
  );
  const status = response?.status ?? null;
  const missing = (): FetchedFile => {
    return { name, fault: timeout.signal.aborted ? 'stalled' : 'missing', status };
  };
  if (!response?.ok || response.body === null) return missing();
  const onReceived = (received: number): void => post({ name, received });
  const content = await read(response.body, bytes, timeout, onBytes, onReceived).catch(() => null);
  timeout.end();
  if (content === null) return missing();
  if (content === 'longer') return { name, fault: 'differs', status };
  // Absent if the page was loaded over plain HTTP from another machine: then no file can be checked, and none is used.
  const subtle = (crypto as Partial<Crypto>).subtle;
  if (!subtle) return { name, fault: 'unchecked', status };
  const digest = new Uint8Array(await subtle.digest('SHA-256', content));
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
  // @mutant the hash of what goes into the sandbox => never
  if (hash !== sha256) return { name, fault: 'differs', status };
  return { name, blob: new Blob([content], { type }) };
}

/** Reads a body of at most so many bytes. @param onReceived receives the length so far, from time to time */
async function read(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  bytes: number,
  timeout: SilenceTimeout,
  onBytes: (bytes: number) => void,
  onReceived: (received: number) => void,
): Promise<Uint8Array<ArrayBuffer> | 'longer'> {
  const content = new Uint8Array(bytes);
  let received = 0;
  let lastProgress = performance.now();
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return content.subarray(0, received);
    timeout.restart();
    // @mutant the size of what goes into the sandbox => return 'longer' -> continue
    if (received + value.byteLength > bytes) return 'longer';
    content.set(value, received);
    received += value.byteLength;
    onBytes(value.byteLength);
    if (performance.now() - lastProgress < progressMs) continue;
    lastProgress = performance.now();
    onReceived(received);
  }
}

/** Aborts its signal when no data arrives for {@link silentMs}. */
class SilenceTimeout {
  readonly #stop = new AbortController();
  #timer = this.#begin();

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = this.#begin();
  }

  end(): void {
    clearTimeout(this.#timer);
  }

  #begin(): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#stop.abort(), silentMs);
  }
}
