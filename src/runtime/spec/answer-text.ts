import type { ModelPart } from './model.ts';

/** Joins the text of one answer while it streams, without what turns out to be reasoning. */
export class AnswerText {
  readonly #texts = new Map<string, string>();

  add(part: ModelPart): void {
    if (part.type === 'text')
      this.#texts.set(part.id, (this.#texts.get(part.id) ?? '') + part.delta);
    else if (part.type === 'was-reasoning') this.#texts.delete(part.id);
  }

  get text(): string {
    return [...this.#texts.values()].join('');
  }
}
