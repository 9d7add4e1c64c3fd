/** Messages at places of a JSON value. */

export class JsonMarks {
  /** Messages by JSON Pointer. */
  readonly #messages: ReadonlyMap<string, string>;
  /** Pointers of values that contain a marked one. */
  readonly #around = new Set<string>();

  constructor(marks: readonly { readonly pointer: string; readonly message: string }[]) {
    this.#messages = new Map(marks.map(({ pointer, message }) => [pointer, message]));
    for (const { pointer } of marks) {
      for (let end = pointer.lastIndexOf('/'); end >= 0; end = pointer.lastIndexOf('/', end - 1)) {
        this.#around.add(pointer.slice(0, end));
        if (end === 0) break;
      }
    }
  }

  get isEmpty(): boolean {
    return this.#messages.size === 0;
  }

  /** The message of one value; empty if there is none. */
  at(pointer: string): string {
    return this.#messages.get(pointer) ?? '';
  }

  /** Whether a value inside this one is marked. */
  isInside(pointer: string): boolean {
    return this.#around.has(pointer);
  }

  /** Messages for members that an object does not have, by name. */
  missing(pointer: string, present: ReadonlySet<string>): readonly (readonly [string, string])[] {
    if (!this.#around.has(pointer)) return [];
    return Array.from(this.#messages).flatMap(([marked, message]): [string, string][] => {
      if (marked.slice(0, marked.lastIndexOf('/')) !== pointer || marked === '') return [];
      const name = marked
        .slice(pointer.length + 1)
        .replaceAll('~1', '/')
        .replaceAll('~0', '~');
      return present.has(name) ? [] : [[name, message]];
    });
  }
}

/** The pointer of a member or an item. */
export function pointerTo(parent: string, key: string | number): string {
  return `${parent}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
