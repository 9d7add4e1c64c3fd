/** Scans a folder: inspects its tool files one after the other, and collects tools and problems. */

import { sha256Of } from '../spec/bytes.ts';
import { ToolError } from '../spec/error.ts';
import type { FolderFile, FolderSnapshot, Problem } from '../spec/folder.ts';
import type { Inspection, Tool } from '../spec/tool.ts';
import { checkTool } from './check-tool.ts';
import { failedInspection, settleInspection } from './settle-inspection.ts';
import { createFingerprint } from '../spec/fingerprint.ts';
import { folderHints, findUnusedFiles } from './folder-hints.ts';
import { createPacer, type Pacer } from '../async/pace.ts';
import { toolFiles } from '../folder/tool-files.ts';

/** The limit for all reports of a folder, in characters of JSON. */
const maxReported = 100_000_000;

export type OnInspected = (report: Inspection | ToolError) => void;

/**
 * Imports tool files in the sandbox one after the other, and reports on each in order: its inspection, or a ToolError
 * `timeout`, `crashed`, `flood`, `limit` or `protocol` that the file caused. Rejects if the sandbox itself fails, and
 * with errors of `onReport`.
 */
export type Inspect = (
  signal: AbortSignal,
  files: readonly string[],
  onReport: OnInspected,
) => Promise<void>;

/** The scan result of one tool file. */
export interface ScannedFile {
  readonly file: string;
  /** SHA-256 of its bytes, hexadecimal. */
  readonly hash: string;
  readonly inspection: Inspection;
  /** A hash of its bytes, tools and problems, the same after a reload. */
  readonly fingerprint: string;
}

/**
 * Inspects every tool file and reports each as soon as it is done. A file that fails does not affect others. Resolves
 * with the problems that belong to no single inspection. Rejects if aborted, or if the sandbox itself fails.
 */
export async function scan(
  signal: AbortSignal,
  folder: FolderSnapshot,
  inspect: Inspect,
  onFile: (scanned: ScannedFile) => void,
): Promise<readonly Problem[]> {
  const files = toolFiles(folder);
  const inspections = await scanFiles(signal, folder, files, inspect, onFile);
  const pacer = createPacer();
  const hints = await folderHints(folder, inspections, pacer);
  return [...hints, ...findUnusedFiles(inspections)];
}

/** Inspects these tool files of the folder, as {@link scan} does with all of them. */
export async function scanFiles(
  signal: AbortSignal,
  folder: FolderSnapshot,
  files: readonly FolderFile[],
  inspect: Inspect,
  onFile: (scanned: ScannedFile) => void,
): Promise<readonly Inspection[]> {
  const pacer = createPacer();
  const paths = new Set(folder.files.map((file) => file.path));
  const inspections: Inspection[] = [];
  let reportedChars = 0;
  const process = async (file: FolderFile, reported: Inspection): Promise<void> => {
    const settled = settleInspection(reported, file.path, (path) => paths.has(path));
    let inspection = await checkTools(settled, pacer);
    const hash = await sha256Of(file.bytes);
    const measured = await measure(hash, inspection, pacer);
    let { fingerprint } = measured;
    reportedChars += measured.chars;
    if (reportedChars > maxReported) {
      inspection = failedInspection(file.path, tooMuchReported()) ?? inspection;
      ({ fingerprint } = await measure(hash, inspection, pacer));
    }
    stopIfAborted(signal);
    inspections.push(inspection);
    onFile({ file: file.path, hash, inspection, fingerprint });
    if (pacer.mustRest()) await pacer.rest();
  };
  await inspectAll(signal, files, inspect, process);
  stopIfAborted(signal);
  return inspections;
}

/**
 * Inspects files, and processes their reports one after the other. Python continues with the next files meanwhile. Resolves
 * when all are processed.
 */
async function inspectAll(
  signal: AbortSignal,
  files: readonly FolderFile[],
  inspect: Inspect,
  process: (file: FolderFile, inspection: Inspection) => Promise<void>,
): Promise<void> {
  const paths = files.map(({ path }) => path);
  const waiting = files.values();
  let processed = Promise.resolve();
  const onReport = (report: Inspection | ToolError): void => {
    const { value: file } = waiting.next();
    if (file === undefined) return;
    const inspection = inspectionIn(report, file);
    processed = processed.then(() => process(file, inspection));
    // Failures are reported below, where this promise is awaited.
    processed.catch(() => undefined);
  };
  try {
    await inspect(signal, paths, onReport);
  } catch (thrown) {
    await processed;
    stopIfAborted(signal);
    throw thrown;
  }
  await processed;
}

/** The inspection that a report is, or that an error of the file stands for. @throws {ToolError} an error that the file did not cause */
function inspectionIn(report: Inspection | ToolError, { path }: FolderFile): Inspection {
  if (!(report instanceof ToolError)) return report;
  const inspection = failedInspection(path, report);
  if (inspection === undefined) throw report;
  return inspection;
}

/** Removes tools whose schemas are invalid, and adds their problems. */
async function checkTools(inspection: Inspection, pacer: Pacer): Promise<Inspection> {
  const tools: Tool[] = [];
  const problems: Problem[] = [...inspection.problems];
  for (const tool of inspection.tools) {
    if (pacer.mustRest()) await pacer.rest();
    const found = await checkTool(tool, pacer);
    problems.push(...found);
    if (!found.some((problem) => problem.severity === 'error')) tools.push(tool);
  }
  return { ...inspection, tools, problems };
}

/** Returns the fingerprint of a file's inspection, and the characters of its report. */
async function measure(
  hash: string,
  inspection: Inspection,
  pacer: Pacer,
): Promise<{ fingerprint: string; chars: number }> {
  const fingerprint = createFingerprint();
  fingerprint.add(hash);
  let chars = 0;
  for (const item of [...inspection.tools, ...inspection.problems]) {
    if (pacer.mustRest()) await pacer.rest();
    const text = JSON.stringify(item);
    chars += text.length;
    fingerprint.add(text);
  }
  return { fingerprint: fingerprint.value(), chars };
}

function tooMuchReported(): ToolError {
  return new ToolError(
    'limit',
    `The tools of this folder have more than ${maxReported / 1_000_000} MB of descriptions and schemas.`,
    'Shorten them, or split the folder.',
  );
}

function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted)
    throw new ToolError(
      'aborted',
      'The scan was stopped.',
      'Press Refresh to scan the folder again.',
    );
}
