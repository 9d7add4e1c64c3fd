/** A playground before Python is wanted: its source as text, and the buttons. */

import type { PlaygroundSetup } from '../../runtime/protocol/embed.ts';
import { quickPieces, textPieces } from '../../app/ui/parts/cut-text.ts';
import { spellOut, visibleText, type VisibleText } from '../../app/ui/parts/visible-text.ts';
import { wordsOf } from './apply-look.ts';

export interface PlainActions {
  readonly run: () => void;
  readonly edit: () => void;
  readonly play: () => void;
}

/** Replaces the content of `target`. The focus stays on the same button. */
export function plainView(
  target: HTMLElement,
  setup: PlaygroundSetup,
  actions: PlainActions,
): void {
  const { files, tool, view, readonly, recording } = setup;
  const words = wordsOf(setup.look);
  const document = target.ownerDocument;
  const focused = target.contains(document.activeElement)
    ? document.activeElement?.className
    : null;
  const element = (tag: string, className: string, text: VisibleText): HTMLElement => {
    const created = document.createElement(tag);
    created.className = className;
    created.textContent = text;
    return created;
  };
  const source = (text: string): HTMLElement => {
    const block = document.createElement('pre');
    block.className = 'plain-source';
    for (const piece of quickPieces(textPieces(text)))
      block.append(element('span', 'piece', spellOut(piece)));
    return block;
  };
  const button = (className: string, text: string, press: () => void): HTMLElement => {
    const created = element('button', className, visibleText(text));
    created.setAttribute('type', 'button');
    created.addEventListener('click', press);
    return created;
  };
  const name = tool === '' ? files.map(({ path }) => path).join(', ') : tool;
  const bar = element('div', 'bar', visibleText(''));
  bar.append(element('span', 'name', visibleText(name)));
  if (recording === '' && view === 'full' && !readonly)
    bar.append(button('quiet edit', words.edit, actions.edit));
  const work = element('div', 'work', visibleText(''));
  if (view === 'full') {
    const code = element('div', 'code', visibleText(''));
    for (const { path, text } of files) {
      const shownFile = source(text);
      shownFile.tabIndex = 0;
      shownFile.setAttribute('role', 'region');
      shownFile.setAttribute('aria-label', visibleText(`${words.source}: ${path}`));
      code.append(shownFile);
    }
    work.append(code);
  }
  const buttons = element('div', 'actions', visibleText(''));
  buttons.append(
    recording === ''
      ? button('primary', words.run, actions.run)
      : button('primary', 'Show the recording', actions.play),
  );
  work.append(buttons);
  const whole = element('div', `playground ${view}`, visibleText(''));
  whole.append(bar, work);
  target.replaceChildren(whole);
  if (typeof focused === 'string')
    target.querySelector<HTMLElement>(`button.${focused.replaceAll(' ', '.')}`)?.focus();
}
