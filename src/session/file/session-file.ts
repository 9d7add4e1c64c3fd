/** A session as one file. Writing removes data that is specific to this browser; reading validates every entry. */

import { asObject } from '../../spec/guards.ts';
import { wireName } from '../../registry/provider-names.ts';
import { createPacer, type Pacer } from '../../async/pace.ts';
import { ToolError } from '../../spec/error.ts';
import type { Json } from '../../spec/json.ts';
import type { AssistantPart, ModelRef } from '../../spec/model.ts';
import type { SessionEvent } from '../../spec/session.ts';
import { checkedEvent } from '../log/event-format.ts';
import { fitTitle } from '../session-head.ts';

const format = 'cloche-session';
const version = 1;
/** Characters of an export that are held as a string before they become a Blob, which browsers may store on disk. */
const maxTextChars = 4_000_000;
/** The maximum length of folder names in file systems. */
const maxFolderChars = 255;
const hint = 'Choose a file made with “Export session”.';

/** A file made from a session. */
export interface SavedFile {
  readonly file: Blob;
  /** Why Cloche could not read the file again, for the user; null if it could. */
  readonly problem: string | null;
}

/** Maps provider ids of this browser to names, which files contain, and back. */
export interface ProviderNames {
  nameOf(id: string): string;
  /** Returns undefined if no provider has the name. */
  idOf(name: string): string | undefined;
}

/** Writes the file. Opaque data of providers and folder ids are left out. */
export async function sessionFile(
  events: readonly SessionEvent[],
  names: Pick<ProviderNames, 'nameOf'>,
): Promise<Blob> {
  const pacer = createPacer();
  const parts: Blob[] = [];
  let text = `{"format":"${format}","version":${version},"events":[`;
  for (const [index, event] of events.entries()) {
    const exported = withProviders(event, (id) => names.nameOf(id));
    text += `${index === 0 ? '' : ','}\n${JSON.stringify(withoutFolderId(exported))}`;
    if (text.length > maxTextChars) {
      parts.push(new Blob([text]));
      text = '';
    }
    if (pacer.mustRest()) await pacer.rest();
  }
  return new Blob([...parts, `${text}\n]}\n`], { type: 'application/json' });
}

/** Returns why a file is too large to be read; null if it is not. */
export function importProblem(file: Blob, maxBytes: number): string | null {
  return file.size > maxBytes
    ? `The file is larger than ${Math.ceil(maxBytes / 1024 / 1024)} MB, which is more than Cloche can import.`
    : null;
}

/**
 * Reads the events of a file. Leaves out permissions, which the user of this browser has not given, and wire names that
 * this registry would not generate.
 *
 * @throws {ToolError} `bad-input` with the problem in the file
 */
export async function readSessionFile(
  file: Blob,
  names: Pick<ProviderNames, 'idOf'>,
  maxBytes: number,
): Promise<SessionEvent[]> {
  const problem = importProblem(file, maxBytes);
  if (problem !== null) throw new ToolError('bad-input', problem, hint);
  const pacer = createPacer();
  const events: SessionEvent[] = [];
  const seen = new Set<string>();
  for (const value of eventsIn(await parsed(file))) {
    const n = events.length;
    const { event, wrong } = checkedEvent(value, n);
    if (event === undefined) throw invalidFile(`Entry ${n + 1} is not valid: ${wrong}`);
    if ((event.type === 'created') !== (n === 0))
      throw invalidFile('Only its first entry may say how the session was created.');
    const repeated = idsOf(event).find((id) => seen.has(id) || !seen.add(id));
    if (repeated !== undefined) throw invalidFile(`Entry ${n + 1} has ${repeated} twice.`);
    const imported = await importedEvent(event, pacer);
    events.push(withProviders(imported, (name) => names.idOf(name) ?? name));
    if (pacer.mustRest()) await pacer.rest();
  }
  if (events.length === 0) throw invalidFile('It has no entries.');
  return events;
}

async function parsed(file: Blob): Promise<Json> {
  try {
    return JSON.parse(await file.text()) as Json;
  } catch {
    throw invalidFile('It is damaged or incomplete.');
  }
}

function eventsIn(value: Json): Json[] {
  const file = asObject(value);
  if (file.format !== format) throw invalidFile('It is not marked as a session.');
  if (file.version !== version)
    throw new ToolError(
      'bad-input',
      `The file has version ${JSON.stringify(file.version ?? null).slice(0, 20)}; this version of Cloche reads version ${version}.`,
      'A newer version of Cloche may be able to read it. Reload the page, or import it where it was exported.',
    );
  if (!Array.isArray(file.events)) throw invalidFile('It has no list of entries.');
  return file.events;
}

function invalidFile(what: string): ToolError {
  return new ToolError('bad-input', `The file is not a session: ${what}`, hint);
}

/** Returns the ids in an event that may occur only once in a log. */
export function idsOf(event: SessionEvent): readonly string[] {
  switch (event.type) {
    case 'step-began':
      return [`the step ${event.stepId}`];
    case 'step-ended':
      return event.parts.flatMap((part) => (part.type === 'call' ? [`the call ${part.id}`] : []));
    case 'background-began':
      return [`the background prompt ${event.id}`];
    case 'selected':
      return event.names.flatMap(([id, wire]) => [`the tool ${id}`, `the name ${wire}`]);
    default:
      return [];
  }
}

/** Removes decisions that were made in another browser, and limits the length of names. */
async function importedEvent(event: SessionEvent, pacer: Pacer): Promise<SessionEvent> {
  switch (event.type) {
    case 'created':
      return { ...event, folder: fitFolder(event.folder), folderId: '' };
    case 'titled':
      return { ...event, title: fitTitle(event.title) };
    case 'selected': {
      const { folder, folderId, ...rest } = event;
      return {
        ...rest,
        ...(folder === undefined ? {} : { folder: fitFolder(folder) }),
        ...(folderId === undefined ? {} : { folderId: '' }),
        names: await validNames(event.names, pacer),
      };
    }
    case 'call-answered':
      return event.approval === 'session' || event.approval === 'always'
        ? { ...event, approval: 'once' }
        : event;
    default:
      return event;
  }
}

type Names = Extract<SessionEvent, { type: 'selected' }>['names'];

/** Removes invalid wire names, which would let the model call another tool than the one it was given. */
async function validNames(names: Names, pacer: Pacer): Promise<Names> {
  const valid: [id: string, wire: string][] = [];
  for (const [id, wire] of names) {
    if ((await wireName(id)) === wire) valid.push([id, wire]);
    if (pacer.mustRest()) await pacer.rest();
  }
  return valid;
}

function fitFolder(name: string): string {
  return name.length > maxFolderChars ? fitTitle(name) : name;
}

function withoutFolderId(event: SessionEvent): SessionEvent {
  const hasId =
    event.type === 'created' || (event.type === 'selected' && event.folderId !== undefined);
  return hasId ? { ...event, folderId: '' } : event;
}

/** Maps the providers of an event, and removes opaque data, which only its provider can read. */
function withProviders(event: SessionEvent, translate: (provider: string) => string): SessionEvent {
  const translated = (ref: ModelRef): ModelRef => ({ ...ref, provider: translate(ref.provider) });
  switch (event.type) {
    case 'model':
    case 'step-began':
      return { ...event, model: translated(event.model) };
    case 'step-ended':
      return { ...event, parts: event.parts.map(withoutOpaque) };
    default:
      return event;
  }
}

function withoutOpaque({ opaque: _, ...part }: AssistantPart): AssistantPart {
  return part;
}
