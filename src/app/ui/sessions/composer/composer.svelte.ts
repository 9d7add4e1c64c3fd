/** The draft of a message, which stays while the page shows something else. */

import type { UserPart } from '../../../../runtime/spec/model.ts';
import { faultOf, type Fault } from '../fault.ts';
import { takeFile, type AttachedPart } from './attachments.ts';
import { isTyped } from '../transcript/entry-text.ts';
import type { Attachment } from '../../../../agent/extensions/attachments.ts';

/** Limit of pictures in one message. */
const maxImages = 10;

export class Composer {
  readonly #take: (file: Blob) => Promise<AttachedPart>;
  text: string = $state('');
  images: readonly AttachedPart[] = $state.raw([]);
  /** Number of pictures that are being scaled down. */
  reading: number = $state(0);
  fault: Fault | null = $state.raw(null);
  /** Images that extensions have attached, by their number; null while one is being scaled down. */
  readonly #attached = new Map<number, AttachedPart | null>();
  readonly #origins = new WeakMap<AttachedPart, string>();
  #onGone: (id: number) => void = () => undefined;
  /** Index of the recalled message, from the newest; -1 if none is shown. */
  #recalled = -1;
  /** The draft, while a recalled message is in its place. */
  #unsent = '';

  constructor(
    take: (file: Blob) => Promise<AttachedPart> = takeFile,
    text = '',
    images: readonly AttachedPart[] = [],
  ) {
    this.#take = take;
    this.text = text;
    this.images = images;
  }

  get empty(): boolean {
    return this.text.trim() === '' && this.images.length === 0;
  }

  write(text: string): void {
    this.text = text;
    this.#recalled = -1;
  }

  /** Attaches files. Pictures are scaled down where necessary. */
  async add(files: readonly Blob[]): Promise<void> {
    this.fault = null;
    for (const file of files) {
      if (this.images.length + this.reading >= maxImages) {
        this.fault = {
          message: `A message can have at most ${maxImages} attachments.`,
          hint: '',
        };
        return;
      }
      this.reading += 1;
      try {
        const image = await this.#take(file);
        this.images = [...this.images, image];
      } catch (thrown) {
        this.fault = faultOf(thrown);
      } finally {
        this.reading -= 1;
      }
    }
  }

  remove(image: AttachedPart): void {
    this.images = this.images.filter((other) => other !== image);
    this.#gone([image]);
  }

  /**
   * Adds the images that extensions have attached, and removes those that they have detached.
   * @param onGone called with the number of one that was sent or removed here, or cannot be used
   */
  attach(attachments: readonly Attachment[], onGone: (id: number) => void): void {
    this.#onGone = onGone;
    const wanted = new Set(attachments.map(({ id }) => id));
    for (const [id, image] of this.#attached) {
      if (wanted.has(id)) continue;
      this.#attached.delete(id);
      if (image !== null) this.images = this.images.filter((other) => other !== image);
    }
    for (const attachment of attachments)
      if (!this.#attached.has(attachment.id)) void this.#takeAttached(attachment);
  }

  /** Name of the extension that has attached the image; empty if the user has. */
  originOf(image: AttachedPart): string {
    return this.#origins.get(image) ?? '';
  }

  /**
   * Shows an earlier message instead of the draft, or the draft again.
   * @param earlier newest first
   * @param by 1 for an older one, -1 for a newer one
   * @returns whether there was one
   */
  recall(earlier: readonly string[], by: 1 | -1): boolean {
    const next = this.#recalled + by;
    if (next < -1 || next >= earlier.length) return false;
    if (this.#recalled === -1) this.#unsent = this.text;
    this.#recalled = next;
    this.text = next === -1 ? this.#unsent : (earlier[next] ?? '');
    return true;
  }

  /** Puts a message that was queued and not sent before the draft, to be edited. */
  putBefore(parts: readonly UserPart[]): void {
    const queued = split(parts);
    // A recalled message is in the log, but the draft that it hides is stored nowhere else.
    const ownText = this.#recalled === -1 ? this.text : this.#unsent;
    this.write(joinTexts([...queued.texts, ownText]));
    this.images = [...queued.images, ...this.images];
  }

  /** Sends and clears the draft. If sending throws, the draft stays and the error is shown. */
  send(by: (parts: readonly UserPart[]) => void): void {
    const text = this.text.trim();
    const parts: UserPart[] = [...this.images];
    if (text !== '') parts.push({ type: 'text', text });
    try {
      by(parts);
    } catch (thrown) {
      this.fault = faultOf(thrown);
      return;
    }
    const sent = this.images;
    this.write('');
    this.images = [];
    this.fault = null;
    this.#gone(sent);
  }

  async #takeAttached({ id, image, extension, file }: Attachment): Promise<void> {
    this.#attached.set(id, null);
    const isFull = this.images.length + this.reading >= maxImages;
    this.reading += 1;
    const taken = isFull ? null : await this.#take(image).catch(() => null);
    this.reading -= 1;
    // The image may have been detached meanwhile.
    if (!this.#attached.has(id)) return;
    if (taken === null) {
      this.#attached.delete(id);
      this.#onGone(id);
      return;
    }
    this.#attached.set(id, taken);
    this.#origins.set(taken, `From the extension ${extension}, ${file}`);
    this.images = [...this.images, taken];
  }

  /** Notifies the extensions that their attached images were sent or removed. */
  #gone(images: readonly AttachedPart[]): void {
    for (const [id, image] of this.#attached) {
      if (image === null || !images.includes(image)) continue;
      this.#attached.delete(id);
      this.#onGone(id);
    }
  }
}

/** The part of a session's composer that other pages cannot load. */
interface Held {
  readonly text: string;
  readonly images: readonly AttachedPart[];
}

const nothing: Held = { text: '', images: [] };

/** The composers, one per session. */
export class Composers {
  readonly #of = new Map<string, Composer>();
  /** Drafts of sessions that other pages write. */
  readonly #held = new Map<string, Held>();

  /** @param unsent initial content of a new composer */
  of(session: string, unsent: () => string = () => ''): Composer {
    const known = this.#of.get(session);
    if (known !== undefined) return known;
    const { text, images } = this.#held.get(session) ?? nothing;
    this.#held.delete(session);
    const composer = new Composer(takeFile, joinTexts([text, unsent()]), images);
    this.#of.set(session, composer);
    return composer;
  }

  /** Whether the session's draft is empty. */
  isEmpty(session: string): boolean {
    return this.#of.get(session)?.empty ?? true;
  }

  /** Puts a message before the draft, also while another page writes the session. */
  putBefore(session: string, parts: readonly UserPart[]): void {
    const known = this.#of.get(session);
    if (known !== undefined) {
      known.putBefore(parts);
      return;
    }
    const held = this.#held.get(session) ?? nothing;
    const queued = split(parts);
    this.#held.set(session, {
      text: joinTexts([...queued.texts, held.text]),
      images: [...queued.images, ...held.images],
    });
  }

  /**
   * Leaves a session to another page, which loads the stored draft and may send it. This page holds
   * the rest.
   * @param waiting messages that no turn will take
   * @param kept messages that are stored as unsent
   */
  leave(session: string, waiting: readonly (readonly UserPart[])[], kept: string): void {
    const { text, images } = this.#of.get(session) ?? nothing;
    const before = this.#held.get(session) ?? nothing;
    const queued = split(waiting.flat());
    this.#of.delete(session);
    this.#held.set(session, {
      text: joinTexts([
        before.text,
        ...[...queued.texts, text].filter((one) => !kept.includes(one)),
      ]),
      images: [...before.images, ...queued.images, ...images],
    });
  }
}

/** Joins the texts and pictures of messages. */
function split(parts: readonly UserPart[]): {
  texts: readonly string[];
  images: readonly AttachedPart[];
} {
  return {
    texts: parts.flatMap((part) => (isTyped(part) ? [part.text] : [])),
    images: parts.flatMap((part) => (isAttached(part) ? [part] : [])),
  };
}

function isAttached(part: UserPart): part is AttachedPart {
  return part.type !== 'text' || part.name !== undefined;
}

function joinTexts(texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== '').join('\n\n');
}
