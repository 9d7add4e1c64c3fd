/** Settings that a tool file declares, such as keys and addresses. The page gives their values, which are stored with the policy of a folder and never in its files. */

import type { JsonObject } from './json.ts';
import { asObject } from './guards.ts';

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

/** Values by group and name. */
export type FileValues = SettingValues[string];

/** Values by file, group and name. A setting without a value keeps its default. */
export type SettingValues = Readonly<
  Record<string, Readonly<Partial<Record<SettingGroup, JsonObject>>>>
>;

const groups: readonly SettingGroup[] = ['Valves', 'UserValves', 'environment'];

/** Returns only what has the right form: another version of the app may have stored it. */
export function parseSettings(stored: unknown): SettingValues {
  const files = Object.entries(asObject(stored)).map(([file, values]) => {
    const all = asObject(values);
    return [file, eachGroup((group) => asObject(all[group]))] as const;
  });
  return Object.fromEntries(files);
}

/** Returns the settings of both for each file. The second wins where both have a value. */
export function mergeSettings(first: SettingValues, second: SettingValues): SettingValues {
  const files = new Set([...Object.keys(first), ...Object.keys(second)]);
  const merged = (file: string): FileValues =>
    eachGroup((group) => ({ ...first[file]?.[group], ...second[file]?.[group] }));
  return Object.fromEntries(Array.from(files, (file) => [file, merged(file)]));
}

/** The values with those of a file changed; null removes one. */
export function withSettings(
  values: SettingValues,
  file: string,
  changes: FileValues,
): SettingValues {
  const changed = eachGroup((group) => {
    const all = Object.entries({ ...values[file]?.[group], ...changes[group] });
    return Object.fromEntries(all.filter(([, value]) => value !== null));
  });
  return { ...values, [file]: changed };
}

/** All texts among the values. */
export function textsIn(values: SettingValues): string[] {
  const ofFile = Object.values(values).flatMap((one) => groups.map((group) => one[group] ?? {}));
  const all = ofFile.flatMap((group) => Object.values(group));
  return all.filter((value) => typeof value === 'string');
}

/** Groups without values are left out. */
function eachGroup(of: (group: SettingGroup) => JsonObject): FileValues {
  const all = groups.map((group) => [group, of(group)] as const);
  return Object.fromEntries(all.filter(([, values]) => Object.keys(values).length > 0));
}
