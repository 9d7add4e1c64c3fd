/** The parts of the standard library that Python gets only when something needs them: it asks for them and waits. */

import type { PyodideAPI } from 'pyodide';
import type { PyProxy } from 'pyodide/ffi';
import type { FileForPython, LibraryFiles } from '../../src/runtime/protocol/python.ts';
import { completeStdlib } from './write-libraries.ts';

/** cloche.late_library */
interface Hook extends PyProxy {
  /** @returns the names of all modules that are missing, and in a second line those of the standard library and `cloche` */
  wait_for(library: () => Promise<unknown>, sources: () => Promise<unknown>): string;
  arrived(all: number): void;
}

/** Import statements of a whole file. Those in blocks, and names in parentheses, are left out: they wait when they are reached. */
const importPattern =
  /^(?:from[ \t]+([\w.]+)[ \t]+import[ \t]+([\w, \t]+)|import[ \t]+([\w., \t]+))/gm;

/** Time that a traceback waits for its lines; milliseconds. */
const sourcesMs = 300;

/** Asks the page once for all files that are missing, and adds them to Python's. */
export class LateLibrary {
  readonly #ask: () => void;
  #wanted: PromiseWithResolvers<null> | null = null;
  readonly #sources = Promise.withResolvers<null>();
  /** Null: Python has not started, or nothing is missing. */
  #hook: Hook | null = null;
  #missing: ReadonlySet<string> = new Set();
  #standard: ReadonlySet<string> = new Set();
  #isWhole = false;
  /** Whether packages have been installed, so that other modules than those of frameworks may be imported. */
  hasPackages = false;

  /** @param ask asks the page for the files */
  constructor(ask: () => void) {
    this.#ask = ask;
  }

  /** Lets imports wait from now on. Call it before any code of a tool runs. */
  expect(pyodide: PyodideAPI): void {
    if (this.#isWhole) return;
    const hook = pyodide.pyimport('cloche.late_library') as Hook;
    const lists = hook.wait_for(
      () => this.whole(),
      () => this.#sourcesSoon(),
    );
    const [missing = '', standard = ''] = lists.split('\n');
    this.#missing = new Set(missing.split(' '));
    this.#standard = new Set(standard.split(' '));
    this.#hook = hook;
  }

  /** Resolves when all modules are there. @throws {Error} if they could not be loaded; asks again at the next call */
  whole(): Promise<null> {
    if (this.#isWhole) return Promise.resolve(null);
    if (this.#wanted === null) {
      this.#wanted = Promise.withResolvers();
      this.#ask();
    }
    return this.#wanted.promise;
  }

  /** Adds the files; null if the page could not load them. */
  async add(pyodide: PyodideAPI, libraries: LibraryFiles | null): Promise<void> {
    const wanted = this.#wanted;
    // Without stack switching, the page sends the files at the start, and again when they are wanted.
    if (this.#isWhole) return;
    if (libraries === null) {
      this.#wanted = null;
      wanted?.reject(new Error('The rest of Python’s standard library could not be loaded.'));
      return;
    }
    // A tool may have removed the archive.
    await completeStdlib(pyodide, libraries.stdlibRest, 0).catch(() => undefined);
    this.#isWhole = true;
    this.#hook?.arrived(0);
    wanted?.resolve(null);
  }

  /** Adds the sources of the byte code, after the modules of this size. */
  async addSources(pyodide: PyodideAPI, sources: Blob, size: number): Promise<void> {
    await completeStdlib(pyodide, sources, size).catch(() => undefined);
    this.#hook?.arrived(1);
    this.#hook?.destroy();
    this.#hook = null;
    this.#sources.resolve(null);
  }

  /** Waits for the sources, but not long: only tracebacks and `inspect` read them. */
  async #sourcesSoon(): Promise<void> {
    const asked = this.whole();
    const late = new Promise((resolve) => setTimeout(resolve, sourcesMs));
    await Promise.race([asked.then(() => this.#sources.promise), late]).catch(() => undefined);
  }

  /**
   * Whether these files import a module that is missing. A module of neither the standard library nor these files may be
   * of another framework, for which the loader needs more.
   */
  isNeededBy(files: readonly FileForPython[]): boolean {
    if (this.#isWhole) return false;
    const own = new Set(files.map(({ path }) => path.replace(/[./].*/, '')));
    const decoder = new TextDecoder();
    return files.some(
      ({ path, bytes }) =>
        path.endsWith('.py') &&
        importedBy(decoder.decode(bytes)).some((name) => this.#needs(name, own)),
    );
  }

  #needs(name: string, own: ReadonlySet<string>): boolean {
    const [top = ''] = name.split('.');
    if (this.#missing.has(name)) return true;
    return !this.hasPackages && !(top === '' || this.#standard.has(top) || own.has(top));
  }
}

/** Names of the imported modules, and of what is imported from them, which may be modules. */
function importedBy(text: string): string[] {
  const found: string[] = [];
  for (const [, from = '', names = '', modules = ''] of text.matchAll(importPattern)) {
    const inModule = names.split(',').map((name) => `${from}.${name.trim()}`);
    found.push(...(modules === '' ? [from, ...inModule] : modules.split(',')));
  }
  return found.map((name) => name.trim().split(/\s/)[0] ?? '');
}
