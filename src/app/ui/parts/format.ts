/** Formats sizes, durations, times and dates for users. */

// A 24-hour clock everywhere on the page, whatever the system's setting.
const clock = onFirstUse(() => new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }));
const dateAndClock = onFirstUse(
  () => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' }),
);
const day = onFirstUse(
  () => new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' }),
);
const time = onFirstUse(
  () => new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' }),
);

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** A size in bytes: `912 B`, `3.4 kB`, `10 MB`. */
export function byteSize(bytes: number): string {
  if (bytes < 1000) return `${String(bytes)} B`;
  const units = ['kB', 'MB', 'GB'];
  let amount = bytes / 1000;
  let unit = 0;
  // 999.5 would be rounded to 1000 of the smaller unit.
  while (amount >= 999.5 && unit < units.length - 1) {
    amount /= 1000;
    unit += 1;
  }
  return `${amount.toFixed(amount < 9.95 ? 1 : 0)} ${units[unit] ?? ''}`;
}

/** A duration: `0.4 ms`, `38 ms`, `1.20 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 9.95) return `${milliseconds.toFixed(1)} ms`;
  if (milliseconds < 999.5) return `${milliseconds.toFixed(0)} ms`;
  if (milliseconds < 59_995) return `${(milliseconds / 1000).toFixed(2)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${String(Math.floor(seconds / 60))} min ${String(seconds % 60)} s`;
}

/** A time: only the time of day if it was today, otherwise with the date. */
export function formatMoment(at: number, now: number): string {
  const sameDay = new Date(at).toDateString() === new Date(now).toDateString();
  return (sameDay ? clock() : dateAndClock()).format(at);
}

/** How long ago a time was, in the largest whole unit; after a day, the time itself. */
export function formatAge(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) return 'just now';
  if (minutes < 60) return `${String(minutes)} min ago`;
  if (minutes < 24 * 60) return `${String(Math.floor(minutes / 60))} h ago`;
  return dayAndTime(at);
}

/** `22 November 2026, 14:05` */
export function dayAndTime(at: number): string {
  return `${day().format(at)}, ${time().format(at)}`;
}

/** `14:05` */
export function timeOfDay(at: number): string {
  return time().format(at);
}

/** Creates a value on first use: one `Intl` formatter blocks a phone for a tenth of a second. */
function onFirstUse<T extends object>(make: () => T): () => T {
  let value: T | undefined;
  return () => (value ??= make());
}
