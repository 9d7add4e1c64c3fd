/** Entries of the command palette: available commands, tools, and files. */

import { shortcutLabel, type Command } from '../commands.svelte.ts';
import type { Ui } from '../ui.svelte.ts';
import { rank } from './rank.ts';

export interface PaletteEntry {
  /** Unique in the palette. */
  readonly id: string;
  readonly kind: 'command' | 'tool' | 'file';
  readonly words: string;
  /** Secondary text beside the label, such as a key. */
  readonly detail: string;
  readonly choose: () => void;
}

/** Limit of shown entries. */
const max = 50;

/** The commands that are available, except the one that opens the palette. */
export function commandEntries(
  commands: readonly Command[],
  platform: string,
): readonly PaletteEntry[] {
  return commands
    .filter(({ available, shortcut }) => available && shortcut?.inOverlays !== true)
    .map(({ words, detail, shortcut, choose }, n) => ({
      id: `command ${String(n)}`,
      kind: 'command',
      words,
      detail: detail ?? (shortcut === undefined ? '' : shortcutLabel(shortcut, platform)),
      choose,
    }));
}

/** Tools and files of the open folder. */
export function places(ui: Ui): readonly PaletteEntry[] {
  const tools = ui.tools.all.map((tool) => ({
    id: `tool ${tool.name}`,
    kind: 'tool' as const,
    words: tool.name,
    detail: tool.label === tool.name ? '' : tool.label.slice(0, 80),
    choose: () => ui.route.go(ui.route.toTool(tool.name)),
  }));
  const files = ui.tools.groups.map(({ file, errors }) => ({
    id: `file ${file}`,
    kind: 'file' as const,
    words: file,
    detail: errors === 0 ? '' : 'has problems',
    choose: () => ui.route.go(ui.route.toFile(file)),
  }));
  return [...tools, ...files];
}

/**
 * The entries that match a query, best first; of equal matches, commands first. Without a query, recent choices are first.
 * @param recent 0 for the latest choice, 1 for the one before; null for others
 */
export function found(
  query: string,
  entries: readonly PaletteEntry[],
  recent: (entry: PaletteEntry) => number | null = () => null,
): readonly PaletteEntry[] {
  const scored: { entry: PaletteEntry; score: number }[] = [];
  const isEmpty = query.trim() === '';
  for (const entry of entries) {
    const place = recent(entry);
    const bonus = place === null ? 0 : isEmpty ? 1_000 - place : 10;
    const score = Math.max(rank(query, entry.words) ?? -1, (rank(query, entry.detail) ?? -1) - 100);
    if (score >= 0 || isEmpty)
      scored.push({ entry, score: score + bonus - (entry.kind === 'file' ? 20 : 0) });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, max)
    .map(({ entry }) => entry);
}
