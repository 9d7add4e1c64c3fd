/** The shared contents of the open folder: files, the address of this Cloche, and links with them. */

import type { PlaygroundFile } from '../../../../runtime/protocol/embed.ts';
import { ToolError } from '../../../../runtime/spec/error.ts';
import type { FolderFile } from '../../../../runtime/spec/folder.ts';
import type { JsonText } from '../../../../runtime/spec/json.ts';
import type { RegisteredTool } from '../../../../runtime/spec/tool.ts';
import { jsonFault } from '../../json/json-fault.ts';
import { byteSize } from '../../parts/format.ts';
import type { Ui } from '../../shell/ui.svelte.ts';
import { draftOf } from '../forms/argument-template.ts';
import { findNeededFiles } from './needed-files.ts';
import { maxSharedBytes, shareLink } from './share-link.ts';

/** The address of this Cloche, with a trailing slash. */
export function appAddress(): string {
  return new URL('./', document.baseURI).href;
}

/** Whether only this computer can open an address. */
export function isLocalAddress(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === 'file:' || /^(localhost|.*\.localhost|127\..*|\[::1\])$/.test(hostname);
}

/** The arguments that the form has, or none if they cannot be sent. */
export function selectArguments(ui: Ui, tool: RegisteredTool | null): JsonText {
  if (tool === null) return '{}';
  const { text } = draftOf(ui.late.drafts, tool);
  return jsonFault(text) === null && text.trim().startsWith('{') ? text : '{}';
}

/** The files of a tool and what they need; without a tool, those of all tools. */
export function selectFiles(ui: Ui, tool: RegisteredTool | null): readonly PlaygroundFile[] {
  const tools = tool === null ? ui.app.registry.list() : [tool];
  const start = new Set(tools.map(({ source }) => source.file));
  return findNeededFiles(folderFiles(ui), [...start]);
}

export interface SharedLink {
  readonly link: string;
  /** Paths of the files that the link carries. */
  readonly paths: readonly string[];
  /** Bytes of the files in the link. */
  readonly size: number;
}

/**
 * Returns a link that carries the files: those that the tool needs, or the whole folder.
 * @throws {ToolError} if they are too large for a link
 */
export async function linkWithFiles(ui: Ui, tool: RegisteredTool | null): Promise<SharedLink> {
  const needed = new Set(selectFiles(ui, tool).map(({ path }) => path));
  const files = folderFiles(ui).filter(({ path }) => tool === null || needed.has(path));
  const size = files.reduce((sum, file) => sum + file.size, 0);
  // Files this large do not become small enough.
  const fits = size <= 50 * maxSharedBytes;
  const blob = fits ? await (await ui.controls.workspaces).zip(files) : null;
  if (blob === null || blob.size > maxSharedBytes)
    throw new ToolError(
      'limit',
      `The files are ${byteSize(blob?.size ?? size)}${blob === null ? '' : ' compressed'}, and a link holds at most ${byteSize(maxSharedBytes)}`,
      'Share the folder as a zip file, or put the files on a website.',
    );
  const zip = new Uint8Array(await blob.arrayBuffer());
  const paths = files.map(({ path }) => path);
  return { link: linkOf(ui, tool, zip), paths, size: zip.byteLength };
}

/** A link for users who have the folder. */
export function linkWithoutFiles(ui: Ui, tool: RegisteredTool): string {
  return linkOf(ui, tool, null);
}

function linkOf(ui: Ui, tool: RegisteredTool | null, zip: Uint8Array<ArrayBuffer> | null): string {
  const page = location.href.replace(/#.*/s, '');
  const folder = ui.opener.status.folder ?? '';
  const args = selectArguments(ui, tool);
  return shareLink(page, { folder, tool: tool?.name ?? '', arguments: args, zip });
}

function folderFiles(ui: Ui): readonly FolderFile[] {
  return ui.app.folder.current?.snapshot.files ?? [];
}
