/** Lists from which extensions let the user choose, one after the other. */

import { Observable } from '../../runtime/hooks/observe.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { PickerItem, Origin } from './actions.ts';

export interface Picker extends Origin {
  readonly id: number;
  readonly title: string;
  readonly items: readonly PickerItem[];
}

interface Open {
  readonly picker: Picker;
  readonly choose: (index: number | null) => void;
}

/** Limit of pickers that wait. */
const maxWaiting = 10;

export class Pickers extends Observable<undefined> {
  #open: readonly Open[] = [];
  #lastId = 0;

  get current(): Picker | null {
    return this.#open[0]?.picker ?? null;
  }

  /**
   * @param choose called once, with the index of the chosen item, or null for none
   * @throws {ToolError} `limit` if this extension has one open, or too many wait
   */
  open(
    { extension, file }: Origin,
    { title, items }: Pick<Picker, 'title' | 'items'>,
    choose: (index: number | null) => void,
  ): void {
    if (this.#open.some(({ picker }) => picker.file === file))
      throw new ToolError('limit', 'Another picker of this extension is open.');
    if (this.#open.length >= maxWaiting)
      throw new ToolError('limit', `More than ${maxWaiting} pickers are open.`);
    const picker = { extension, file, title, items, id: ++this.#lastId };
    this.#set([...this.#open, { picker, choose }]);
  }

  /** Closes a picker. @param index null if nothing was chosen */
  close(id: number, index: number | null): void {
    const open = this.#open.find(({ picker }) => picker.id === id);
    if (open === undefined) return;
    this.#set(this.#open.filter((one) => one !== open));
    open.choose(index);
  }

  clear(file: string): void {
    const open = this.#open.find(({ picker }) => picker.file === file);
    if (open !== undefined) this.close(open.picker.id, null);
  }

  #set(open: readonly Open[]): void {
    this.#open = open;
    this.emit(undefined);
  }
}
