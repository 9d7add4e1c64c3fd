/** Writes the code that shows tools in another page: docs/embed.md. */

import type { PlaygroundFile, PlaygroundView } from '../../../../runtime/protocol/embed.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';

export interface Embedded {
  /** Address of the app, with a trailing slash. */
  readonly app: string;
  readonly files: readonly PlaygroundFile[];
  /** Name of the tool that is shown first; empty for the first one of the files. */
  readonly tool: string;
  /** Empty for the tool's own example. */
  readonly arguments: JsonText;
  readonly view: PlaygroundView;
  readonly autorun: boolean;
  readonly readonly: boolean;
}

export const embedForms = { html: 'HTML', markdown: 'Markdown', frame: 'Frame' } as const;
export type EmbedForm = keyof typeof embedForms;

/** Returns the forms in which the files can be written: a block of Markdown holds one file. */
export function formsFor({ files }: Pick<Embedded, 'files'>): readonly EmbedForm[] {
  return files.length === 1 ? ['html', 'markdown', 'frame'] : ['html', 'frame'];
}

export function embedCode(form: EmbedForm, embedded: Embedded): string {
  if (form === 'html') return htmlCode(embedded);
  return form === 'markdown' ? markdownCode(embedded) : frameCode(embedded);
}

function htmlCode({ app, files, ...options }: Embedded): string {
  const scripts = files.map(
    ({ path, text }) =>
      `  <script type="text/x-python" data-name="${escapeAttribute(path)}">\n${text.trimEnd()}\n  </script>\n`,
  );
  // A script element has no escapes.
  const fits = files.every(({ text }) => !/<\/script|<!--/i.test(text));
  const texts = JSON.stringify(Object.fromEntries(files.map(({ path, text }) => [path, text])));
  const attributes = attributesOf(options).concat(fits ? [] : [['files', texts]]);
  const tag = attributes.map(([name, value]) => attribute(name, value));
  return `<script async src="${escapeAttribute(app)}cloche-playground.js"></script>

<cloche-playground${tag.join('')}>
${fits ? scripts.join('') : ''}</cloche-playground>
`;
}

function markdownCode({ app, files, ...options }: Embedded): string {
  const [{ path, text } = { path: '', text: '' }] = files;
  // The line has no escapes, but JSON has.
  const words = attributesOf(options).map(([name, value]) =>
    value === ''
      ? name
      : /^[\w:.-]+$/.test(value)
        ? `${name}=${value}`
        : `${name}='${value.replaceAll("'", String.raw`\u0027`)}'`,
  );
  const ticks = (text.match(/`{3,}/g) ?? []).map(({ length }) => length);
  const fence = '`'.repeat(Math.max(2, ...ticks) + 1);
  return `<script async src="${escapeAttribute(app)}cloche-playground.js" data-upgrade></script>

${fence}python
# cloche: ${[`name=${path}`, ...words].join(' ')}
${text.trimEnd()}
${fence}
`;
}

function frameCode(embedded: Embedded): string {
  return `<iframe
  title="Python playground"
  width="100%"
  height="500"
  src="${escapeAttribute(frameAddress(embedded))}"
></iframe>
`;
}

/** The address of a playground, which contains everything. */
export function frameAddress({ app, files, ...options }: Embedded): string {
  const [only] = files;
  const source: [string, string][] =
    files.length === 1 && only !== undefined
      ? [
          ['source', only.text],
          ['name', only.path],
        ]
      : [
          [
            'files',
            JSON.stringify(Object.fromEntries(files.map(({ path, text }) => [path, text]))),
          ],
        ];
  const query = [...source, ...attributesOf(options)].map(
    ([name, value]) => `${name}=${encodeURIComponent(value)}`,
  );
  return `${app}playground.html#${query.join('&')}`;
}

/** Attributes with their values; an empty value stands for none. */
function attributesOf({
  tool,
  arguments: args,
  view,
  autorun,
  readonly,
}: Omit<Embedded, 'app' | 'files'>): [string, string][] {
  const argumentsText = args.trim().replace(/\s*\n\s*/g, ' ');
  const all: [string, string | false][] = [
    ['tool', tool !== '' && tool],
    ['arguments', argumentsText !== '' && argumentsText !== '{}' && argumentsText],
    ['view', view !== 'full' && view],
    ['autorun', autorun ? '' : false],
    ['readonly', readonly ? '' : false],
  ];
  return all.flatMap(([name, value]) => (value === false ? [] : [[name, value]]));
}

/** Escapes text for an attribute in double quotes. */
function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

/** An attribute in the quotes that need fewer escapes. */
function attribute(name: string, value: string): string {
  if (value === '') return ` ${name}`;
  if (!value.includes('"')) return ` ${name}="${escapeAttribute(value)}"`;
  const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll("'", '&#39;');
  return ` ${name}='${text}'`;
}

/** The badge of a README: a picture that links to Cloche with the files. */
export function badgeCode(app: string, link: string, name: string): string {
  const words = name.replaceAll(/[[\]\\]/g, String.raw`\$&`);
  return `[![Run ${words} in Cloche](${app}badge.svg)](${link})\n`;
}
