/** The lint rule finds foreign texts that are shown without a bound, and accepts the app's own words. */

import { ESLint } from 'eslint';
import { expect, test } from 'vitest';

const eslint = new ESLint({ ruleFilter: ({ ruleId }) => ruleId === 'cloche/visible-text' });

/** The texts in a component that the rule reports. */
async function reported(code: string): Promise<readonly string[]> {
  const lines = code.split('\n');
  // Types are read for a file of the project.
  const [result] = await eslint.lintText(code, { filePath: 'src/app/ui/parts/ShortText.svelte' });
  return (result?.messages ?? [])
    .filter(({ ruleId }) => ruleId === 'cloche/visible-text')
    .map(({ line, column, endColumn = 0 }) =>
      (lines[line - 1] ?? '').slice(column - 1, endColumn - 1),
    );
}

const script = (more = ''): string => `<script lang="ts">
  ${more}
  import { countText } from '../../../runtime/spec/count-text.ts';
  import { visibleText } from './visible-text.ts';
  import Fold from './Fold.svelte';
  interface Props { text: string; count: number; state: 'on' | 'off'; items: readonly string[]; log: Map<string, string> }
  const { text, count, state, items, log }: Props = $props();
  const words = { on: 'On', off: 'Off' };
  const shown = $derived(visibleText(text, 20));
  const mixed = $derived(state === 'on' ? 'On' : text);
  const own = $derived.by(() => (count > 1 ? \`\${count} files\` : 'A file'));
  function after(ms: number, what: string): string { return \`\${what} after \${ms} ms\`; }
</script>`;

const attached =
  "function name(node: HTMLElement): void { node.title = text; node.append(text); node.setAttribute('aria-label', text); }";

test('foreign texts are found, wherever a component shows them', { timeout: 120_000 }, async () => {
  const bad = [
    '<p>{text}</p>',
    '<p>{mixed}</p>',
    '<p>{text.slice(0, 200)}</p>',
    '<p>{after(1, text)}</p>',
    '<p title={text}></p>',
    '<p aria-label="Name of {items[0]}"></p>',
    '<img alt={text} />',
    '<input placeholder={text} />',
    '<option>{text}</option>',
    '{#each items as item (item)}{item}{/each}',
    '{#if count > 1}{log.get("a") ?? "none"}{/if}',
    '<svelte:head><title>{text}</title></svelte:head>',
    '<p {@attach name}></p>',
  ];
  const good = [
    '<p>{shown}{visibleText(text)}{words[state]}{state}{count}{own}</p>',
    '<p>{countText(count, "file")}{count > 1 ? "many" : count.toLocaleString("en")}</p>',
    '<p>{after(count, "Ended")}</p>',
    '<p title={count > 1 ? undefined : shown}></p>',
    '<Fold words={text}>{#snippet children()}{count}{/snippet}</Fold>',
  ];
  expect(await reported([script(attached), ...bad].join('\n'))).toEqual([
    'text',
    'text',
    'text',
    'text',
    'mixed',
    'text.slice(0, 200)',
    'after(1, text)',
    'text',
    'items[0]',
    'text',
    'text',
    'text',
    'item',
    'log.get("a") ?? "none"',
    'text',
  ]);
  expect(await reported([script(), ...good].join('\n'))).toEqual([]);
});
