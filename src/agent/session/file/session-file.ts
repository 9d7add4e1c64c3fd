/** A session as one file. Writing removes data that is specific to this browser; reading validates every entry. */

import { createPacer, runPaced, type Pacer } from '../../../runtime/async/pace.ts';
import { wireName } from '../../../runtime/registry/provider-names.ts';
import { ToolError } from '../../../runtime/spec/error.ts';
import { JsonReader } from '../../../runtime/spec/json-reader.ts';
import type { Json } from '../../../runtime/spec/json.ts';
import { omitOpaque, type ModelRef } from '../../../runtime/spec/model.ts';
import type { SessionEvent } from '../../../runtime/spec/session.ts';
import { checkEvent } from '../log/event-format.ts';
import { fitTitle } from '../session-head.ts';

const format = 'cloche-session';
const version = 1;
/** Characters of an export that are held as a string before they become a Blob, which browsers may store on disk. */
const maxTextChars = 4_000_000;
/** The maximum length of folder names in file systems. */
const maxFolderChars = 255;
/** Limits of a file's entries, and of the values of each, which is parsed at once. */
const maxEvents = 100_000;
const maxEventValues = 200_000;
/** Limit of the members `format` and `version`; longer members of a file are ignored. */
const maxMemberChars = 1_000;
/** Characters that are read in one step. */
const stepChars = 65_536;
const hint = 'Choose a file made with “Export session”.';

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
    // @mutant ids of providers are not exported => withProviders(event, (id) => names.nameOf(id)) -> event
    const exported = withProviders(event, (id) => names.nameOf(id));
    // @mutant ids of folders are not exported => withoutFolderId(exported) -> exported
    text += `${index === 0 ? '' : ','}\n${JSON.stringify(withoutFolderId(exported))}`;
    if (text.length > maxTextChars) {
      parts.push(new Blob([text]));
      text = '';
    }
    if (pacer.mustRest()) await pacer.rest();
  }
  return new Blob([...parts, `${text}\n]}\n`], { type: 'application/json' });
}

/** Returns why a file is too large to be read; null if it is not. @param entries 0 if their number is unknown */
export function importProblem(file: Blob, maxBytes: number, entries = 0): string | null {
  if (entries > maxEvents)
    return `The session has more than ${maxEvents} entries, which is more than Cloche can import.`;
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
  for (const text of await runPaced(entriesIn(await file.text()))) {
    const n = events.length;
    const value = JSON.parse(text) as Json;
    const { event, wrong } = checkEvent(value, n);
    if (event === undefined) throw invalidFile(`Entry ${n + 1} is not valid: ${wrong}`);
    if ((event.type === 'created') !== (n === 0))
      throw invalidFile('Only its first entry may say how the session was created.');
    const repeated = firstRepeated(idsOf(event), seen);
    if (repeated !== undefined) throw invalidFile(`Entry ${n + 1} has ${repeated} twice.`);
    const imported = await importedEvent(event, pacer);
    events.push(withProviders(imported, (name) => names.idOf(name) ?? name));
    if (pacer.mustRest()) await pacer.rest();
  }
  if (events.length === 0) throw invalidFile('It has no entries.');
  return events;
}

/**
 * The texts of a file's entries, found in steps: parsing the whole file at once would block the page.
 *
 * @throws {ToolError} `bad-input`
 */
function* entriesIn(text: string): Generator<undefined, readonly string[]> {
  const members = new Map<string, string>();
  /** Items of the list that is being read, or was read last. */
  let items: string[] = [];
  // This is an object, since TypeScript does not follow assignments in callbacks.
  const found: { entries: readonly string[] | null } = { entries: null };
  const reader = new JsonReader(text, {
    onItem: (item, values) => {
      // @mutant the number of entries in a file => > maxEvents -> < 0
      if (items.push(item) > maxEvents) throw tooMany(`It has more than ${maxEvents} entries`);
      // @mutant the number of values in an entry of a file => > maxEventValues -> < 0
      if (values > maxEventValues)
        throw tooMany(`Its entry ${items.length} has more than ${maxEventValues} values`);
    },
    onMember: (key, value) => {
      const name = String(JSON.parse(key));
      if (value.length < maxMemberChars) members.set(name, value);
      if (name === 'events') found.entries = value.startsWith('[') ? items : null;
      items = [];
    },
  });
  for (;;) {
    const reached = reader.advance(stepChars);
    if (reached === 'done') break;
    if (reached !== 'more') throw invalidFile('It is damaged or incomplete.');
    yield undefined;
  }
  const member = (name: string): Json => JSON.parse(members.get(name) ?? 'null') as Json;
  if (member('format') !== format) throw invalidFile('It is not marked as a session.');
  if (member('version') !== version)
    throw new ToolError(
      'bad-input',
      `The file has version ${JSON.stringify(member('version')).slice(0, 20)}; this version of Cloche reads version ${version}.`,
      'A newer version of Cloche may be able to read it. Reload the page, or import it where it was exported.',
    );
  if (found.entries === null) throw invalidFile('It has no list of entries.');
  return found.entries;
}

/** Adds ids to `seen`, up to the first one that it already has. Returns that one, or undefined if there is none. */
function firstRepeated(ids: readonly string[], seen: Set<string>): string | undefined {
  for (const id of ids) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return undefined;
}

function tooMany(what: string): ToolError {
  return new ToolError('bad-input', `The file is not imported: ${what}.`, hint);
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
    case 'created': {
      // A recording is played from its own file, where the user sees what it calls.
      // @mutant sessions: an imported session plays no recording => { replays: _, ...created } -> created
      //   [src/agent/session/sessions.test.ts]
      const { replays: _, ...created } = event;
      // @mutant an imported session belongs to no folder of this browser => without , folderId: ''
      //   [src/agent/session/file/session-file.test.ts src/agent/session/sessions.test.ts]
      return { ...created, folder: fitFolder(event.folder), folderId: '' };
    }
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
      // @mutant approvals in a file are ignored => event.approval === 'session' || event.approval === 'always' ->
      //   false [src/agent/session/file/session-file.test.ts src/agent/session/sessions.test.ts]
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
    // @mutant wire names of tools in a file are checked => (await wireName(id)) === wire -> true
    //   [src/agent/session/file/session-file.test.ts src/agent/session/sessions.test.ts]
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
  const translateRef = (ref: ModelRef): ModelRef => ({ ...ref, provider: translate(ref.provider) });
  switch (event.type) {
    case 'model':
    case 'step-began':
      return { ...event, model: translateRef(event.model) };
    case 'step-ended':
      // @mutant opaque parts of providers are not exported => event.parts.map(omitOpaque) -> event.parts
      return { ...event, parts: event.parts.map(omitOpaque) };
    default:
      return event;
  }
}
