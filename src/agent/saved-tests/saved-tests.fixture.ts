/** Saved tests over a fake folder, whose calls and comparisons the test answers. */

import { fakeSuccess } from '../../runtime/call/logged-call.fixture.ts';
import { fakeFolder } from '../../runtime/folder/folder.fixture.ts';
import { fakeTool } from '../../runtime/scan/tool.fixture.ts';
import type { CallEvent, ToolCall } from '../../runtime/spec/call.ts';
import type { FolderSnapshot } from '../../runtime/spec/folder.ts';
import type { ToolResult } from '../../runtime/spec/result.ts';
import type { RegisteredTool } from '../../runtime/spec/tool.ts';
import { StoredTestResults } from './kept-results.ts';
import { SavedTests } from './saved-tests.ts';

export class FakeTestsFolder {
  readonly calls: ToolCall[] = [];
  readonly opened: string[] = [];
  readonly closed: string[] = [];
  readonly judged: (readonly [expect: string, outcome: string])[] = [];
  folder: FolderSnapshot;
  answer: (call: ToolCall, signal: AbortSignal) => ToolResult | Promise<ToolResult> = () =>
    fakeSuccess('2');
  judge: (expect: string, outcome: string) => readonly string[] | Promise<readonly string[]> =
    () => [];
  approval: RegisteredTool['requires_approval'] = false;
  readonly tests: SavedTests;
  #listener: (event: CallEvent) => void = () => undefined;
  #rights = new Map<string, { isAllowed(tool: string): boolean }>();

  /** Hash of the tools' files. */
  hash = 'first';

  /** @param memory keeps results over reloads */
  constructor(
    files: Readonly<Record<string, string>>,
    memory: Pick<Storage, 'getItem' | 'setItem'> | null = null,
  ) {
    const results = new StoredTestResults(memory, 'results');
    this.folder = fakeFolder(files);
    let ids = 0;
    this.tests = new SavedTests({
      files: () => this.folder.files,
      registry: {
        get: (name) => ({
          ...fakeTool(name, { requires_approval: this.approval }),
          hash: this.hash,
          loadedAt: 0,
          state: 'ready',
        }),
      },
      folder: { settled: () => Promise.resolve() },
      currentFolder: { id: 'folder' },
      calls: {
        call: async (signal, call) => {
          this.calls.push(call);
          return this.answer(call, signal);
        },
        observe: (listener) => {
          this.#listener = listener;
          return () => {
            this.#listener = () => undefined;
          };
        },
      },
      interpreters: {
        judge: async (_, __, expect, outcome) => {
          this.judged.push([expect, outcome]);
          return this.judge(expect, outcome);
        },
      },
      openSessions: {
        open: (id, rights) => {
          this.opened.push(id);
          if (rights !== undefined) this.#rights.set(id, rights);
        },
        close: (id) => this.closed.push(id),
      },
      newId: () => String((ids += 1)),
      results,
      report: (thrown) => {
        throw thrown;
      },
    });
  }

  emit(event: CallEvent): void {
    this.#listener(event);
  }

  isAllowed(session: string, tool: string): boolean {
    return this.#rights.get(session)?.isAllowed(tool) === true;
  }

  /** Changes the folder's files, as a save does. */
  write(files: Readonly<Record<string, string>>): void {
    const kept = this.folder.files.filter(({ path }) => !(path in files));
    this.folder = { ...this.folder, files: [...kept, ...fakeFolder(files).files] };
  }

  /** Name and state of each test. */
  get states(): readonly string[] {
    return this.tests.view.tests.map(({ test, state }) => `${test.name}: ${state}`);
  }
}

/** The text of a test file. */
export function testFile(...tests: readonly Record<string, unknown>[]): string {
  return JSON.stringify(tests, null, 2);
}

/** Storage in memory. */
export function fakeMemory(): Pick<Storage, 'getItem' | 'setItem'> {
  const texts = new Map<string, string>();
  return {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => {
      texts.set(key, text);
    },
  };
}
