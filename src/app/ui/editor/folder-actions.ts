/** Creates folders and files, renames and deletes them, and exports the folder. */

import { pathFault } from '../../../runtime/folder/path-rules.ts';
import { testRunner } from '../../../runtime/folder/tool-files.ts';
import { errorText, ToolError } from '../../../runtime/spec/error.ts';
import { saveFile } from '../parts/save-file.ts';
import type { Ui } from '../shell/ui.svelte.ts';
import type { SaveOutcome } from '../../../runtime/open-folder/folder-editing.ts';
import type { DeletedFile } from './deleted-files.svelte.ts';
import { pythonProgram } from './python-program.ts';
import { isStillOpen, openFolderKey } from './folder-key.ts';
import { offerFor } from './spec-offer.ts';
import { firstFileOf, newFileText, toolTemplate } from './template.ts';
import { bytesOf } from './text-bytes.ts';

/** Creates a folder with a first tool file, opens it, and shows the file in the editor. */
export async function createFolder(ui: Ui, name: string): Promise<void> {
  const fault = pathFault(name);
  if (fault !== undefined || name.includes('/'))
    throw new ToolError('bad-input', 'A folder’s name cannot contain / or \\, or be . or ..');
  const path = firstFileOf(name);
  await ui.createFolder(name, { [path]: toolTemplate(path) }, { at: 'file', path, line: null });
  ui.late.files.awaitEditor(path);
}

/** Creates a folder with a file that the user has pasted, and previews specs for its functions. @throws {ToolError} */
export async function createFolderOf(
  ui: Ui,
  name: string,
  path: string,
  text: string,
): Promise<void> {
  const fault = pathFault(path);
  if (fault !== undefined) throw new ToolError('bad-input', `“${path}” cannot be used: ${fault}`);
  await ui.createFolder(name, { [path]: text }, { at: 'file', path, line: null });
  previewSpecs(ui, path, text);
}

/** @param text what the user has pasted; empty: a tool that already works */
export async function createFile(ui: Ui, path: string, text = ''): Promise<void> {
  let folder: string | undefined = openFolderKey(ui);
  const control = await ui.late.files.control();
  const bytes = bytesOf(text === '' ? newFileText(path) : text);
  if (control.savesTo === 'copy') folder = await control.saveToCopy(path, bytes);
  else expectSaved(await control.save(path, bytes, { replaces: null }), path);
  if (!isStillOpen(ui, folder)) {
    ui.late.notices.show(`${path} was created, but another folder was opened in the meantime.`);
    return;
  }
  ui.late.files.awaitEditor(path);
  ui.route.go(ui.route.toFile(path));
  previewSpecs(ui, path, text);
}

function previewSpecs(ui: Ui, path: string, text: string): void {
  if (offerFor(path, text, { isForeign: false }) !== null)
    ui.dialogs.show({ at: 'specs', paths: [path], isNew: true });
}

export async function renameFile(ui: Ui, from: string, to: string): Promise<void> {
  if (from === to) return;
  expectSaved(await ui.late.files.rename(from, to), to);
  const { place } = ui.route;
  if (place.at === 'file' && place.path === from) ui.route.go(ui.route.toFile(to));
}

/** Deletes a file. @returns why it was not deleted; null if it was */
export async function deleteFile(ui: Ui, path: string): Promise<string | null> {
  try {
    expectSaved(await ui.late.files.delete(path), path);
    const { place } = ui.route;
    if (place.at === 'file' && place.path === path) ui.route.go(ui.route.to({ at: 'home' }));
    ui.announcer.say(`${path} was deleted`);
    return null;
  } catch (thrown) {
    return errorText(thrown);
  }
}

/** Restores a file. @returns why it was not restored; null if it was */
export async function restoreFile(ui: Ui, file: DeletedFile): Promise<string | null> {
  try {
    expectSaved(await ui.late.files.deleted.restore(file), file.path);
    ui.announcer.say(`${file.path} was restored`);
    return null;
  } catch (thrown) {
    return errorText(thrown);
  }
}

/**
 * Downloads the open folder as it is saved, with the tests that are kept in this browser. If it has tests, the program
 * that runs them under ordinary Python is in it too.
 */
export async function exportFolder(ui: Ui): Promise<void> {
  const snapshot = ui.app.folder.current?.snapshot;
  if (snapshot === undefined) return;
  const [control, tests] = await Promise.all([ui.controls.workspaces, ui.late.savedTests.ready]);
  const files = [...tests.files()];
  const sentences = [`${snapshot.name}.zip was exported`];
  if (ui.late.files.unsaved.length > 0) sentences.push('Unsaved changes are not in it');
  const needsRunner =
    tests.tests.view.tests.length > 0 && !files.some(({ path }) => path === testRunner);
  if (needsRunner) {
    const program = await pythonProgram('cloche_test');
    if (program === null)
      sentences.push(`${testRunner} is not in it, because it could not be loaded`);
    else files.push(program);
  }
  saveFile(`${snapshot.name}.zip`, await control.zip(files));
  ui.announcer.say(sentences.join('. '));
}

function expectSaved(outcome: SaveOutcome, path: string): void {
  if (outcome.at === 'differs') throw new ToolError('bad-input', `“${path}” already exists`);
  if (outcome.at === 'refused')
    throw new ToolError(
      'not-supported',
      'Cloche cannot write to this folder',
      'Allow writing when the browser asks, or edit a file and save to a copy.',
    );
}
