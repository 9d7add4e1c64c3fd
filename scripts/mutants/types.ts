/** A mutant: a patch that removes one guard, and the tests that should fail. */

export interface Mutant {
  /** The guard's effect; unique. */
  readonly name: string;
  readonly file: string;
  /** Text that is in the file exactly once. */
  readonly find: string;
  readonly replace: string;
  readonly tests: TestSet;
}

/** Tests of the lowest layer that fails. */
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
  /** Why there is no outcome; null if there is one. */
  readonly broken: string | null;
}
