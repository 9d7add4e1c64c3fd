/** The types of files that the page downloads or opens. */

interface FileType {
  /** Extensions without the dot. Downloads get the first one. No extension may belong to a program. */
  readonly extensions: readonly string[];
  /** The registered media type, followed by others that are in use. */
  readonly mediaTypes: readonly string[];
}

export const fileTypes = {
  gzip: type('gz', 'application/gzip', 'application/x-gzip'),
  json: type('json', 'application/json', 'text/json'),
  jsonLines: type(
    'jsonl ndjson',
    'application/jsonl',
    'application/x-ndjson',
    'application/x-jsonlines',
  ),
  notebook: type('ipynb', 'application/x-ipynb+json'),
  pdf: type('pdf', 'application/pdf'),
  sheet: type('xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'),
  document: type('docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'),
  toml: type('toml', 'application/toml', 'text/toml', 'text/x-toml'),
  xml: type('xml', 'application/xml', 'text/xml'),
  yaml: type(
    'yaml yml',
    'application/yaml',
    'application/x-yaml',
    'text/yaml',
    'text/x-yaml',
    'text/vnd.yaml',
  ),
  zip: type('zip', 'application/zip', 'application/x-zip-compressed'),
  m4a: type('m4a', 'audio/mp4', 'audio/x-m4a'),
  mp3: type('mp3', 'audio/mpeg'),
  ogg: type('ogg', 'audio/ogg'),
  wav: type('wav', 'audio/wav', 'audio/x-wav', 'audio/wave'),
  avif: type('avif', 'image/avif'),
  bmp: type('bmp', 'image/bmp'),
  gif: type('gif', 'image/gif'),
  jpeg: type('jpg jpeg', 'image/jpeg'),
  png: type('png', 'image/png'),
  svg: type('svg', 'image/svg+xml'),
  tiff: type('tiff tif', 'image/tiff'),
  webp: type('webp', 'image/webp'),
  csv: type('csv', 'text/csv'),
  tsv: type('tsv', 'text/tab-separated-values'),
  html: type('html htm', 'text/html'),
  markdown: type('md', 'text/markdown', 'text/x-markdown'),
  text: type('txt', 'text/plain'),
  mp4: type('mp4', 'video/mp4'),
  webm: type('webm', 'video/webm'),
  // Windows may run such a file, so only names that the page chooses get this extension, never a foreign media type.
  python: type('py'),
  // No program opens this type automatically.
  unknown: type('bin'),
} satisfies Readonly<Record<string, FileType>>;

export type FileTypeName = keyof typeof fileTypes;

/** All types without their names. */
export const allFileTypes: readonly FileType[] = Object.values(fileTypes);

/** The extension of a file whose type is not known. */
export const unknownExtension = firstOf(fileTypes.unknown);

/** The extension for each media type, without the dot. */
export const extensionByMediaType: ReadonlyMap<string, string> = new Map(
  allFileTypes.flatMap((type) => type.mediaTypes.map((name) => [name, firstOf(type)] as const)),
);

/** The extensions of downloads, longer ones first. */
export const knownExtensions: readonly string[] = [
  'session.json',
  'recording.json',
  ...allFileTypes.flatMap((type) => type.extensions),
];

/** The value of `accept` for a file input that opens these types. */
export function acceptOf(...names: readonly FileTypeName[]): string {
  return names
    .flatMap((name) => [
      ...fileTypes[name].extensions.map((extension) => `.${extension}`),
      ...fileTypes[name].mediaTypes,
    ])
    .join(',');
}

function type(extensions: string, ...mediaTypes: readonly string[]): FileType {
  return { extensions: extensions.split(' '), mediaTypes };
}

function firstOf(type: FileType): string {
  return type.extensions[0] ?? '';
}
