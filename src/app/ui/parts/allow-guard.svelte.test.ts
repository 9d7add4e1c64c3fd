import { expect, test } from 'vitest';
import { AllowGuard } from './allow-guard.svelte.ts';

test('a control is guarded if it cannot be known whether it allows something', () => {
  const unknown = (): boolean => {
    throw new TypeError('The tool is gone.');
  };
  const ready = [unknown, () => true, () => false].map((applies) => {
    const { isReady, isReadyForShortcut } = new AllowGuard(applies);
    return [isReady, isReadyForShortcut];
  });
  expect(ready).toEqual([
    [false, false],
    [false, false],
    [true, true],
  ]);
});
