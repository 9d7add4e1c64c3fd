/** The processor time that a program has used, including its other processes. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

interface Process {
  readonly id: number;
  readonly parent: number;
  readonly ms: number;
}

/** @returns milliseconds, in steps of a second where `ps` counts so; a process that has ended counts no more */
export async function processorTime(pid: number): Promise<number> {
  const all = await processes();
  const mine = new Set([pid]);
  // Process ids may wrap round, so a parent may come after its child: repeat until nothing is added.
  for (let size = 0; size !== mine.size;) {
    size = mine.size;
    for (const { id, parent } of all) if (mine.has(parent)) mine.add(id);
  }
  return all.reduce((sum, { id, ms }) => (mine.has(id) ? sum + ms : sum), 0);
}

async function processes(): Promise<Process[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,time=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => {
      const [id = '', parent = '', time = ''] = line.trim().split(/\s+/);
      return { id: Number(id), parent: Number(parent), ms: milliseconds(time) };
    });
}

/** `[[days-]hours:]minutes:seconds` */
function milliseconds(time: string): number {
  const [rest = '', days = '0'] = time.split('-').reverse();
  const seconds = rest.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
  return (Number(days) * 86_400 + seconds) * 1_000;
}
