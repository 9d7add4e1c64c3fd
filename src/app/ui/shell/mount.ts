/** Mounts the page. */

import { mount, unmount } from 'svelte';
import Page from './Page.svelte';
import { Ui, type UiDeps } from './ui.svelte.ts';

/**
 * Mounts the page for an app, replacing the content of `target`.
 * @returns dispose, which removes the page and leaves the app running
 */
export function mountApp(target: HTMLElement, deps: Omit<UiDeps, 'bar'>): () => void {
  const ui = new Ui({ ...deps, bar: window });
  target.replaceChildren();
  const page = mount(Page, { target, props: { ui } });
  return () => {
    void unmount(page);
    ui.dispose();
  };
}
