/**
 * The type of Virtua's list for `npm run check:quick`, whose incremental svelte-check reads no .svelte files of packages and
 * so does not know the list's own type. It must follow Virtua's props and methods; `npm run check` uses the original.
 */
import type { SvelteComponent } from 'svelte';
import type { VirtualizerHandle, VirtualizerProps } from '../node_modules/virtua/lib/svelte';

export type { VirtualizerHandle };
export declare const Virtualizer: new <T>(options: {
  target: Element;
  props?: VirtualizerProps<T>;
}) => SvelteComponent<VirtualizerProps<T>> & VirtualizerHandle;
