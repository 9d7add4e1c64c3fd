/** The text of an evaluation that is being edited; its unsaved changes are those of the file in the editor. */

import type { Evals } from '../../../agent/evals/evals.ts';
import type { Evaluation } from '../../../runtime/spec/evaluation.ts';
import type { EditedFile } from '../editor/edited-file.svelte.ts';
import { YamlDraft } from '../yaml/yaml-draft.svelte.ts';

export class EvaluationDraft extends YamlDraft<Evaluation> {
  readonly file: EditedFile;

  constructor(control: Evals, file: EditedFile) {
    super({
      read: (text) => control.read(text),
      withValue: (...asked) => control.withValue(...asked),
    });
    this.file = file;
  }

  get text(): string {
    return this.file.text;
  }

  protected keep(text: string): void {
    this.file.replace(text);
  }
}
