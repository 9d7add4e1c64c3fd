/** Collects reports on inspected files, and sends several to the page in one message, because each message costs time on both sides. */

import type { InspectedFile, OrLost } from '../../src/runtime/protocol/frame.ts';
import type { PackedInspection } from '../../src/runtime/spec/tool.ts';

/** Milliseconds for which a report waits for others. */
const collectMs = 15;
/**
 * Limit of a message, so that none blocks the page; characters. Reports that reach it together are sent at once. A single
 * report may be longer.
 */
const collectChars = 200_000;

type Report = OrLost<PackedInspection>;
type Reports = OrLost<readonly PackedInspection[]>;

interface Inspection {
  /** Reports in the order of the files, whatever the order in which the tool worker answers. */
  readonly reports: (Report | undefined)[];
  /** How many of them the page has been given. */
  given: number;
  /** Whether reports are ready that did not fit into the last message. */
  hasBacklog: boolean;
  /** Gives the page the reports that it waits for; null if it waits for none. */
  wanted: ((reports: Reports) => void) | null;
  /** Ends the wait for further reports. */
  timer: ReturnType<typeof setTimeout> | undefined;
}

export class Inspections {
  readonly #ask: (id: number, file: string) => Promise<Report>;
  readonly #running = new Map<number, Inspection>();

  /** @param ask inspects one file. Never rejects */
  constructor(ask: (id: number, file: string) => Promise<Report>) {
    this.#ask = ask;
  }

  /** Inspects files. @returns the first reports */
  begin(id: number, files: readonly InspectedFile[]): Promise<Reports> {
    const reports = files.map(() => undefined);
    const inspection: Inspection = {
      reports,
      given: 0,
      hasBacklog: false,
      wanted: null,
      timer: undefined,
    };
    this.#running.set(id, inspection);
    for (const [index, { id: ofFile, file }] of files.entries())
      void this.#ask(ofFile, file).then((report) => {
        inspection.reports[index] = report;
        this.#giveSoon(id, inspection);
      });
    return this.next(id);
  }

  /** Returns the next reports of an inspection, at least one; or the loss of the tool worker, after the reports before it. */
  next(id: number): Promise<Reports> {
    const inspection = this.#running.get(id);
    if (inspection === undefined) return Promise.resolve({ ok: true, value: [] });
    return new Promise((resolve) => {
      inspection.wanted = resolve;
      this.#giveSoon(id, inspection);
    });
  }

  #giveSoon(id: number, inspection: Inspection): void {
    if (inspection.wanted === null) return;
    const ready = readyIn(inspection);
    if (ready.length === 0) return;
    const isLast = inspection.given + ready.length === inspection.reports.length;
    const isLost = ready.some(({ ok }) => !ok);
    const isLong = (): boolean =>
      ready.reduce((chars, report) => chars + lengthOf(report), 0) >= collectChars;
    if (isLast || isLost || inspection.hasBacklog || isLong()) this.#give(id, inspection);
    else inspection.timer ??= setTimeout(() => this.#give(id, inspection), collectMs);
  }

  #give(id: number, inspection: Inspection): void {
    clearTimeout(inspection.timer);
    inspection.timer = undefined;
    const { wanted } = inspection;
    if (wanted === null) return;
    inspection.wanted = null;
    inspection.hasBacklog = false;
    const value: PackedInspection[] = [];
    let chars = 0;
    for (const report of readyIn(inspection)) {
      if (chars >= collectChars) {
        inspection.hasBacklog = true;
        break;
      }
      if (!report.ok) {
        if (value.length > 0) break;
        this.#running.delete(id);
        wanted(report);
        return;
      }
      value.push(report.value);
      chars += lengthOf(report);
    }
    inspection.given += value.length;
    if (inspection.given === inspection.reports.length) this.#running.delete(id);
    wanted({ ok: true, value });
  }
}

/** The reports that can be given now. */
function readyIn({ reports, given }: Inspection): Report[] {
  const ready: Report[] = [];
  for (let at = given; at < reports.length; at += 1) {
    const report = reports[at];
    if (report === undefined) break;
    ready.push(report);
  }
  return ready;
}

function lengthOf(report: Report): number {
  if (!report.ok) return 0;
  const { tools, problems, imports, output } = report.value;
  const others = JSON.stringify([problems, imports]).length + output.length;
  return tools.reduce((chars, tool) => chars + tool.length, others);
}
