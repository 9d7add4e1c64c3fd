/** The commands of the palette, named as elsewhere on the page. */

import { newSession } from '../address.ts';
import { themes, type Theme } from '../preferences.svelte.ts';
import { recordingName } from '../../sessions/recordings/recording-words.ts';
import type { Sessions } from '../../sessions/sessions.svelte.ts';
import type { Ui } from '../ui.svelte.ts';
import type { PaletteEntry } from './palette-entries.ts';

const themeWords: Record<Theme, string> = {
  system: 'Theme: system',
  light: 'Theme: light',
  dark: 'Theme: dark',
};

/**
 * Commands that are available now.
 * @param showKeys opens the keyboard map
 * @param sessions null until the sessions part has loaded
 */
export function commands(
  ui: Ui,
  showKeys: () => void,
  sessions: Pick<Sessions, 'commands' | 'recordings' | 'play' | 'startNew'> | null,
): readonly PaletteEntry[] {
  const open = ui.opener.status.phase !== 'none';
  return [
    ...(sessions?.commands ?? []).map(({ words, choose }) => command(words, true, choose)),
    command('Open folder', ui.opener.canPick, () => {
      void ui.opener.openPicked();
    }),
    command('Upload folder', true, () => {
      ui.opener.chooseUpload();
    }),
    command('Open zip', true, () => {
      ui.opener.chooseZip();
    }),
    command('Open samples', true, () => {
      void ui.opener.openSamples();
    }),
    command('Refresh folder', open && !ui.opener.isOpening, () => {
      void ui.opener.refresh();
    }),
    command('Close folder', open, () => {
      ui.opener.close();
    }),
    command('Show problems', open, () => {
      ui.route.go(ui.route.withPanel('problems'));
    }),
    command('Show runs', open, () => {
      ui.route.go(ui.route.withPanel('runs'));
    }),
    command('Show Python', open, () => {
      ui.route.go(ui.route.withPanel('python'));
    }),
    command('Close drawer', ui.route.panel !== null, () => {
      ui.route.go(ui.route.withPanel(null));
    }),
    command('Policy', open, () => {
      ui.route.go(ui.route.to({ at: 'policy' }));
    }),
    command('Workspace', open, () => {
      ui.route.go(ui.route.to({ at: 'workspace' }));
    }),
    command('New session', true, () => {
      if (sessions === null) ui.route.go(ui.route.toSession(newSession));
      else sessions.startNew();
    }),
    command('Sessions', true, () => {
      ui.route.go(ui.route.to({ at: 'sessions' }));
    }),
    ...(sessions?.recordings ?? []).map(({ path, recording }) => ({
      id: `recording ${path}`,
      kind: 'command' as const,
      words: `Play: ${recordingName(recording)}`,
      detail: recording.scripted ? 'scripted example' : 'recording',
      choose: () => {
        sessions?.play(recording);
      },
    })),
    command('Settings', true, () => {
      ui.route.go(ui.route.to({ at: 'settings' }));
    }),
    command('Keyboard shortcuts', true, showKeys, '?'),
    ...themes.map((theme) =>
      command(themeWords[theme], ui.preferences.theme !== theme, () => {
        ui.preferences.theme = theme;
      }),
    ),
  ].flat();
}

function command(
  words: string,
  sensible: boolean,
  choose: () => void,
  detail = '',
): readonly PaletteEntry[] {
  return sensible ? [{ id: `command ${words}`, kind: 'command', words, detail, choose }] : [];
}
