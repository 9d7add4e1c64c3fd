/** Tools folders with saved tests, and their runs over the API. */

import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile as write } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { pythonProgram } from '../../scripts/python-programs.mjs';
import { projectFolder } from '../../scripts/dist.mjs';

export interface RanTest {
  readonly name: string;
  readonly tool: string;
  readonly file: string;
  readonly state: string;
  readonly reasons: readonly string[];
}

export interface RanTests {
  readonly passed: number;
  readonly failed: number;
  readonly notRun: number;
  readonly results: readonly RanTest[];
}

/** Runs tests over the API. */
export function runTests(page: Page, body: object = {}): Promise<RanTests> {
  return page.evaluate(async (text) => {
    const response = await fetch('api/tests/run', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    return (await response.json()) as RanTests;
  }, JSON.stringify(body));
}

/** The samples, with their recorded calls as saved tests. */
export async function samplesWithTests(): Promise<Record<string, Uint8Array>> {
  const root = join(projectFolder, 'tools-samples');
  const files: Record<string, Uint8Array> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.pyc')) continue;
    const file = join(entry.parentPath, entry.name);
    const path = file.slice(root.length + 1).replaceAll('\\', '/');
    files[path.replace(/^calls\//, 'tests/')] = await readFile(file);
  }
  return files;
}

/** Runs the tests of a folder under this machine's Python. @returns what it prints, with its exit code */
export async function underPython(
  folder: string,
): Promise<{ output: string; code: number | null }> {
  const parent = await mkdtemp(join(tmpdir(), 'cloche-test-'));
  try {
    const file = join(parent, 'cloche_test.py');
    await write(file, await pythonProgram(projectFolder, 'cloche_test'));
    const { stdout, stderr, status } = spawnSync('python3', [file, folder], { encoding: 'utf8' });
    return { output: stdout + stderr, code: status };
  } finally {
    await rm(parent, { recursive: true });
  }
}

/** Opens a folder that the page can write, as if the user had picked it. Call it before the page is loaded. */
export async function writablePicks(
  page: Page,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  await page.addInitScript((texts) => {
    Object.assign(globalThis, {
      showDirectoryPicker: async () => {
        const root = await navigator.storage.getDirectory();
        const folder = await root.getDirectoryHandle('greetings', { create: true });
        for (const [name, text] of Object.entries(texts)) {
          const file = await folder.getFileHandle(name, { create: true });
          const writable = await file.createWritable();
          await writable.write(text);
          await writable.close();
        }
        return folder;
      },
    });
  }, files);
}

/** Writes a file of that folder, as an editor does, and reads the folder again. */
export async function writeFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    async ([path, content]) => {
      const root = await navigator.storage.getDirectory();
      const folder = await root.getDirectoryHandle('greetings');
      const file = await folder.getFileHandle(path);
      const writable = await file.createWritable();
      await writable.write(content);
      await writable.close();
      await globalThis.cloche.folder.refresh();
    },
    [name, text] as const,
  );
}

/** The text of one of its files. */
export function textIn(page: Page, folder: string, name: string): Promise<string> {
  return page.evaluate(
    async ([below, path]) => {
      const root = await navigator.storage.getDirectory();
      const tools = await root.getDirectoryHandle('greetings');
      const file = await (await tools.getDirectoryHandle(below)).getFileHandle(path);
      return (await file.getFile()).text();
    },
    [folder, name] as const,
  );
}
