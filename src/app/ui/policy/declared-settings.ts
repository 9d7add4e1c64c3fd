/** The part of a form that the settings of a file make. */

import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { Setting, SettingGroup } from '../../../runtime/spec/setting.ts';

export const groupWords: Readonly<Record<SettingGroup, string>> = {
  Valves: 'Valves',
  UserValves: 'Valves of the user',
  environment: 'Environment variables',
};

/** The groups of a file, in their order. */
export function groupsOf(settings: readonly Setting[]): readonly SettingGroup[] {
  return [...new Set(settings.map(({ group }) => group))];
}

/** The settings of a group that are not secret, as the schema of a form. */
export function formSchema(settings: readonly Setting[], group: SettingGroup): JsonObject {
  const shown = settings.filter((one) => one.group === group && !one.secret);
  return {
    type: 'object',
    properties: Object.fromEntries(shown.map(({ name, schema }) => [name, schema])),
    additionalProperties: false,
  };
}
