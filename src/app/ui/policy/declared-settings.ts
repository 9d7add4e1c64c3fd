/** The settings that files of the open folder declare, and the part of a file's form that they make. */

import type { FileSettings } from '../../../runtime/registry/registry.ts';
import type { JsonObject } from '../../../runtime/spec/json.ts';
import type { Setting, SettingGroup } from '../../../runtime/spec/setting.ts';
import type { Ui } from '../shell/ui.svelte.ts';

export const groupWords: Readonly<Record<SettingGroup, string>> = {
  Valves: 'Valves',
  UserValves: 'Valves of the user',
  environment: 'Environment variables',
};

/** Reactive: a changed file changes the list of tools. */
export function declaredSettings(ui: Ui): readonly FileSettings[] {
  return ui.tools.all.length >= 0 ? ui.app.registry.settings : [];
}

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
