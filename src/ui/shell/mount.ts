/** Mounts the page. */

import { mount, unmount } from 'svelte';
import type { App } from '../../app-types.ts';
import type { FolderChoices } from '../home/folder-choices.ts';
import Page from './Page.svelte';
import { Ui, type UiParts } from './ui.svelte.ts';

/** Mounts the page for an app, in place of what `target` holds. @returns dispose, which takes the page away and leaves the app running */
export function mountApp(
  target: HTMLElement,
  app: App,
  folders: FolderChoices,
  parts: Pick<UiParts, 'site' | 'policy' | 'workspaces' | 'sessions' | 'memory'>,
): () => void {
  const ui = new Ui({ app, folders, ...parts, bar: window });
  target.replaceChildren();
  const page = mount(Page, { target, props: { ui } });
  return () => {
    void unmount(page);
    ui.dispose();
  };
}
