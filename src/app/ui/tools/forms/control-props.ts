/** Props of each control in the argument form. */

import type { ArgumentPath } from './argument-place.ts';
import type { Shape } from './form-schema.ts';
import type { JsonValue } from './json-value.ts';

export interface ControlProps {
  /** Id of the element that the label refers to. */
  readonly id: string;
  readonly path: ArgumentPath;
  readonly value: JsonValue | undefined;
  readonly shape: Shape;
  readonly required: boolean;
  /** Id of the error; undefined if there is none. */
  readonly described: string | undefined;
}
