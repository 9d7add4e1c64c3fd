/** What the gallery shows of a component: it, its props and what is around it. */

import type { Component } from 'svelte';
import type { Given, Scene } from './scene.ts';

type Props = Record<string, unknown>;

export interface Shown {
  readonly component: Component<Props>;
  readonly props: (scene: Scene) => Props;
  readonly given: Given;
}

/** A component that is never in one of the states leaves it out. */
export type States = Partial<
  Record<'empty' | 'loading' | 'partial' | 'error' | 'full', () => Shown>
>;

export function show<P extends Props>(
  component: Component<P>,
  props: P | ((scene: Scene) => P),
  given: Given = {},
): Shown {
  return {
    // The props beside it fit, which the list's type cannot say.
    component: component as Component<Props>,
    props: typeof props === 'function' ? props : () => props,
    given,
  };
}

export function many<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

export const long = 'a_name_that_is_longer_than_a_phone_is_wide_'.repeat(4);
export const words = 'The forecast for the whole week, with every hour of every day in it. '.repeat(
  20,
);
