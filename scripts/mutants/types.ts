/** A mutant: a patch that removes one guard, and the tests that should fail. */

export interface Mutant {
  /** Unique; what the guard does. */
  readonly name: string;
  readonly file: string;
  /** Text that is in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly tests: TestSet;
  /** Only the tests tagged `@full` notice. */
  readonly full?: true;
}

/** Tests of one layer, the lowest that notices. */
export type TestSet =
  | { readonly unit: readonly string[] }
  /** Modules of workers/python/tests. */
  | { readonly python: readonly string[] }
  | { readonly browser: BrowserTest };

export interface BrowserTest {
  /** Playwright's. */
  readonly project: string;
  readonly file: string;
  readonly title: string;
}

/** How a run of tests ended. */
export interface Outcome {
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Why there is no outcome; null: there is one. */
  readonly broken: string | null;
}
