/** Images that extensions attach to the messages that the user is writing. */

import { Observable } from '../../runtime/hooks/observe.ts';
import { ToolError } from '../../runtime/spec/error.ts';
import type { Origin } from './actions.ts';

export interface Attachment extends Origin {
  readonly id: number;
  readonly session: string;
  /** Name by which the extension can detach the image. */
  readonly name: string;
  readonly image: Blob;
}

/** Limit of attached images of one extension, which wait to be sent. */
const maxImages = 5;

export class Attachments extends Observable<undefined> {
  #all: readonly Attachment[] = [];
  #lastId = 0;

  get all(): readonly Attachment[] {
    return this.#all;
  }

  /** Attaches an image, replacing one of the same name. @throws {ToolError} `limit` */
  add(
    { extension, file }: Origin,
    { session, name, image }: Pick<Attachment, 'session' | 'name' | 'image'>,
  ): void {
    const isSame = (one: Attachment): boolean =>
      one.file === file && one.session === session && one.name === name;
    const others = this.#all.filter((one) => !isSame(one));
    if (others.filter((one) => one.file === file).length >= maxImages)
      throw new ToolError('limit', `More than ${maxImages} images of this extension are attached.`);
    const added = { extension, file, session, name, image, id: ++this.#lastId };
    this.#set([...others, added]);
  }

  /** Removes images of an extension. @param name null for all images of the session */
  remove(file: string, session: string, name: string | null): void {
    this.#set(
      this.#all.filter(
        (one) =>
          one.file !== file || one.session !== session || (name !== null && one.name !== name),
      ),
    );
  }

  /** Removes an image that was sent, or that the user has removed. */
  drop(id: number): void {
    this.#set(this.#all.filter((one) => one.id !== id));
  }

  /** Removes the images of an extension. */
  clear(file: string): void {
    this.#set(this.#all.filter((one) => one.file !== file));
  }

  #set(all: readonly Attachment[]): void {
    if (all.length === this.#all.length && all.every((one, at) => one === this.#all[at])) return;
    this.#all = all;
    this.emit(undefined);
  }
}
