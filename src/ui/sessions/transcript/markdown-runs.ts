/** The blocks of Markdown as they are drawn: those that are there at first go together, since each that is made safe by itself costs as much as ten. */

import { MarkdownText, type Block } from './markdown-text.ts';

export type Drawn = Block | Run;

/** Blocks that stay as they are, one behind the other. */
interface Run {
  readonly kind: 'run';
  /** One block each; still to be sanitised. */
  readonly htmls: readonly string[];
}

export class MarkdownRuns {
  readonly #reader = new MarkdownText();
  #first: { readonly blocks: readonly Block[]; readonly drawn: readonly Drawn[] } | null = null;

  /** What is to be drawn of a text, which may have grown since the last time; what stays are the same objects. @param grows it will go on */
  read(text: string, grows = false): readonly Drawn[] {
    const blocks = this.#reader.read(text, grows);
    if (this.#first === null) {
      // The last one may grow.
      const stays = blocks.slice(0, -1);
      this.#first = { blocks: stays, drawn: together(stays) };
    }
    const { blocks: stayed, drawn } = this.#first;
    const same = stayed.every((block, index) => block === blocks[index]);
    return same ? [...drawn, ...blocks.slice(stayed.length)] : blocks;
  }
}

function together(blocks: readonly Block[]): readonly Drawn[] {
  const drawn: Drawn[] = [];
  let htmls: string[] = [];
  for (const block of blocks) {
    if (block.kind === 'html') {
      if (htmls.length === 0) drawn.push({ kind: 'run', htmls });
      htmls.push(block.html);
    } else {
      htmls = [];
      drawn.push(block);
    }
  }
  return drawn;
}
