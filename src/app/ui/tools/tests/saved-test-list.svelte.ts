/** The saved tests as the page shows them. */

import type { FolderTests } from '../../../../agent/saved-tests/folder-tests.ts';
import type { TestSelection, TestsView } from '../../../../agent/saved-tests/saved-tests.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import type { ToolResult } from '../../../../runtime/spec/result.ts';
import type { TestStatus } from '../../../../runtime/spec/saved-test.ts';
import { Observed } from '../../parts/observed.ts';

/** A run that is being saved as a test. */
export interface SavedRun {
  readonly tool: string;
  readonly arguments: JsonText;
  readonly result: ToolResult;
}

interface Shown {
  readonly view: TestsView;
  readonly pending: readonly string[];
}

const nothing: Shown = {
  view: { tests: [], problems: [], passed: 0, failed: 0, running: null },
  pending: [],
};

export class SavedTestList {
  readonly ready: Promise<FolderTests>;
  /** Null until the code for tests has loaded. */
  #control: FolderTests | null = $state.raw(null);
  #shown: Observed<Shown> = $state.raw(new Observed(() => nothing));
  readonly #failing = $derived(
    new Set(
      this.view.tests.flatMap(({ test, state, isStale }) =>
        state === 'failed' && !isStale ? [test.tool] : [],
      ),
    ),
  );
  readonly #byTool = $derived(Map.groupBy(this.view.tests, ({ test }) => test.tool));

  constructor(ready: Promise<FolderTests>) {
    this.ready = ready;
    ready.then(
      (control) => {
        this.#control = control;
        this.#shown = new Observed(
          () => ({ view: control.tests.view, pending: control.pending }),
          control.tests,
        );
      },
      // The page shows that its parts could not be loaded.
      () => undefined,
    );
  }

  get view(): TestsView {
    return this.#shown.current.view;
  }

  /** Test files that are kept in this browser. */
  get pending(): readonly string[] {
    return this.#shown.current.pending;
  }

  ofTool(tool: string): readonly TestStatus[] {
    return this.#byTool.get(tool) ?? [];
  }

  /** Whether a test of the tool has failed. */
  fails(tool: string): boolean {
    return this.#failing.has(tool);
  }

  run(selection: TestSelection = {}): void {
    void this.#control?.tests.run(selection);
  }

  /** Deletes a test file that is kept in this browser. */
  async removePending(path: string): Promise<void> {
    await this.#control?.removePending(path);
  }

  /** The text of such a file. */
  textOf(path: string): string {
    return this.#control?.textOf(path) ?? '';
  }

  stop(): void {
    this.#control?.tests.stop();
  }
}
