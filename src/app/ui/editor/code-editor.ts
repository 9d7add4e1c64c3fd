/**
 * The Python editor: CodeMirror in a shadow root. The page's policy forbids style elements; in a shadow root, CodeMirror
 * uses adopted style sheets instead.
 */

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { python, pythonLanguage } from '@codemirror/lang-python';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import { linter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import {
  ChangeSet,
  EditorState,
  Prec,
  Text,
  type ChangeDesc,
  type Extension,
  type Transaction,
} from '@codemirror/state';
import {
  drawSelection,
  dropCursor,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  type KeyBinding,
  lineNumbers,
} from '@codemirror/view';
import { fixFor, offsetOf } from '../../../runtime/scan/fixes/fix-for.ts';
import { SpecSource } from '../../../runtime/scan/fixes/spec-source.ts';
import type { Problem } from '../../../runtime/spec/folder.ts';
import { codeTheme } from './code-theme.ts';
import { hasFunctions, offerWords } from './spec-offer.ts';
import { type CompletedFunction, completeSpecKeys, completeTools } from './completion.ts';
export { writeProgram } from './saved-program.ts';
import { problemLines, showProblemLines, type ProblemLine } from './problem-lines.ts';
import { lineBreakOf } from './text-bytes.ts';
import { visibleText } from '../parts/visible-text.ts';

export interface CodeEditorDeps {
  readonly label: string;
  readonly text: string;
  readonly isPython: boolean;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  /** Runs the tool. @returns false if there is none, so that the page's own shortcut counts */
  readonly onRun: () => boolean;
  /** Replaces the text by an earlier or later one, for an arrow key that leaves it. @returns false if there is none */
  readonly onHistory?: (step: -1 | 1) => boolean;
  /** Proposes specs for the functions of the file. */
  readonly onSpecs?: () => void;
  /** The functions that the text can call, if it is a program. */
  readonly functions?: () => readonly CompletedFunction[];
}

export class CodeEditor {
  readonly #view: EditorView;
  /** Identifies the last shown problems. */
  #shown = '';
  #isFollowing = false;
  readonly #onSpecs: (() => void) | undefined;

  /** @param host an element without a shadow root */
  constructor(host: HTMLElement, deps: CodeEditorDeps) {
    const { label, text, isPython, onText, onSave, onRun, functions } = deps;
    this.#onSpecs = deps.onSpecs;
    const root = host.shadowRoot ?? host.attachShadow({ mode: 'open' });
    const save = keymap.of([
      {
        key: 'Mod-s',
        preventDefault: true,
        run: () => {
          onSave();
          return true;
        },
      },
      { key: 'Mod-Enter', run: onRun },
    ]);
    const listen = EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.#isFollowing) onText(this.text);
    });
    this.#view = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorState.lineSeparator.of(lineBreakOf(text)),
          EditorView.contentAttributes.of({
            'aria-label': visibleText(label),
            spellcheck: 'false',
            tabindex: '0',
          }),
          save,
          deps.onHistory === undefined ? [] : historyKeys(deps.onHistory),
          listen,
          basics,
          escapeThenTab,
          typeOver,
          isPython ? pythonSupport : [],
          functions === undefined
            ? []
            : pythonLanguage.data.of({ autocomplete: completeTools(functions) }),
          codeTheme,
        ],
      }),
    });
  }

  get text(): string {
    return this.#view.state.sliceDoc();
  }

  /** Name of the function that the cursor is in or below; null if there is none. */
  get functionHere(): string | null {
    const { doc, selection } = this.#view.state;
    for (let { number } = doc.lineAt(selection.main.head); number > 0; number -= 1) {
      const [, name] = /^\s*(?:async\s+)?def\s+(\w+)/.exec(doc.line(number).text) ?? [];
      if (name !== undefined) return name;
    }
    return null;
  }

  /** Replaces the text, as one undo step. The cursor keeps its position if possible. */
  follow(text: string): void {
    const now = this.#view.state.doc;
    const next = this.#view.state.toText(text);
    const change = differenceOf(now.toString(), next.toString());
    if (change === null) return;
    this.#isFollowing = true;
    this.#view.dispatch({ changes: { ...change, insert: textOf(change.insert) } });
    this.#isFollowing = false;
  }

  /** @param scanned the text that the problems refer to */
  showProblems(problems: readonly Problem[], scanned: string): void {
    const key = JSON.stringify([scanned, problems]);
    // The editor moves shown problems along with the text.
    if (key === this.#shown) return;
    this.#shown = key;
    const { state } = this.#view;
    const source = new SpecSource(state.toText(scanned).toString());
    const change = differenceOf(source.text, state.doc.toString());
    const changes = ChangeSet.of(
      change === null ? [] : { ...change, insert: textOf(change.insert) },
      source.text.length,
    );
    const lines = problems.flatMap((problem) => this.#lineOf(problem, source, changes));
    this.#view.dispatch(
      setDiagnostics(
        state,
        lines.map(({ from, to, problem: { severity, message } }): Diagnostic => ({
          from,
          to,
          severity: severity === 'note' ? 'info' : severity,
          message,
        })),
      ),
      { effects: showProblemLines.of(lines) },
    );
  }

  /** @param scrollsPage whether the page scrolls, too, if the editor is out of view */
  goTo(line: number, scrollsPage: boolean): void {
    const view = this.#view;
    const { doc } = view.state;
    const { from } = doc.line(Math.min(line, doc.lines));
    const scroll = { effects: EditorView.scrollIntoView(from, { y: 'center' }) };
    view.dispatch({ selection: { anchor: from }, ...(scrollsPage && scroll) });
    if (scrollsPage) return;
    view.requestMeasure({
      read: () => view.lineBlockAt(from).top,
      write: (top) => (view.scrollDOM.scrollTop = top - view.scrollDOM.clientHeight / 4),
    });
  }

  focus(): void {
    this.#view.focus();
  }

  /** Puts the cursor behind the text. */
  toEnd(): void {
    const { length } = this.#view.state.doc;
    this.#view.dispatch({ selection: { anchor: length }, scrollIntoView: true });
  }

  destroy(): void {
    // A completion that is about to be computed would still read the functions afterwards.
    closeCompletion(this.#view);
    this.#view.destroy();
  }

  #lineOf(problem: Problem, source: SpecSource, changes: ChangeDesc): ProblemLine[] {
    if (problem.line === null) return [];
    const start = offsetOf(source.text, problem.line, problem.column ?? 1);
    if (start === null) return [];
    const lineEnd = source.text.indexOf('\n', start);
    const end = lineEnd === -1 ? source.text.length : lineEnd;
    // An error at the end of a line marks the whole line, because no text follows it there.
    const lineStart = source.text.lastIndexOf('\n', start - 1) + 1;
    const from = changes.mapPos(start < end ? start : lineStart, 1);
    const to = Math.max(from, changes.mapPos(end, -1));
    const fix = fixFor(source, problem);
    const onSpecs =
      problem.code === 'no-specs' && hasFunctions(source.text) ? this.#onSpecs : undefined;
    const action = onSpecs
      ? { words: offerWords.make, choose: onSpecs }
      : fix === null
        ? null
        : { words: fix.label, choose: (at: number) => this.#apply(problem, at) };
    return [{ from, to, problem, action }];
  }

  /** Applies the fix to the current text. */
  #apply(problem: Problem, at: number): void {
    const fix = fixFor(new SpecSource(this.#view.state.doc.toString()), problem, at);
    if (fix === null) return;
    this.#view.dispatch({
      changes: fix.edits.map(({ from, to, insert }) => ({ from, to, insert: textOf(insert) })),
      userEvent: 'input.fix',
    });
    this.#view.focus();
  }
}

const basics: Extension = [
  lineNumbers(),
  highlightActiveLineGutter(),
  highlightSpecialChars(),
  history(),
  drawSelection(),
  dropCursor(),
  EditorState.allowMultipleSelections.of(true),
  indentOnInput(),
  indentUnit.of('    '),
  EditorState.tabSize.of(4),
  bracketMatching(),
  closeBrackets(),
  autocompletion(),
  highlightActiveLine(),
  highlightSelectionMatches(),
  search({ top: true }),
  // The problems are written below their lines.
  linter(null, { tooltipFilter: () => [] }),
  problemLines,
  EditorView.lineWrapping,
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...searchKeymap,
    ...historyKeymap,
    ...lintKeymap,
    indentWithTab,
    ...defaultKeymap.filter(({ key }) => key !== 'Mod-Enter'),
  ]),
];

/**
 * Replaces a selection when the user types over it. The browser would add inline styles, which the
 * page's policy reports as violations.
 */
const typeOver = EditorView.domEventHandlers({
  beforeinput: (event, view) => {
    const { data: text, inputType, isComposing } = event;
    const { main, ranges } = view.state.selection;
    if (inputType !== 'insertText' || text === null || isComposing) return false;
    if (main.empty || ranges.length > 1) return false;
    event.preventDefault();
    const insertText = (): Transaction =>
      view.state.update(view.state.replaceSelection(text), {
        userEvent: 'input.type',
        scrollIntoView: true,
      });
    const handlers = view.state.facet(EditorView.inputHandler);
    if (!handlers.some((handle) => handle(view, main.from, main.to, text, insertText)))
      view.dispatch(insertText());
    return true;
  },
});

/** Keys that leave the text: the up arrow in the first line, and the down arrow in the last line. */
function historyKeys(go: (step: -1 | 1) => boolean): Extension {
  const keyBinding = (name: string, step: -1 | 1): KeyBinding => ({
    key: name,
    run: ({ state: { doc, selection } }) => {
      const { number } = doc.lineAt(selection.main.head);
      const leaves = selection.main.empty && number === (step < 0 ? 1 : doc.lines);
      return leaves && go(step);
    },
  });
  return keymap.of([keyBinding('ArrowUp', -1), keyBinding('ArrowDown', 1)]);
}

/** After Escape that closes nothing else, the next Tab moves the focus out of the editor. */
const escapeThenTab = keymap.of([
  {
    key: 'Escape',
    run: (view) => {
      view.setTabFocusMode(10_000);
      return false;
    },
  },
]);

const pythonSupport: Extension = [
  // Closes brackets but not quotes: typing the closing quotes of a docstring would result in five.
  Prec.highest(
    EditorState.languageData.of(() => [{ closeBrackets: { brackets: ['(', '[', '{'] } }]),
  ),
  python(),
  pythonLanguage.data.of({ autocomplete: completeSpecKeys }),
];

function textOf(text: string): Text {
  return Text.of(text.split('\n'));
}

/** The range that differs between two texts; null if they are equal. */
function differenceOf(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  let from = 0;
  while (from < before.length && before[from] === after[from]) from += 1;
  let end = 0;
  const max = Math.min(before.length, after.length) - from;
  while (end < max && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
