/**
 * The script that pages load to use `<cloche-playground>`. It is served beside the app, which it finds by its own
 * address. The script's attribute `data-upgrade`, or `#upgrade` at the end of its address, also turns marked code blocks into playgrounds.
 */

import { keepUpgrading, upgradeCodeBlocks } from './code-blocks.ts';
import { definePlayground } from './playground-element.ts';

// On a server that renders pages, there is nothing to define.
if (typeof HTMLElement !== 'undefined') {
  const script = ownScript();
  definePlayground(script?.src ?? null);
  Object.assign(customElements.get('cloche-playground') ?? {}, { upgradeCodeBlocks });
  if (
    script !== null &&
    (script.dataset.upgrade !== undefined || script.src.endsWith('#upgrade'))
  ) {
    if (document.readyState === 'loading')
      document.addEventListener('DOMContentLoaded', keepUpgrading);
    else keepUpgrading();
  }
}

/** A script that is loaded as a module cannot read its own element. */
function ownScript(): HTMLScriptElement | null {
  const current = document.currentScript;
  if (current instanceof HTMLScriptElement && current.src !== '') return current;
  return document.querySelector('script[src*="cloche-playground"]');
}
