/** Files that the user attaches to a message: pictures, texts and PDF documents. */

import { acceptOf } from '../../parts/file-types.ts';
import { utf8Text } from '../../../../runtime/spec/bytes.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';
import type { UserPart } from '../../../../runtime/spec/model.ts';
import { byteSize } from '../../parts/format.ts';
import { encodeBase64, takeImage, type ImagePart } from './images.ts';

/** A part that is shown as an attachment, and not as the text of a message. */
export type AttachedPart =
  | ImagePart
  | Extract<UserPart, { type: 'file' }>
  | (Extract<UserPart, { type: 'text' }> & { readonly name: string });

const maxPdfBytes = 5_000_000;
/** Limit of the text of one file. */
const maxTextBytes = 400_000;
const maxNameChars = 200;

/** Endings of files with text, whose media type browsers often do not know. */
const textEndings =
  /\.(txt|md|rst|csv|tsv|json|jsonl|ndjson|ya?ml|toml|ini|cfg|conf|env|log|xml|html?|s?css|js|mjs|cjs|jsx|ts|tsx|svelte|vue|py|pyi|ipynb|rb|rs|go|java|kt|c|h|cc|cpp|hpp|cs|swift|php|sh|bash|zsh|ps1|sql|r|jl|lua|tex|bib|diff|patch|svg)$/i;

/** The types that the file field offers. */
export const acceptedFiles = [
  'image/*',
  'text/*',
  '.ts',
  '.sql',
  '.log',
  acceptOf('pdf', 'markdown', 'csv', 'tsv', 'json', 'jsonLines', 'notebook'),
  acceptOf('yaml', 'toml', 'xml', 'python'),
].join(',');

function kindOf({ type, name }: Pick<File, 'type' | 'name'>): 'image' | 'pdf' | 'text' | null {
  if (type === 'application/pdf' || /\.pdf$/i.test(name)) return 'pdf';
  if (type.startsWith('image/') && type !== 'image/svg+xml') return 'image';
  if (type.startsWith('text/') || type === 'application/json' || textEndings.test(name))
    return 'text';
  return null;
}

/** Reads a file as an attachment. @throws {ToolError} `bad-input` */
export async function takeFile(file: File | Blob): Promise<AttachedPart> {
  if (!(file instanceof File)) return takeImage(file);
  switch (kindOf(file)) {
    case 'pdf':
      return takePdf(file);
    case 'text':
      return takeText(file);
    case 'image':
      return takeImage(file);
    case null:
      throw new ToolError(
        'bad-input',
        `${file.name.slice(0, maxNameChars)} cannot be attached: models read images, texts and PDF documents.`,
        'A tool can read other files: put it into the workspace.',
      );
  }
}

/** The files in pasted or dropped data that can be attached. Folders and archives open as tools folders instead. */
export function filesIn(data: DataTransfer | null): readonly File[] {
  return [...(data?.files ?? [])].filter((file) => kindOf(file) !== null);
}

/** Attaches those files of a paste or a drop that models can read; the page handles everything else. */
export function attachFrom(
  event: Event,
  data: DataTransfer | null,
  composer: { readonly add: (files: readonly File[]) => Promise<void> },
): void {
  const files = filesIn(data);
  if (files.length === 0) return;
  event.preventDefault();
  void composer.add(files);
}

async function takePdf(file: File): Promise<AttachedPart> {
  if (file.size > maxPdfBytes) throw tooLarge(file, maxPdfBytes);
  const head = await file.slice(0, 1_024).text();
  if (!head.includes('%PDF-'))
    throw new ToolError('bad-input', `${file.name} cannot be attached: it is not a PDF document.`);
  return {
    type: 'file',
    mediaType: 'application/pdf',
    name: nameOf(file),
    data: await encodeBase64(file),
  };
}

async function takeText(file: File): Promise<AttachedPart> {
  if (file.size > maxTextBytes) throw tooLarge(file, maxTextBytes);
  const text = utf8Text(await file.arrayBuffer());
  if (text === null || text.includes('\0'))
    throw new ToolError(
      'bad-input',
      `${file.name} cannot be attached: its text is not encoded in UTF-8.`,
    );
  if (text.trim() === '')
    throw new ToolError('bad-input', `${file.name} cannot be attached: it is empty.`);
  return { type: 'text', text, name: nameOf(file) };
}

function tooLarge(file: File, max: number): ToolError {
  return new ToolError(
    'bad-input',
    `${file.name} is too large to be attached (${byteSize(file.size)}). The limit is ${byteSize(max)}.`,
    'A tool can read larger files: put it into the workspace.',
  );
}

function nameOf({ name }: File): string {
  return name.slice(-maxNameChars).toWellFormed() || 'file';
}
