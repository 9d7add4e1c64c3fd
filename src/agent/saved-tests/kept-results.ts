/** The last results of saved tests, kept in this browser so that a reload does not lose them. */

import { createFingerprint } from '../../runtime/spec/fingerprint.ts';
import { asObject, isStrings, parseJson } from '../../runtime/spec/guards.ts';
import type { SavedTest, TestResult, TestStatus } from '../../runtime/spec/saved-test.ts';
import { recall, remember } from '../../runtime/spec/browser-storage.ts';

type Memory = Pick<Storage, 'getItem' | 'setItem'>;

/** The outcome of a test, and the version of the tool's file. */
export interface StoredTestResult extends Pick<TestStatus, 'reasons' | 'result'> {
  readonly state: 'passed' | 'failed';
  /** SHA-256 of the tool's file at the time; empty if there was no such tool. */
  readonly hash: string;
}

/** Limit for the results of all folders in characters. Local storage holds about 5 million. */
const maxChars = 400_000;
/** Longer results are not kept; characters. */
const maxResultChars = 2_000;

export class StoredTestResults {
  readonly #memory: Memory | null;
  readonly #key: string;

  /** @param memory null if the browser refuses storage */
  constructor(memory: Memory | null, key: string) {
    this.#memory = memory;
    this.#key = key;
  }

  /** The results of tests that have not changed since they ran, by the id of the test. */
  load(folderId: string, tests: readonly SavedTest[]): ReadonlyMap<string, StoredTestResult> {
    const stored = asMap(this.#folders().get(folderId));
    const found = tests.flatMap((test): [string, StoredTestResult][] => {
      const [mark, kept] = readKept(stored.get(test.id));
      return kept !== null && mark === markOf(test) ? [[test.id, kept]] : [];
    });
    return new Map(found);
  }

  /**
   * Replaces the results of a folder. Results of the folders that were tested longest ago make
   * room.
   */
  save(folderId: string, results: readonly (readonly [SavedTest, StoredTestResult])[]): void {
    const folders = this.#folders();
    folders.delete(folderId);
    const entries = results.map(([test, { state, reasons, result, hash }]) => [
      test.id,
      {
        mark: markOf(test),
        state,
        hash,
        reasons: reasons.slice(0, 5).map((reason) => reason.slice(0, 300)),
        result: result !== null && result.text.length <= maxResultChars ? result : null,
      },
    ]);
    if (entries.length > 0) folders.set(folderId, Object.fromEntries(entries));
    let text = JSON.stringify(Object.fromEntries(folders));
    while (text.length > maxChars) {
      folders.delete([...folders.keys()][0] ?? '');
      text = JSON.stringify(Object.fromEntries(folders));
    }
    remember(this.#memory, this.#key, text);
  }

  #folders(): Map<string, unknown> {
    return asMap(parseJson(recall(this.#memory, this.#key)));
  }
}

/** Identifies the text of a test. */
function markOf({ name, tool, arguments: args, expect }: SavedTest): string {
  const mark = createFingerprint();
  for (const text of [name, tool, args, expect ?? '']) mark.add(text);
  return mark.value();
}

function readKept(stored: unknown): [mark: unknown, kept: StoredTestResult | null] {
  const { mark, state, hash, reasons, result } = asObject(stored);
  if ((state !== 'passed' && state !== 'failed') || typeof hash !== 'string' || !isStrings(reasons))
    return [mark, null];
  return [mark, { state, hash, reasons, result: readResult(result) }];
}

function readResult(stored: unknown): TestResult | null {
  const { resultType, text, isJson, callId, durationMs } = asObject(stored);
  const isResult =
    (resultType === 'success' || resultType === 'failure') &&
    typeof text === 'string' &&
    typeof isJson === 'boolean' &&
    typeof callId === 'string' &&
    typeof durationMs === 'number';
  return isResult ? { resultType, text, isJson, callId, durationMs } : null;
}

function asMap(stored: unknown): Map<string, unknown> {
  return new Map(Object.entries(asObject(stored)));
}
