/** Tracks whether the user is typing, so that dialogs can wait until they pause. */

/** Without a key for so long, they have paused; milliseconds. */
const pauseMs = 1_200;

type TextField = HTMLTextAreaElement | HTMLInputElement;

export class Typing {
  #field: TextField | null = $state.raw(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #over = new AbortController();

  constructor(page: Pick<Document, 'addEventListener'>) {
    const { signal } = this.#over;
    page.addEventListener('input', ({ target }) => this.#took(target), { capture: true, signal });
  }

  /** The field that the user types in; null while the user does not type. */
  get field(): TextField | null {
    return this.#field;
  }

  /** They have turned to something else. */
  end(): void {
    clearTimeout(this.#timer);
    this.#field = null;
  }

  dispose(): void {
    this.#over.abort();
    this.end();
  }

  #took(target: EventTarget | null): void {
    this.end();
    // What floats above the page has the keys already.
    if (!isTextField(target) || target.value === '' || target.closest('dialog') !== null) return;
    this.#field = target;
    this.#timer = setTimeout(() => {
      this.end();
    }, pauseMs);
  }
}

function isTextField(target: EventTarget | null): target is TextField {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && ['text', 'search'].includes(target.type))
  );
}
