/** The requests of a program that controls the browser, such as `npx cloche`, to the page. All values are JSON. */

import type { ModelInfo, ProviderKind } from '../spec/model.ts';
import type { Problem } from '../spec/folder.ts';
import type { TestStatus } from '../spec/saved-test.ts';

/** Permissions that replace the user's answers. All other questions are refused at once. */
export interface Allowed {
  /** Calls of tools that require approval, and questions that tools ask with `context.approve`. */
  readonly approvals: boolean;
  /** The powers that extensions of the folder need. */
  readonly extensions: boolean;
  /** Downloads of the packages that the folder declares. */
  readonly packages: boolean;
  /** Writing what tools change in the workspace, except for files that run by themselves. */
  readonly writes: boolean;
  /** Origins to which tools may send requests. */
  readonly origins: readonly string[];
  /** Values of the settings that files declare, by the setting's name. They are never stored. */
  readonly secrets: Readonly<Record<string, string>>;
}

/** A folder that the server of this page lists and reads. */
export interface ServedFolder {
  readonly name: string;
  /** Path below the page's own address; ends with a slash. */
  readonly path: string;
}

export interface EndpointModel {
  readonly kind: ProviderKind;
  readonly provider: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
}

export interface FoundEvaluation {
  /** Path inside the folder. */
  readonly path: string;
  readonly problems: readonly {
    readonly line: number;
    readonly message: string;
    readonly hint: string;
  }[];
}

export interface TestRun {
  readonly tests: readonly TestStatus[];
  /** Problems of the test files. */
  readonly problems: readonly Problem[];
}

export interface Evaluating {
  readonly path: string;
  /** `provider/model` */
  readonly model: string;
  /** Number of trials; undefined leaves it to the file. */
  readonly repeats?: number | undefined;
  /** Missing limits have the defaults of the page. */
  readonly limits: { readonly requests?: number; readonly tokens?: number; readonly cost?: number };
}

/** The requested value, or the reason why there is none. */
export type Answer<T> = { readonly value: T } | { readonly error: string };

export interface Headless {
  /**
   * Opens a folder, and watches it. A user answers the questions and chooses the workspace if `allowed` is null.
   * @returns the folder's errors
   */
  openFolder(
    folder: ServedFolder,
    allowed: Allowed | null,
    workspace: ServedFolder | null,
  ): Promise<Answer<readonly Problem[]>>;
  /** @returns what is known about the model */
  addModel(model: EndpointModel): Promise<Answer<Pick<ModelInfo, 'price'>>>;
  evaluations(): Promise<Answer<readonly FoundEvaluation[]>>;
  /** Runs an evaluation to its end. @returns its results, as the page saves them */
  evaluate(asked: Evaluating): Promise<Answer<string>>;
  /** Runs the saved tests whose name, tool or file contains the text. */
  runTests(only: string): Promise<Answer<TestRun>>;
  /** Resolves when this page answers requests of the API. */
  apiReady(): Promise<Answer<true>>;
  /** One sentence for each question that was refused, and each change that waits, because no user could be asked. */
  refused(): readonly string[];
}

/**
 * The type of the global function `clocheDriver`, which a program defines before the page's first script runs. Only a
 * program that controls the browser can do that; links, pages around this one, and tools cannot.
 */
export type Driver = (headless: Headless) => void;
