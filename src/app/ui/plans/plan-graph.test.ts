/** Tests how much of a graph is drawn in its first frame. */

import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import PlanGraph from './PlanGraph.svelte';

test('the first frame draws a hundred tasks of a graph, and a hundred lines', () => {
  const nodes = Array.from({ length: 500 }, (_, n) => ({
    ...({ words: '', tone: '' } as const),
    id: `t${n}`,
    title: `Task ${n}`,
    before: n === 0 ? [] : [`t${n - 1}`],
  }));
  const counts = (length: number): readonly number[] => {
    const { body } = render(PlanGraph, {
      props: { nodes: nodes.slice(0, length), selected: 't1', onselect: () => undefined },
    });
    return ['<button', '<path'].map((tag) => body.split(tag).length - 1);
  };
  expect(counts(500)).toEqual([100, 100]);
  expect(counts(3)).toEqual([3, 2]);
});
