/** The draft of a message, kept while the page shows something else. */

import type { UserPart } from '../../../spec/model.ts';
import { faultOf, type Fault } from '../fault.ts';
import { takeImage, type ImagePart } from './images.ts';

/** Pictures of one message. */
const mostImages = 10;

export class Composer {
  readonly #take: (file: Blob) => Promise<ImagePart>;
  #text: string = $state('');
  #images: readonly ImagePart[] = $state.raw([]);
  /** Pictures that are being made smaller. */
  #reading: number = $state(0);
  #fault: Fault | null = $state.raw(null);
  /** How far back a recalled message lies; -1 while none is. */
  #recalled = -1;
  #unsent = '';

  constructor(
    take: (file: Blob) => Promise<ImagePart> = takeImage,
    text = '',
    images: readonly ImagePart[] = [],
  ) {
    this.#take = take;
    this.#text = text;
    this.#images = images;
  }

  get text(): string {
    return this.#text;
  }

  get images(): readonly ImagePart[] {
    return this.#images;
  }

  get reading(): number {
    return this.#reading;
  }

  get fault(): Fault | null {
    return this.#fault;
  }

  get empty(): boolean {
    return this.#text.trim() === '' && this.#images.length === 0;
  }

  write(text: string): void {
    this.#text = text;
    this.#recalled = -1;
  }

  /** Adds pictures, scaled down where necessary. */
  async add(files: readonly Blob[]): Promise<void> {
    this.#fault = null;
    for (const file of files) {
      if (this.#images.length + this.#reading >= mostImages) {
        this.#fault = { message: `A message can have at most ${mostImages} images.`, hint: '' };
        return;
      }
      this.#reading += 1;
      try {
        const image = await this.#take(file);
        this.#images = [...this.#images, image];
      } catch (thrown) {
        this.#fault = faultOf(thrown);
      } finally {
        this.#reading -= 1;
      }
    }
  }

  remove(image: ImagePart): void {
    this.#images = this.#images.filter((other) => other !== image);
  }

  /**
   * Shows an earlier message in place of what is written, or what was written again.
   * @param earlier newest first
   * @param by 1 for an older one, -1 for a newer
   * @returns whether there was one
   */
  recall(earlier: readonly string[], by: 1 | -1): boolean {
    const next = this.#recalled + by;
    if (next < -1 || next >= earlier.length) return false;
    if (this.#recalled === -1) this.#unsent = this.#text;
    this.#recalled = next;
    this.#text = next === -1 ? this.#unsent : (earlier[next] ?? '');
    return true;
  }

  /** Takes a message in that was sent and has not gone, before what is being written, to be written on. */
  putBefore(parts: readonly UserPart[]): void {
    const said = split(parts);
    // A message that was recalled is in the log; what it hides is nowhere else.
    const own = this.#recalled === -1 ? this.#text : this.#unsent;
    this.write(together([...said.texts, own]));
    this.#images = [...said.images, ...this.#images];
  }

  /** Sends the draft and clears it; where sending throws, the draft stays and the error is shown. */
  send(by: (parts: readonly UserPart[]) => void): void {
    const text = this.#text.trim();
    const parts: UserPart[] = [...this.#images];
    if (text !== '') parts.push({ type: 'text', text });
    try {
      by(parts);
    } catch (thrown) {
      this.#fault = faultOf(thrown);
      return;
    }
    this.write('');
    this.#images = [];
    this.#fault = null;
  }
}

/** What of a session's composer no other page can find. */
interface Held {
  readonly text: string;
  readonly images: readonly ImagePart[];
}

const nothing: Held = { text: '', images: [] };

/** One for each session. */
export class Composers {
  readonly #of = new Map<string, Composer>();
  /** Of sessions that other pages write. */
  readonly #held = new Map<string, Held>();

  /** @param unsent what it begins with, where there was none yet */
  of(session: string, unsent: () => string = () => ''): Composer {
    const known = this.#of.get(session);
    if (known !== undefined) return known;
    const { text, images } = this.#held.get(session) ?? nothing;
    this.#held.delete(session);
    const made = new Composer(takeImage, together([text, unsent()]), images);
    this.#of.set(session, made);
    return made;
  }

  /** Whether nothing is being written to it. */
  isEmpty(session: string): boolean {
    return this.#of.get(session)?.empty ?? true;
  }

  /** Puts a message back in front of the draft, or of what is held of it. */
  putBefore(session: string, parts: readonly UserPart[]): void {
    const known = this.#of.get(session);
    if (known !== undefined) {
      known.putBefore(parts);
      return;
    }
    const held = this.#held.get(session) ?? nothing;
    const said = split(parts);
    this.#held.set(session, {
      text: together([...said.texts, held.text]),
      images: [...said.images, ...held.images],
    });
  }

  /**
   * Another page writes the session: it has what is kept as not sent, and may send it. The rest is held here.
   *
   * @param waiting messages that no turn will take in
   * @param kept as not sent
   */
  leave(session: string, waiting: readonly (readonly UserPart[])[], kept: string): void {
    const { text, images } = this.#of.get(session) ?? nothing;
    const before = this.#held.get(session) ?? nothing;
    const said = split(waiting.flat());
    this.#of.delete(session);
    this.#held.set(session, {
      text: together([before.text, ...[...said.texts, text].filter((one) => !kept.includes(one))]),
      images: [...before.images, ...said.images, ...images],
    });
  }
}

/** The texts and pictures of messages. */
function split(parts: readonly UserPart[]): {
  texts: readonly string[];
  images: readonly ImagePart[];
} {
  return {
    texts: parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])),
    images: parts.flatMap((part) => (part.type === 'image' ? [part] : [])),
  };
}

function together(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}
