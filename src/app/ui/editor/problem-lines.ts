/** Writes the problems of a text below the lines that they concern, with a button for each fix. */

import { StateEffect, StateField, type Extension } from '@codemirror/state';
import { Decoration, EditorView, WidgetType, type DecorationSet } from '@codemirror/view';
import type { Problem } from '../../../runtime/spec/folder.ts';
import { visibleText } from '../parts/visible-text.ts';

export interface ProblemLine {
  readonly from: number;
  readonly to: number;
  readonly problem: Problem;
  readonly action: { readonly words: string; readonly choose: (at: number) => void } | null;
}

/** Limit of problems below lines, since each adds an element to the page. Further ones are only underlined. */
const maxWritten = 100;
/** Limit of each text of a problem; characters. */
const maxChars = 400;

const severityWords = { error: 'Error:', warning: 'Warning:', note: 'Note:' } as const;

/** Replaces the shown problems. */
export const showProblemLines = StateEffect.define<readonly ProblemLine[]>();

class ProblemWidget extends WidgetType {
  readonly #line: ProblemLine;
  /** Distance of the problem from the start of its line. */
  readonly #column: number;

  constructor(line: ProblemLine, column: number) {
    super();
    this.#line = line;
    this.#column = column;
  }

  override eq(other: ProblemWidget): boolean {
    const { problem, action } = this.#line;
    return (
      other.#line.action?.words === action?.words &&
      JSON.stringify(other.#line.problem) === JSON.stringify(problem)
    );
  }

  override toDOM(view: EditorView): HTMLElement {
    const { problem, action } = this.#line;
    const { severity, message, expected, hint } = problem;
    const host = element('div', `cm-problem cm-problem-${severity}`);
    const words = element('p', '');
    const name = element('strong', '');
    name.textContent = boundedText(severityWords[severity]);
    words.append(name, ' ', boundedText(message));
    host.append(words);
    const more = [
      severity === 'error' && expected !== '' ? `Expected: ${expected}` : '',
      action === null ? hint : '',
    ];
    for (const text of more.filter((each) => each !== '')) {
      const line = element('p', 'cm-problem-more');
      line.textContent = boundedText(text);
      host.append(line);
    }
    if (action === null) return host;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = boundedText(action.words);
    button.addEventListener('click', () => {
      const line = view.state.doc.lineAt(view.posAtDOM(host));
      action.choose(Math.min(line.from + this.#column, line.to));
    });
    host.append(button);
    return host;
  }
}

const written = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(before, { changes, effects, state }) {
    let next = before.map(changes);
    for (const effect of effects) {
      if (!effect.is(showProblemLines)) continue;
      const widgets = effect.value.slice(0, maxWritten).map((line) => {
        const { from, to } = state.doc.lineAt(line.from);
        const widget = new ProblemWidget(line, line.from - from);
        return Decoration.widget({ widget, block: true, side: 1 }).range(to);
      });
      next = Decoration.set(widgets, true);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

const look = EditorView.theme({
  '.cm-problem': {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: '0 var(--gap-3)',
    padding: 'var(--gap-1) var(--gap-3)',
    fontFamily: 'var(--sans)',
    whiteSpace: 'normal',
  },
  '.cm-problem p': { margin: '0', maxWidth: '75ch' },
  '.cm-problem .cm-problem-more': {
    flexBasis: '100%',
    color: 'var(--ink-soft)',
    whiteSpace: 'pre-line',
  },
  '.cm-problem strong': { fontWeight: '600' },
  '.cm-problem-error': { backgroundColor: 'var(--error-tint)' },
  '.cm-problem-error strong': { color: 'var(--error)' },
  '.cm-problem-warning': { backgroundColor: 'var(--warning-tint)' },
  '.cm-problem-warning strong': { color: 'var(--warning)' },
  '.cm-problem-note': { backgroundColor: 'var(--well)' },
  '.cm-problem button': {
    minHeight: '1.75rem',
    padding: '0 var(--gap-2)',
    border: '1px solid var(--line-control)',
    borderRadius: 'var(--radius-1)',
    color: 'var(--ink)',
    background: 'var(--bench)',
    font: 'inherit',
    fontWeight: '500',
    cursor: 'pointer',
  },
  '.cm-problem button:focus-visible': { outline: '2px solid var(--accent)', outlineOffset: '1px' },
});

export const problemLines: Extension = [written, look];

function element(name: string, className: string): HTMLElement {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  return made;
}

function boundedText(text: string): string {
  return visibleText(text, maxChars);
}
