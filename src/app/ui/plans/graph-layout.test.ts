import { expect, test } from 'vitest';
import { layoutOf, levelsOf, nextNode, type GraphNode } from './graph-layout.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

const node = (id: string, before: readonly string[] = []): GraphNode => ({
  id,
  title: id,
  before,
  words: '',
  tone: '',
});

test('a task is one column after the last of those before it', () => {
  const { nodes, columns, rows, lines } = layoutOf([
    node('c', ['a', 'b', 'b', 'gone']),
    node('b', ['a']),
    node('a'),
    node('d'),
  ]);
  const places = nodes.map(({ node: { id }, column, row }) => `${id} ${column} ${row}`);
  expect(places).toEqual(['a 0 0', 'd 0 1', 'b 1 0', 'c 2 0']);
  expect([columns, rows]).toEqual([3, 2]);
  // A dependency that is named twice is one line.
  expect(lines).toHaveLength(3);
});

test('circles, odd ids and plans of strangers are drawn in time', () => {
  const circle = levelsOf([node('a', ['b']), node('b', ['a']), node('__proto__', ['b'])]);
  expect(circle.size).toBe(3);
  const same = layoutOf([node('x y'), node('x'), node('z', ['x y', 'x']), node('x')]);
  expect(same.nodes).toHaveLength(3);
  const dense = Array.from({ length: 500 }, (_, n) =>
    node(
      `t${n}`,
      Array.from({ length: n }, (_id, k) => `t${k}`),
    ),
  ).reverse();
  const at = threadMs();
  const { columns, lines } = layoutOf(dense);
  expect(columns).toBe(500);
  expect(lines).toHaveLength(1_000);
  // A pass over all dependencies for each task would take longer.
  expect(threadMs() - at).toBeLessThan(1_000);
});

test('arrow keys lead to each task, in the graph and in the list of a phone', () => {
  const layout = layoutOf([node('a'), node('b'), node('c', ['a', 'b'])]);
  const [a, b, c] = layout.nodes;
  if (a === undefined || b === undefined || c === undefined) throw new Error('no nodes');
  const go = (
    ...asked: [typeof a, 'ArrowDown' | 'ArrowUp' | 'ArrowLeft' | 'ArrowRight', boolean]
  ) => nextNode(layout, ...asked)?.node.id ?? null;
  expect(go(a, 'ArrowDown', false)).toBe('b');
  expect(go(b, 'ArrowDown', false)).toBeNull();
  expect(go(b, 'ArrowRight', false)).toBe('c');
  expect(go(c, 'ArrowLeft', false)).toBe('a');
  expect(go(a, 'ArrowLeft', false)).toBeNull();
  expect(go(b, 'ArrowDown', true)).toBe('c');
  expect(go(c, 'ArrowUp', true)).toBe('b');
  expect(go(c, 'ArrowDown', true)).toBeNull();
});
