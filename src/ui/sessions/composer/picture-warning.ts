/** What a person is told who attaches a picture, before it is sent. */

import type { ModelInfo } from '../../../spec/model.ts';

/** Empty where the model reads them, or is not known at all. */
export function pictureWarning(info: Pick<ModelInfo, 'label' | 'images'> | undefined): string {
  if (info?.images === false)
    return `${info.label} reads no pictures, as far as is known: it is sent the text alone.`;
  if (info?.images === null)
    return `Nobody says whether ${info.label} reads pictures: it may refuse them.`;
  return '';
}
