/** The setup of a playground from its address, for pages that cannot run the script. All of it is in the fragment. */

import {
  embedLimits,
  isView,
  labelNames,
  lookNames,
  readFiles,
  readSetup,
  type PlaygroundFile,
  type PlaygroundSetup,
} from '../../runtime/protocol/embed.ts';
import { isRecord, parseJson } from '../../runtime/spec/guards.ts';

/**
 * @param hash such as `#source=…&tool=add&view=form`
 * @param id names the page that the playground is in
 * @param framed whether it is in a page; a link that is opened by itself must not run anything
 * @returns what is wrong, if it cannot be read
 */
export function readParameters(
  hash: string,
  id: string,
  framed: boolean,
): PlaygroundSetup | { readonly fault: string } {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const valueOf = (name: string): string => parameters.get(name) ?? '';
  const isOn = (name: string): boolean => parameters.has(name) && valueOf(name) !== 'false';
  const files = filesOf(parameters);
  if (files === null)
    return { fault: 'Its files cannot be read, are too long, or have duplicate names.' };
  // A playground that is opened by a link shows what it would run.
  const view = (framed ? parameters.get('view') : null) ?? 'full';
  if (!isView(view)) return { fault: '“view” must be full, form, json or result.' };
  const theme = parameters.get('theme') ?? 'auto';
  const parametersNamed = (names: readonly string[], prefix = ''): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, valueOf(prefix + name)]));
  const setup = readSetup({
    page: id,
    files,
    packages: valueOf('packages')
      .split(/[\s,]+(?![^[]*\])/)
      .filter((each) => each !== ''),
    tool: valueOf('tool'),
    arguments: valueOf('arguments'),
    view,
    // @mutant playground: a link that is opened by itself runs nothing => without framed &&
    autorun: framed && isOn('autorun'),
    readonly: isOn('readonly'),
    recording: valueOf('recording'),
    look: {
      scheme: theme === 'light' || theme === 'dark' ? theme : 'auto',
      values: parametersNamed(lookNames),
      labels: parametersNamed(labelNames, 'label-'),
    },
  });
  return setup ?? { fault: 'A part of it is too long.' };
}

/** Reads `source` with `name`, and `files`, an object with texts by their paths. */
function filesOf(given: URLSearchParams): readonly PlaygroundFile[] | null {
  const source = given.get('source');
  const first = source === null ? [] : [{ path: given.get('name') ?? 'example.py', text: source }];
  const others = given.get('files');
  if (others === null) return readFiles(first);
  if (others.length > 2 * embedLimits.sourceChars) return null;
  const value = parseJson(others);
  if (!isRecord(value)) return null;
  const more = Object.entries(value).map(([path, text]) => ({ path, text }));
  return readFiles([...first, ...more]);
}

/** Returns whether the playground is a whole page that was opened by a link, rather than part of an author's page. */
export function isLink(): boolean {
  return window.parent === window;
}
