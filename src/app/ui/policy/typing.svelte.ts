/** Tracks whether the user is typing, so that dialogs can wait for a pause. */

/** Time without a key press that counts as a pause; milliseconds. */
const pauseMs = 1_200;

type TextField = HTMLTextAreaElement | HTMLInputElement;

export class Typing {
  /** The field that the user types in; null if the user is not typing. */
  field: TextField | null = $state.raw(null);
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #over = new AbortController();

  constructor(page: Pick<Document, 'addEventListener'>) {
    const { signal } = this.#over;
    page.addEventListener('input', ({ target }) => this.#noteTyping(target), {
      capture: true,
      signal,
    });
  }

  /** Ends typing, because the user has turned to something else. */
  end(): void {
    clearTimeout(this.#timer);
    this.field = null;
  }

  dispose(): void {
    this.#over.abort();
    this.end();
  }

  #noteTyping(target: EventTarget | null): void {
    this.end();
    // Typing in a dialog holds nothing back: the user's attention is on a dialog already.
    if (!isTextField(target) || target.value === '' || target.closest('dialog') !== null) return;
    this.field = target;
    this.#timer = setTimeout(() => this.end(), pauseMs);
  }
}

function isTextField(target: EventTarget | null): target is TextField {
  return (
    target instanceof HTMLTextAreaElement ||
    (target instanceof HTMLInputElement && ['text', 'search'].includes(target.type))
  );
}
