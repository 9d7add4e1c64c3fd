/**
 * Inspects tool files, except those whose packages are missing: these are reported as failed without being imported.
 */

import { failedInspection } from '../scan/failed-inspection.ts';
import type { ToolError } from '../spec/error.ts';
import type { Inspection } from '../spec/inspection.ts';
import type { Problem } from '../spec/problem.ts';
import { isError } from './prepare.ts';

type OnReport = (report: Inspection | ToolError) => void;

/**
 * @param problems problems of packages
 * @param inspect imports the importable files, and reports on each in order
 */
export async function inspectBeside(
  problems: readonly Problem[],
  files: readonly string[],
  onReport: OnReport,
  inspect: (files: readonly string[], onReport: OnReport) => Promise<void>,
): Promise<void> {
  if (problems.length === 0) {
    await inspect(files, onReport);
    return;
  }
  const waiting = [...files];
  const reportBlocked = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const known = ofFile(problems, next);
      if (!known.some(isError)) return;
      waiting.shift();
      onReport(blockedInspection(next, known));
    }
  };
  const importable = files.filter((file) => !ofFile(problems, file).some(isError));
  reportBlocked();
  await inspect(importable, (report) => {
    const file = waiting.shift() ?? '';
    onReport(withWarnings(report, file, ofFile(problems, file)));
    reportBlocked();
  });
}

function withWarnings(
  report: Inspection | ToolError,
  file: string,
  warnings: readonly Problem[],
): Inspection | ToolError {
  if (warnings.length === 0) return report;
  const inspection = report instanceof Error ? failedInspection(file, report) : report;
  if (inspection === undefined) return report;
  return { ...inspection, problems: [...inspection.problems, ...warnings] };
}

function blockedInspection(file: string, problems: readonly Problem[]): Inspection {
  const nothing = { tools: [], noSpecs: false, imports: [], output: '', durationMs: 0 };
  return { file, problems, ...nothing };
}

function ofFile(problems: readonly Problem[], file: string): Problem[] {
  return problems.filter((problem) => problem.file === file);
}
