/** Which checks a change needs. */
import { expect, test } from 'vitest';
import { quickChecks } from './changed-files.mjs';

test('a module of the page: its types, those of the tests, its lint and unit tests', () => {
  expect(quickChecks(['src/call/waiting.ts'])).toEqual({
    format: ['src/call/waiting.ts'],
    lint: ['src/call/waiting.ts'],
    projects: ['tsconfig.page.json', 'tsconfig.node.json'],
    components: false,
    related: ['src/call/waiting.ts'],
  });
});

test('what workers import is checked with them, and their tests as tests', () => {
  expect(quickChecks(['src/runtime/spec/error.ts']).projects).toHaveLength(4);
  expect(quickChecks(['workers/frame/broker.test.ts']).projects).toEqual([
    'workers/tsconfig.tests.json',
  ]);
});

test('browser tests and settings have no unit tests, other files no types', () => {
  expect(quickChecks(['README.md', 'tests/api.test.ts', 'vite.config.ts'])).toEqual({
    format: ['README.md', 'tests/api.test.ts', 'vite.config.ts'],
    lint: ['tests/api.test.ts', 'vite.config.ts'],
    projects: ['tsconfig.node.json'],
    components: false,
    related: [],
  });
});

test('a component: its types, its lint, and the unit tests that import it', () => {
  expect(quickChecks(['src/app/ui/App.svelte'])).toEqual({
    format: ['src/app/ui/App.svelte'],
    lint: ['src/app/ui/App.svelte'],
    projects: [],
    components: true,
    related: ['src/app/ui/App.svelte'],
  });
  expect(quickChecks([])).toEqual({
    format: [],
    lint: [],
    projects: [],
    components: false,
    related: [],
  });
});
