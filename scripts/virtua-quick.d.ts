/** The type of Virtua's list, for npm run check:quick: see tsconfig.quick.json. */
import type { SvelteComponent } from 'svelte';
import type { VirtualizerHandle, VirtualizerProps } from '../node_modules/virtua/lib/svelte';

export type { VirtualizerHandle };
export declare const Virtualizer: new <T>(options: {
  target: Element;
  props?: VirtualizerProps<T>;
}) => SvelteComponent<VirtualizerProps<T>> & VirtualizerHandle;
