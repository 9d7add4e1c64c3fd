/** Types of `<cloche-playground>`, for pages that use it from TypeScript. The build copies this file to `cloche-playground.d.ts`. */

/** A file of a playground. */
export interface PlaygroundFile {
  /** Relative to the playground's folder, such as `example.py`. */
  path: string;
  text: string;
}

/** The outcome of a call. */
export interface PlaygroundResult {
  readonly callId: string;
  /** `module:function`. */
  readonly tool: string;
  readonly resultType: 'success' | 'failure';
  /** The result as a model would get it. */
  readonly text: string;
  /** `Type: message`, or a word such as `cancelled`; empty on success. */
  readonly error: string;
  readonly durationMs: number;
}

/** The events of a playground; all bubble and are composed. */
export interface PlaygroundEventMap {
  /** The playground takes methods. Python has not been started. */
  'cloche-ready': CustomEvent<Record<string, never>>;
  /** The user has changed the source, the tool or the arguments. */
  'cloche-change': CustomEvent<{
    readonly files: readonly PlaygroundFile[];
    readonly tool: string;
    readonly arguments: string;
  }>;
  /** A call begins. `arguments` is the text of a JSON object. */
  'cloche-call': CustomEvent<{
    readonly callId: string;
    readonly tool: string;
    readonly arguments: string;
  }>;
  'cloche-result': CustomEvent<PlaygroundResult>;
  'cloche-error': CustomEvent<{
    readonly code: string;
    readonly message: string;
    readonly hint: string;
  }>;
}

export interface ClochePlaygroundElement extends HTMLElement {
  /** Runs the shown tool. Loads Python if necessary. Rejects if there is no tool to run, or the playground cannot be loaded. */
  run(): Promise<PlaygroundResult>;
  /** Ends the running call. */
  cancel(): void;
  /** Replaces the source, and what the reader has typed into it: one file, or all of them. Resolves when the playground has it. */
  setSource(source: string | readonly PlaygroundFile[]): Promise<void>;
  /** Replaces the arguments: an object, or the text of a JSON object. Resolves when the playground has them. */
  setArguments(args: string | Readonly<Record<string, unknown>>): Promise<void>;
  addEventListener<Type extends keyof PlaygroundEventMap>(
    type: Type,
    listener: (this: ClochePlaygroundElement, event: PlaygroundEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener<Type extends keyof HTMLElementEventMap>(
    type: Type,
    listener: (this: ClochePlaygroundElement, event: HTMLElementEventMap[Type]) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string,
    listener: EventListenerOrEventListenerObject,
    options?: boolean | AddEventListenerOptions,
  ): void;
}

/** The class that `customElements.get('cloche-playground')` returns. */
export interface ClochePlaygroundConstructor extends CustomElementConstructor {
  /**
   * Turns marked code blocks into playgrounds: those with the class `cloche`, and those whose first line is `# cloche`, with
   * attributes after it. @returns how many
   */
  upgradeCodeBlocks(root?: ParentNode): number;
}

declare global {
  interface HTMLElementTagNameMap {
    'cloche-playground': ClochePlaygroundElement;
  }
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- adds the events to those of all elements
  interface HTMLElementEventMap extends PlaygroundEventMap {}
}
