/** Lint rules: typescript-eslint's strictest, and the shape that CONTRIBUTING.md asks for. */
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import { configs, parser } from 'typescript-eslint';
import { lateReads } from './scripts/lint/late-reads.mjs';
import { noRedirects } from './scripts/lint/no-redirects.mjs';
import { visibleTextRule } from './scripts/lint/visible-text.mjs';
import svelteConfig from './svelte.config.js';

// TypeScript gets the code of all components at the start. Without this setting, it checks the program again for each one.
process.env.SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK = '1';
const { default: svelte } = await import('eslint-plugin-svelte');

// The rules of this project.
const cloche = {
  rules: {
    'late-reads': lateReads,
    'no-redirects': noRedirects,
    'visible-text': visibleTextRule,
  },
};

export default defineConfig(
  globalIgnores([
    'dist/',
    '.dist-*/',
    'package/',
    'release/',
    '.svelte-check/',
    'test-results/',
    'tools-samples/',
    // What these import is installed only when they run.
    'tests/conformance/',
  ]),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  js.configs.recommended,
  configs.strictTypeChecked,
  configs.stylisticTypeChecked,
  svelte.configs.recommended,
  svelte.configs.prettier,
  {
    languageOptions: {
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', { max: 400 }],
      'no-restricted-globals': ['error', 'event', 'name', 'status'],
      // TypeScript knows better which names exist.
      'no-undef': 'off',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-empty-function': ['error', { allow: ['arrowFunctions'] }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
      ],
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser, svelteConfig }, globals: globals.browser },
    // State is private and `$state.raw`: collections inside it are replaced, not watched.
    plugins: { cloche },
    rules: { 'svelte/prefer-svelte-reactivity': 'off', 'cloche/late-reads': 'error' },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      // The page's policy allows no inline style; a `style:` directive is fine, a style attribute is not.
      'svelte/no-at-html-tags': 'error',
      'max-lines': ['error', { max: 200 }],
    },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte', 'workers/**/*.ts'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['src/**/*.ts', 'src/**/*.svelte', 'workers/**/*.ts'],
    ignores: ['**/*.test.ts', '**/*.fixture.ts'],
    plugins: { cloche },
    rules: {
      'cloche/no-redirects': 'error',
      // Neither can be told not to follow redirects.
      'no-restricted-globals': [
        'error',
        'event',
        'name',
        'status',
        'XMLHttpRequest',
        'EventSource',
      ],
      'no-restricted-properties': ['error', { property: 'sendBeacon' }],
    },
  },
  {
    files: ['src/app/ui/**/*.ts', 'src/app/ui/**/*.svelte', 'src/embed/playground/**'],
    // The documentation is part of the build. Fixtures show nothing.
    ignores: ['src/app/ui/help/**', '**/*.test.ts', '**/*.fixture.ts', '**/*.css'],
    plugins: { cloche },
    rules: {
      'cloche/visible-text': 'error',
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/visible-text.ts'],
              importNames: ['spellOut'],
              message:
                'Use visibleText(), ShortText, LongText or TailText: spellOut() bounds nothing.',
            },
          ],
        },
      ],
    },
  },
  {
    // These files divide or bound the text themselves.
    files: [
      'src/embed/playground/PlaygroundSource.svelte',
      'src/embed/playground/lazy-playground.ts',
      'src/app/ui/markdown/CodeBlock.svelte',
      'src/app/ui/markdown/markdown.ts',
      'src/app/ui/parts/CodeSpans.svelte',
      'src/app/ui/parts/TailText.svelte',
      'src/app/ui/parts/piece-by-piece.svelte.ts',
      'src/app/ui/tools/result/Failure.svelte',
      'src/app/ui/workspace/ChangeDiff.svelte',
    ],
    rules: { 'no-restricted-imports': 'off' },
  },
  // The plain page and loop are what someone writes in ten minutes: JavaScript without types.
  { files: ['bench/plain*/**'], extends: [configs.disableTypeChecked] },
  {
    files: ['**/*.test.ts', 'tests/**/*.ts'],
    rules: {
      // A skipped or focused test is a test that nobody runs.
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression[object.name=/^(test|it|describe)$/][property.name=/^(skip|only|todo|fixme|fails)$/]',
          message: 'Run every test: no skip, only, todo, fixme or fails.',
        },
      ],
      '@typescript-eslint/no-non-null-assertion': 'off',
      // Fakes are plain objects; their functions do not ask for `this`.
      '@typescript-eslint/unbound-method': 'off',
      // Playwright's fixtures must destructure, be it nothing.
      'no-empty-pattern': ['error', { allowObjectPatternsAsParameters: true }],
    },
  },
);
