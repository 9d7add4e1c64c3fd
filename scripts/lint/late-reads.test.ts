/** The lint rule on props and deriveds reports each read that may come after the end of a component, and nothing else. */

import { Linter } from 'eslint';
import svelte from 'eslint-plugin-svelte';
import { parser } from 'typescript-eslint';
import { expect, test } from 'vitest';
import { lateReads } from './late-reads.mjs';

/** @returns the lines that are reported */
function reported(body: readonly string[]): number[] {
  const found = new Linter().verify(
    ['<script lang="ts">', ...body, '</script>'].join('\n'),
    [
      ...svelte.configs.base,
      {
        files: ['**/*.svelte'],
        plugins: { cloche: { rules: { 'late-reads': lateReads } } },
        languageOptions: { parserOptions: { parser } },
        rules: { 'cloche/late-reads': 'error' },
      },
    ],
    { filename: 'linted.svelte' },
  );
  expect(found.filter(({ ruleId }) => ruleId === null)).toEqual([]);
  return found.map(({ line }) => line);
}

const declarations = [
  'const { path, onclose } = $props(); const twice = $derived(path + path); let own = $state(0);',
  'const { length } = $derived(twice); const slow = $derived.by(() => { return path; });',
];
const safe = [
  'async function a() { const now = path; await load(path); use(now); }',
  'async function b() { await load(); own = 1; onclose(); use(own); }',
  'function c() { use(path, twice, slow, length); }',
  'async function d() { await load(); if (signal.aborted) return; use(path); }',
  '$effect(() => { let isGone = false; void load().then(() => { if (!isGone) use(path); }); });',
  'const e = async () => { await load(() => own, twice); };',
  'class F { #own = $state([]); async f() { await load(); use(this.#own); } }',
  'async function n() { o(); await load(); p(); } function o() { use(path); }',
  'let bound: HTMLElement; let maybe: HTMLElement | undefined; bound.focus(); void tick().then(() => maybe?.focus());',
  'function p() { if (isGone) return; use(path); } function s() { own.some(() => path); }',
];
const unsafe = [
  'async function g() { await load(); use(path); }',
  'async function h() { if (own) await load(); return () => twice; }',
  'async function i() { if (signal.aborted) return; await load(); use(slow); }',
  'function j() { void load().then(() => use(length)); }',
  'function k() { setTimeout(() => use(path), 100); }',
  'const l = async () => { use(await load(), path); };',
  'class M { readonly #all = $derived([]); async m() { await load(); use(this.#all); } }',
  'async function q() { await load(); r(); } function r() { s(); }',
  'async function t() { use(twice); await load(); } async function u() { await load(); void t(); }',
  'function z() { void tick().then(() => bound.focus()); }',
  'function v() { void load().then(w); } function w() { use(length); }',
];

test('reads before a wait pass, and reads after one do not, unless the component is known to be shown', () => {
  const first = declarations.length + safe.length + 2;
  expect(reported([...declarations, ...safe, ...unsafe])).toEqual(unsafe.map((_, n) => first + n));
});
