/** Settings that a tool file declares, such as keys and addresses. The page gives their values; they are never stored in files. */

import type { JsonObject } from './json.ts';

/** The valves of Open WebUI, those of its user, and environment variables. */
export type SettingGroup = 'Valves' | 'UserValves' | 'environment';

export interface Setting {
  readonly group: SettingGroup;
  readonly name: string;
  /** JSON Schema of the value, with its description, and its default unless it is secret. */
  readonly schema: JsonObject;
  readonly required: boolean;
  /** Whether the value is a key or a password: it must not be shown, stored or logged. */
  readonly secret: boolean;
}

/** Values by file, group and name. A setting without a value keeps its default. */
export type SettingValues = Readonly<
  Record<string, Readonly<Partial<Record<SettingGroup, JsonObject>>>>
>;
