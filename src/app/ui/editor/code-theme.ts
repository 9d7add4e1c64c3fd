/** The editor's theme, made of the page's custom properties, which apply inside its shadow root. */

import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colors = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword],
    color: 'var(--code-keyword)',
  },
  { tag: [tags.operatorKeyword, tags.self, tags.bool, tags.null], color: 'var(--code-keyword)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--code-string)' },
  { tag: [tags.docString, tags.escape], color: 'var(--code-string)' },
  { tag: tags.number, color: 'var(--code-number)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  {
    tag: [tags.function(tags.definition(tags.variableName)), tags.definition(tags.className)],
    color: 'var(--code-name)',
  },
]);

const look = EditorView.theme({
  '&': {
    height: '100%',
    color: 'var(--ink)',
    backgroundColor: 'var(--bench)',
    fontSize: 'var(--text-2)',
  },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--mono)',
    lineHeight: '1.5',
  },
  // The editor has the spacing of the source view that it replaces, so that nothing moves.
  '.cm-content': { padding: 'var(--gap-2) 0', caretColor: 'var(--ink)' },
  '.cm-line': { padding: '0 var(--gap-3) 0 0' },
  '.cm-lineNumbers .cm-gutterElement': {
    boxSizing: 'border-box',
    minWidth: '3.5rem',
    padding: '0 var(--gap-3) 0 0',
  },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--ink)' },
  '.cm-gutters': {
    color: 'var(--ink-soft)',
    backgroundColor: 'var(--bench)',
    border: '0',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--hover)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground, .cm-content ::selection':
    { backgroundColor: 'var(--accent-tint)' },
  '.cm-selectionMatch, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--accent-tint)',
    outline: '1px solid var(--line-control)',
  },
  '.cm-searchMatch': {
    backgroundColor: 'var(--warning-tint)',
    outline: '1px solid var(--warning)',
  },
  '.cm-searchMatch-selected': { outline: '2px solid var(--accent)' },
  '.cm-panels': { color: 'var(--ink)', backgroundColor: 'var(--float)', fontFamily: 'var(--sans)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panel.cm-search': { padding: 'var(--gap-2)' },
  '.cm-panel.cm-search label': { fontSize: 'var(--text-2)' },
  '.cm-textfield, .cm-button': {
    minHeight: '1.75rem',
    padding: '0 var(--gap-2)',
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--radius-1)',
    color: 'var(--ink)',
    background: 'var(--bench)',
    fontSize: 'var(--text-2)',
  },
  '.cm-panel.cm-search [name=close]': { color: 'var(--ink)', fontSize: 'var(--text-4)' },
  '.cm-tooltip': {
    maxWidth: 'min(36rem, 90vw)',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-1)',
    color: 'var(--ink)',
    backgroundColor: 'var(--float)',
    boxShadow: 'var(--shadow)',
    fontFamily: 'var(--sans)',
    fontSize: 'var(--text-2)',
  },
  '.cm-tooltip-autocomplete ul li[aria-selected]': {
    color: 'var(--on-accent)',
    background: 'var(--accent)',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    borderBottom: '2px solid var(--error)',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    borderBottom: '2px solid var(--warning)',
  },
});

export const codeTheme: Extension = [look, syntaxHighlighting(colors)];
