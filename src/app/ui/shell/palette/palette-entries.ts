/** Entries of the command palette: available commands, tools, and files. */

import type { IconName } from '../../parts/icons.ts';
import { shortcutLabel, type Command, type CommandGroup } from '../commands.svelte.ts';
import type { Ui } from '../ui.svelte.ts';
import { rank } from './rank.ts';

export interface PaletteEntry {
  /** Unique in the palette. */
  readonly id: string;
  readonly kind: 'command' | 'tool' | 'file';
  /** The heading under which the entry is listed without a query. */
  readonly group: string;
  readonly icon: IconName;
  readonly words: string;
  /** Secondary text beside the label. */
  readonly detail: string;
  /** The keyboard shortcut; empty if there is none. */
  readonly key: string;
  /** Related words that find the entry. */
  readonly also: string;
  readonly choose: () => void;
}

/** Limit of shown entries. */
const maxShown = 50;

/** The groups in order, with their icons. */
const icons: Readonly<Record<CommandGroup, IconName>> = {
  'This page': 'chevron',
  'Go to': 'chevron',
  Create: 'file',
  Open: 'folder',
  Folder: 'play',
  Settings: 'settings',
};
const groups = Object.keys(icons);

/** The commands that are available, by group, except the one that opens the palette. */
export function commandEntries(
  commands: readonly Command[],
  platform: string,
): readonly PaletteEntry[] {
  return commands
    .filter(({ available, shortcut }) => available && shortcut?.inOverlays !== true)
    .map(({ words, detail, group = 'This page', also, shortcut, choose }, n) => ({
      id: `command ${String(n)}`,
      kind: 'command' as const,
      group,
      icon: icons[group],
      words,
      detail: detail ?? '',
      key: shortcut === undefined ? '' : shortcutLabel(shortcut, platform),
      also: also ?? '',
      choose,
    }))
    .toSorted((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}

/** Tools and files of the open folder. */
export function toolAndFileEntries(ui: Ui): readonly PaletteEntry[] {
  const tools = ui.tools.all.map((tool) => ({
    id: `tool ${tool.name}`,
    kind: 'tool' as const,
    group: 'Tools',
    icon: 'play' as const,
    key: '',
    also: '',
    words: tool.name,
    detail: tool.label === tool.name ? '' : tool.label.slice(0, 80),
    choose: () => {
      ui.late.drafts.focusFirstFieldOf(tool.name);
      ui.route.go(ui.route.toTool(tool.name));
    },
  }));
  const files = ui.tools.groups.map(({ file, errors }) => ({
    id: `file ${file}`,
    kind: 'file' as const,
    group: 'Files',
    icon: 'file' as const,
    key: '',
    also: '',
    words: file,
    detail: errors === 0 ? '' : 'has problems',
    choose: () => ui.route.go(ui.route.toFile(file)),
  }));
  return [...tools, ...files];
}

/** What is added to the rank of a match, or subtracted from it. A weak match in secondary text does not count. */
const recentBonus = 10;
const secondaryLoss = 100;
const fileLoss = 20;
/** Higher than any rank, so that recent choices come first. */
const recentFirst = 1_000;

/**
 * The entries that match a query, best first; of equal matches, commands first. Without a query, recent choices are first.
 * @param recent 0 for the latest choice, 1 for the one before; null for others
 */
export function findEntries(
  query: string,
  entries: readonly PaletteEntry[],
  recent: (entry: PaletteEntry) => number | null = () => null,
): readonly PaletteEntry[] {
  const scored: { entry: PaletteEntry; score: number }[] = [];
  const isEmpty = query.trim() === '';
  for (const entry of entries) {
    const place = recent(entry);
    const bonus = place === null ? 0 : isEmpty ? recentFirst - place : recentBonus;
    const score = Math.max(
      rank(query, entry.words) ?? -1,
      (rank(query, entry.detail) ?? -1) - secondaryLoss,
      (wordRank(query, entry.also) ?? -1) - secondaryLoss,
    );
    if (score >= 0 || isEmpty)
      scored.push({ entry, score: score + bonus - (entry.kind === 'file' ? fileLoss : 0) });
  }
  return scored
    .sort((a, b) => b.score - a.score)
    .slice(0, maxShown)
    .map(({ entry }) => entry);
}

/** Ranks related words. They match only whole or by their start, since fuzzy matches would be too many. */
function wordRank(query: string, also: string): number | null {
  const asked = query.trim().toLowerCase().split(/\s+/);
  const words = also.split(' ');
  const fits = asked.every((one) => words.some((word) => word.startsWith(one)));
  return fits && also !== '' ? rank(asked[0] ?? '', also) : null;
}
