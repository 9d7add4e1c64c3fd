/** Tests what is shown of a list of which only the first items are shown at first. */

import { createRawSnippet } from 'svelte';
import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import SomeOf from './SomeOf.svelte';

const item = createRawSnippet((each: () => string, index: () => number) => ({
  render: () => `<b>${index()}${each()}</b>`,
}));

/** The text of the drawn list, without what the renderer leaves for the browser. */
function drawn(length: number, also: readonly number[]): string {
  const items = Array.from({ length }, () => 'x');
  const { body } = render(SomeOf, { props: { items, page: 4, what: 'calls', item, also } });
  return body
    .replaceAll(/<!--.*?-->|<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

test('items behind the first are shown if they are asked for, in order and once', () => {
  expect(drawn(5, [])).toBe('0x 1x 2x 3x Showing 4 of 5 calls Show more');
  expect(drawn(5, [4])).toBe('0x 1x 2x 3x 4x');
  expect(drawn(9, [7, 2, 5, 7, -1, 9])).toBe('0x 1x 2x 3x Showing 6 of 9 calls Show more 5x 7x');
});
