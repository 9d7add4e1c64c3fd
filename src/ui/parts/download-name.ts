/** Names of downloads: a known file type, and a name that shows on every system what the file is. */

/** File types by media type. None of them is a program. */
const mediaExtensions: Readonly<Record<string, string>> = {
  'application/gzip': 'gz',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/xml': 'xml',
  'application/zip': 'zip',
  'audio/mp4': 'm4a',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'image/avif': 'avif',
  'image/bmp': 'bmp',
  'image/gif': 'gif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/svg+xml': 'svg',
  'image/tiff': 'tiff',
  'image/webp': 'webp',
  'text/csv': 'csv',
  'text/html': 'html',
  'text/markdown': 'md',
  'text/plain': 'txt',
  'video/mp4': 'mp4',
  'video/webm': 'webm',
};

/** For unknown types: no program opens it by itself. */
const unknownExtension = 'bin';

/** Longer endings first. */
const extensions = [
  ...['session.json', 'recording.json', 'jsonl', 'py', unknownExtension],
  ...new Set(Object.values(mediaExtensions)),
];

/** Names of devices on Windows. */
const devices = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])$/i;
/** So that the name with its extension fits into every file system: at most four bytes for each. */
const mostCharacters = 50;

/** Extension for a media type, without the dot. */
export function extensionOf(mediaType: string): string {
  const type = (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
  const known = Object.hasOwn(mediaExtensions, type) ? mediaExtensions[type] : undefined;
  return known ?? unknownExtension;
}

/**
 * Returns a safe name for a download: letters, digits, `-` and `_`, and the extension of a known type. Names with another
 * extension get `.bin`. Folders, controls, direction marks, further dots, and names of devices are replaced.
 */
export function downloadName(name: string): string {
  const ending = extensions.find((one) => name.endsWith(`.${one}`));
  const base = ending === undefined ? name : name.slice(0, -ending.length - 1);
  const plain = base.normalize('NFC').replace(/[^\p{L}\p{N}_]+/gu, '-');
  const cut = Array.from(plain).slice(0, mostCharacters).join('');
  const trimmed = cut.replace(/^-+|-+$/g, '') || 'result';
  return `${devices.test(trimmed) ? '_' : ''}${trimmed}.${ending ?? unknownExtension}`;
}
