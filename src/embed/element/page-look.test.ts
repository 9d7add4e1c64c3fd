import { expect, test } from 'vitest';
import { brightnessOf } from './page-look.ts';

test.each([
  ['rgb(255, 255, 255)', 1],
  ['rgb(0, 0, 0)', 0],
  ['rgba(20, 20, 24, 0.9)', 0.0802],
  ['oklch(0.225 0.014 235)', 0.225],
  ['oklch(97% 0.01 20)', 0.97],
  ['lab(29.2 39.3 20)', 0.292],
  ['color(srgb 0.5 0.5 0.5)', 0.5],
])('%s has a brightness', (color, expected) => {
  expect(brightnessOf(color)).toBeCloseTo(expected, 3);
});

test.each(['rgba(0, 0, 0, 0)', 'transparent', 'color(srgb 0 0 0 / 0)', 'oklch(0.2 0 0 / 0.1)', ''])(
  '%j says nothing',
  (color) => {
    expect(brightnessOf(color)).toBeNull();
  },
);
