/** An event of a file as it is taken into this browser: with nothing that was decided elsewhere, and as long as what is set by hand. */

import { wireName } from '../registry/provider-names.ts';
import type { Pacer } from '../async/pace.ts';
import type { SessionEvent } from '../spec/session.ts';
import { fitTitle } from './session-title.ts';

type Selected = Extract<SessionEvent, { type: 'selected' }>;

/** Characters that a folder's name can have anywhere. */
const mostFolderChars = 255;

/** @param pacer of the work that it is a part of */
export async function importedEvent(event: SessionEvent, pacer: Pacer): Promise<SessionEvent> {
  switch (event.type) {
    case 'created':
      return { ...event, folder: fitFolder(event.folder), folderId: '' };
    case 'titled':
      return { ...event, title: fitTitle(event.title) };
    case 'selected':
      return { ...withOwnFolder(event), names: await ownNames(event.names, pacer) };
    case 'call-answered':
      return event.approval === 'session' || event.approval === 'always'
        ? { ...event, approval: 'once' }
        : event;
    default:
      return event;
  }
}

function withOwnFolder(event: Selected): Selected {
  const { folder, folderId } = event;
  return {
    ...event,
    ...(folder === undefined ? {} : { folder: fitFolder(folder) }),
    ...(folderId === undefined ? {} : { folderId: '' }),
  };
}

/** A name that stands for another tool than it says would have a model call what it was never told of. */
async function ownNames(names: Selected['names'], pacer: Pacer): Promise<Selected['names']> {
  const own: [id: string, wire: string][] = [];
  for (const [id, wire] of names) {
    if ((await wireName(id)) === wire) own.push([id, wire]);
    if (pacer.due()) await pacer.rest();
  }
  return own;
}

function fitFolder(name: string): string {
  return name.length > mostFolderChars ? fitTitle(name) : name;
}
