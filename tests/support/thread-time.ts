/** Measures the processor time of tests, so that no test fails because of other work on the machine. */

import { readFileSync } from 'node:fs';

/** Milliseconds of processor time: of this thread where the system reports it (Linux), otherwise of the whole process. */
export function threadMs(): number {
  try {
    const [nanoseconds] = readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ');
    // A system that keeps no statistics writes 0.
    if (Number(nanoseconds) > 0) return Number(nanoseconds) / 1e6;
  } catch {
    // There is no such file.
  }
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
