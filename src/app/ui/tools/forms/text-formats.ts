/** The browser's pickers for string formats, and the conversion of files to base64. */

/** Largest file, in bytes; its base64 text is a third longer. */
export const maxFileBytes = 1_000_000;

export interface Picker {
  readonly type: 'date' | 'time' | 'datetime-local' | 'color';
  readonly what: string;
  /** The picker's value for a text; empty if the picker cannot show it. */
  shown(text: string): string;
  /** The text for what was picked, with the offset of the text that it replaces. */
  text(picked: string, before: string): string;
}

const pickers: Readonly<Record<string, Picker>> = {
  date: {
    type: 'date',
    what: 'date',
    shown: (text) => (/^\d{4}-\d\d-\d\d$/.test(text) ? text : ''),
    text: (picked) => picked,
  },
  time: {
    type: 'time',
    what: 'time',
    shown: (text) => /^\d\d:\d\d(?::\d\d)?/.exec(text)?.[0] ?? '',
    text: (picked, before) => `${withSeconds(picked)}${offsetOf(before)}`,
  },
  'date-time': {
    type: 'datetime-local',
    what: 'date and time',
    shown: (text) => /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d)?/.exec(text)?.[0] ?? '',
    text: (picked, before) => `${withSeconds(picked)}${offsetOf(before)}`,
  },
  color: {
    type: 'color',
    what: 'colour',
    shown: (text) => (/^#[\da-f]{6}$/i.test(text) ? text.toLowerCase() : '#000000'),
    text: (picked) => picked,
  },
};

export function pickerOf(format: string): Picker | null {
  return Object.hasOwn(pickers, format) ? (pickers[format] ?? null) : null;
}

export async function base64Of(file: Blob): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const pieces: string[] = [];
  // The bytes are converted in pieces, because a function call has a limited number of arguments.
  for (let at = 0; at < bytes.length; at += 0x6000)
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 0x6000))));
  return pieces.join('');
}

/** The offset from UTC at the end of a time, as it is written; `Z` if there is none. */
function offsetOf(time: string): string {
  return /\d\d:\d\d(?::\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.exec(time)?.[1] ?? 'Z';
}

/** `time` and `date-time` require seconds, which pickers may omit. */
function withSeconds(time: string): string {
  return /\d\d:\d\d:\d\d/.test(time) ? time : `${time}:00`;
}

/** The keyboard that phones show for a text of this format; undefined for the usual one. */
export function inputModeOf(format: string): 'email' | 'url' | undefined {
  if (format === 'email') return 'email';
  return format.startsWith('uri') ? 'url' : undefined;
}
