/** A session as one file: without what only this browser knows, and checked to the last entry when it comes back. */

import { createPacer } from '../async/pace.ts';
import { ToolError } from '../spec/error.ts';
import type { Json, JsonObject } from '../spec/json.ts';
import type { AssistantPart, ModelRef, Opaque } from '../spec/model.ts';
import type { SessionEvent } from '../spec/session.ts';
import { importedEvent } from './imported-event.ts';
import { checkedEvent } from './read-event.ts';
import { UniqueIds } from './unique-ids.ts';

const format = 'cloche-session';
const version = 1;
/** Characters of an export that are held as text before they become a Blob, which may lie on disk. */
const heldChars = 4_000_000;
const hint = 'Choose a file that “Export” of a session has made.';

/** What the names of providers stand for in this browser. */
export interface ProviderNames {
  nameOf(id: string): string;
  /** Undefined where there is none of that name. */
  idOf(name: string): string | undefined;
}

/** The file. Ids of providers become their names; what providers alone can read, and ids of folders, stay here. */
export async function sessionFile(
  events: readonly SessionEvent[],
  names: Pick<ProviderNames, 'nameOf'>,
): Promise<Blob> {
  const pacer = createPacer();
  const parts: Blob[] = [];
  let text = `{"format":"${format}","version":${version},"events":[`;
  for (const [index, event] of events.entries()) {
    const outside = withModels(event, (id) => names.nameOf(id));
    text += `${index === 0 ? '' : ','}\n${JSON.stringify(withoutFolderId(outside))}`;
    if (text.length > heldChars) {
      parts.push(new Blob([text]));
      text = '';
    }
    if (pacer.due()) await pacer.rest();
  }
  return new Blob([...parts, `${text}\n]}\n`], { type: 'application/json' });
}

/** Why a file is not read at all; null: it is. */
export function importProblem(file: Blob, mostBytes: number): string | null {
  return file.size > mostBytes
    ? `The file is larger than ${Math.ceil(mostBytes / 1024 / 1024)} MB: Cloche imports none that large.`
    : null;
}

/**
 * The events of such a file. Approvals for more than one call do not come with it: they were not given here. Nor do
 * names of tools that this registry would not have made.
 *
 * @throws {ToolError} `bad-input` with what is wrong in it
 */
export async function readSessionFile(
  file: Blob,
  names: Pick<ProviderNames, 'idOf'>,
  mostBytes: number,
): Promise<SessionEvent[]> {
  const problem = importProblem(file, mostBytes);
  if (problem !== null) throw new ToolError('bad-input', problem, hint);
  const pacer = createPacer();
  const events: SessionEvent[] = [];
  const ids = new UniqueIds();
  for (const value of eventsIn(await parsed(file))) {
    const n = events.length;
    const { event, wrong } = checkedEvent(value, n);
    if (event === undefined) throw refused(`Entry ${n + 1} is not valid: ${wrong}`);
    if ((event.type === 'created') !== (n === 0)) {
      throw refused('Its first entry, and no other, says how the session was made.');
    }
    const twice = ids.repeated(event);
    if (twice !== null) throw refused(`Entry ${n + 1} has ${twice} twice.`);
    const own = await importedEvent(event, pacer);
    events.push(withModels(own, (name) => names.idOf(name) ?? name));
    if (pacer.due()) await pacer.rest();
  }
  if (events.length === 0) throw refused('It has no entries.');
  return events;
}

async function parsed(file: Blob): Promise<Json> {
  try {
    return JSON.parse(await file.text()) as Json;
  } catch {
    throw refused('It is damaged, or a part of it is missing.');
  }
}

function eventsIn(value: Json): Json[] {
  const file: JsonObject =
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  if (file.format !== format) throw refused('It does not say that it is a session.');
  if (file.version !== version) {
    throw new ToolError(
      'bad-input',
      `The file is of version ${JSON.stringify(file.version ?? null).slice(0, 20)}; this Cloche reads version ${version}.`,
      'A newer Cloche may read it: reload the page, or import it where it was made.',
    );
  }
  if (!Array.isArray(file.events)) throw refused('It has no list of entries.');
  return file.events;
}

function refused(what: string): ToolError {
  return new ToolError('bad-input', `The file is no session: ${what}`, hint);
}

function withoutFolderId(event: SessionEvent): SessionEvent {
  if (event.type === 'created') return { ...event, folderId: '' };
  return event.type === 'selected' && event.folderId !== undefined
    ? { ...event, folderId: '' }
    : event;
}

/** With providers as they are called on the other side. */
function withModels(event: SessionEvent, provider: (from: string) => string): SessionEvent {
  const other = (ref: ModelRef): ModelRef => ({ ...ref, provider: provider(ref.provider) });
  switch (event.type) {
    case 'model':
    case 'step-began':
      return { ...event, model: other(event.model) };
    case 'step-ended':
      return { ...event, parts: event.parts.map(withoutOpaque) };
    default:
      return event;
  }
}

/** It is meant for the one who made it, and for nobody else. */
function withoutOpaque({
  opaque: _,
  ...part
}: AssistantPart & { readonly opaque?: Opaque }): AssistantPart {
  return part;
}
