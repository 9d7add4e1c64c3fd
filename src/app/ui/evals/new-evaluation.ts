/** Writes a new evaluation into the open folder, and shows it. */

import type { NewEvaluation } from '../../../agent/evals/evals.ts';
import { addFile } from '../editor/add-file.ts';
import type { Ui } from '../shell/ui.svelte.ts';

/** @throws {ToolError} if the file cannot be written */
export async function addEvaluation(ui: Ui, { name, text }: NewEvaluation): Promise<void> {
  await addFile(ui, `evals/${name}`, '.yaml', text, (path) => ({ at: 'eval', id: path }));
}

/**
 * Makes an evaluation of a session, or of one of its calls.
 *
 * @param callId null for all calls of the session
 * @throws {ToolError}
 */
export async function makeEvaluation(
  ui: Ui,
  session: string,
  callId: string | null,
): Promise<void> {
  const evals = await ui.controls.evals();
  await addEvaluation(ui, await evals.fromSession(session, callId));
}
