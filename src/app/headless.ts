/** The interface of this page for programs that drive it, such as `npx cloche`. It does not depend on the wording of the page. */

import { defaultLimits, trialCount } from '../agent/evals/eval-record.ts';
import { evalJson } from '../agent/evals/eval-report.ts';
import { until } from '../runtime/hooks/until.ts';
import { servedSource } from '../runtime/folder/served-source.ts';
import { powerWords } from '../runtime/grants/powers.ts';
import type { Question, Reply } from '../runtime/grants/questions.ts';
import type { Allowed, Answer, Headless } from '../runtime/protocol/headless.ts';
import { errorText, ToolError } from '../runtime/spec/error.ts';
import { defaultRepeats } from '../runtime/spec/evaluation.ts';
import type { Json, JsonObject } from '../runtime/spec/json.ts';
import { ModelError } from '../runtime/spec/model-error.ts';
import type { SettingGroup } from '../runtime/spec/setting.ts';
import { servedDisk } from '../runtime/workspace/served-disk.ts';
import type { Workspace } from '../runtime/workspace/workspace.ts';
import type { App, Controls } from './app.ts';

export function headless({
  app,
  controls,
}: {
  readonly app: App;
  readonly controls: Controls;
}): Headless {
  const refused = new Set<string>();
  let workspace: Workspace | null = null;
  let allowed: Allowed = {
    approvals: false,
    extensions: false,
    packages: false,
    writes: false,
    origins: [],
    secrets: {},
  };

  async function answerQuestions(): Promise<void> {
    const { questions } = await controls.policy;
    const answer = (list: readonly Question[]): void => {
      for (const question of list) {
        const reply = replyTo(question, allowed);
        if (reply === null && questions.isClaimed(question.id)) continue;
        if (reply === null) refused.add(refusalOf(question));
        // Without a stored decision, an extension would ask for the same power again.
        const refusal = question.kind === 'powers' ? 'never' : 'no';
        questions.answer(question.id, reply ?? refusal, noUser(question));
      }
    };
    // Questions are answered after all listeners have run, because one of them may claim a question.
    questions.observe(() => queueMicrotask(() => answer(questions.list())));
    answer(questions.list());
  }

  /** Resolves when all extensions have started or failed to start, and all their powers are decided. */
  async function extensionsReady(): Promise<void> {
    if (app.registry.extensions.length === 0) return;
    const extensions = await controls.extensions();
    const isReady = (): boolean =>
      extensions
        .list()
        .every(
          ({ state, powers }) =>
            state !== 'starting' && powers.every(({ decision }) => decision !== 'ask'),
        );
    await until(extensions, isReady);
  }

  /** Gives files that were read again the settings that they declare now. */
  async function setSecrets(): Promise<void> {
    const { current } = (await controls.policy).policies;
    for (const { file, settings } of app.registry.settings) {
      const values: Partial<Record<SettingGroup, JsonObject>> = {};
      for (const { group, name, schema } of settings) {
        const text = allowed.secrets[name];
        if (text === undefined || current.hasSecretSetting(file, group, name)) continue;
        values[group] = { ...values[group], [name]: settingValue(text, schema) };
      }
      if (Object.keys(values).length > 0) current.setSettings(file, {}, values);
    }
  }

  return {
    openFolder: catchErrors(async ({ name, path }, chosen, lent) => {
      const source = servedSource(name, new URL(path, document.baseURI));
      // The folder of the last visit would replace a folder that is opened before it.
      await controls.folders.known.ready;
      if (chosen === null) {
        await app.folder.open(source);
        return [];
      }
      allowed = chosen;
      (await controls.policy).policies.storeNothing();
      await answerQuestions();
      if (lent !== null) {
        const disk = servedDisk(lent.name, new URL(lent.path, document.baseURI));
        const writing = allowed.writes ? 'at-once' : 'review';
        workspace = (await controls.workspaces).lend(lent.name, disk, writing);
      }
      await app.folder.open(source);
      const { phase, message, hint } = app.status.get();
      if (phase !== 'ready') throw new ToolError('bad-input', message, hint);
      await setSecrets();
      app.registry.observe(() => void setSecrets());
      // Requests to local addresses are questions like others: the refusal names the option.
      (await controls.policy).policies.current.allowLocal(true);
      await extensionsReady();
      const declared = new Set(
        app.registry.settings.flatMap(({ settings }) => settings.map((one) => one.name)),
      );
      const unknown = Object.keys(allowed.secrets).find((one) => !declared.has(one));
      if (unknown !== undefined)
        throw new ToolError(
          'not-found',
          `No file of the folder declares the setting ${unknown}.`,
          'Correct the name after --secret.',
        );
      return app.registry.problems.filter(({ severity }) => severity === 'error');
    }),
    addModel: catchErrors(async ({ kind, provider: name, baseUrl, key, model }) => {
      const { providers } = await controls.sessions();
      await providers.loaded;
      // The browser's profile has those of earlier visits, without their keys.
      for (const known of providers.list()) await providers.remove(known.id);
      const { id } = await providers.add({
        kind,
        name,
        baseUrl,
        key,
        headers: [],
        keep: 'visit',
        models: [model],
      });
      await providers.sync(new AbortController().signal, id);
      return { price: providers.info({ provider: id, model })?.price ?? null };
    }),
    evaluations: catchErrors(async () => (await controls.evals()).files()),
    evaluate: catchErrors(async ({ path, model, repeats, limits }) => {
      const evals = await controls.evals();
      const file = (await evals.files()).find((one) => one.path === path);
      const evaluation = file?.evaluation ?? null;
      if (file === undefined || evaluation === null)
        throw new ToolError('not-found', `${path} is not an evaluation that can be run.`);
      const trials = trialCount(evaluation, 1, repeats ?? evaluation.repeats ?? defaultRepeats);
      const id = await evals.start(file, {
        models: [evals.modelNamed(model)],
        repeats,
        limits: { ...defaultLimits(evaluation, trials), ...limits },
        approvals: allowed.approvals ? 'allow' : 'refuse',
      });
      await until(evals.runs, () => !evals.runs.isActive(id));
      const state = evals.runs.get(id);
      const fault = evals.runs.fault(id);
      if (state === undefined || fault !== '')
        throw new ToolError(
          'storage',
          fault === '' ? `The run of ${path} no longer exists.` : fault,
        );
      return evalJson(state);
    }),
    runTests: catchErrors(async (only) => {
      const { tests } = await controls.tests;
      await tests.refresh();
      const chosen = tests.view.tests.filter(({ test }) =>
        [test.name, test.tool, test.file].some((text) => text.includes(only)),
      );
      const results =
        chosen.length === 0 ? [] : await tests.run({ tests: chosen.map(({ test }) => test.id) });
      return { tests: results, problems: tests.view.problems };
    }),
    apiReady: catchErrors(async (): Promise<true> => {
      await until(app.status, () => /^(host|unavailable)$/.test(app.status.get().api));
      if (app.status.get().api === 'host') return true;
      throw new ToolError('not-supported', 'The API cannot start');
    }),
    refused: () => {
      // Without the option, all changes wait for the user. With it, only changes that need a decision wait.
      const why = allowed.writes ? ', which needs your decision: change the file yourself' : '';
      const changes = workspace?.pending.map(
        ({ path }) => `A change of ${path} in the workspace${why}.`,
      );
      return [...refused, ...new Set(changes)];
    },
  };
}

/** Turns errors into text: an error object cannot leave the page, and a program only prints the text. */
function catchErrors<Args extends readonly unknown[], T>(
  ask: (...args: Args) => Promise<T>,
): (...args: Args) => Promise<Answer<T>> {
  return async (...args) => {
    try {
      return { value: await ask(...args) };
    } catch (thrown) {
      const hint = thrown instanceof ToolError || thrown instanceof ModelError ? thrown.hint : '';
      return { error: `${errorText(thrown)} ${hint ?? ''}`.trim() };
    }
  };
}

/** The value that a text means: a setting that is no text is written as JSON. */
function settingValue(text: string, schema: JsonObject): Json {
  try {
    return schema.type === 'string' ? text : (JSON.parse(text) as Json);
  } catch {
    return text;
  }
}

/** The user's answer to a question; null to refuse it. */
function replyTo(question: Question, allowed: Allowed): Reply | null {
  switch (question.kind) {
    case 'call':
    case 'approve':
      return allowed.approvals ? 'once' : null;
    case 'powers':
      return allowed.extensions ? 'visit' : null;
    case 'packages':
      return allowed.packages ? 'visit' : null;
    case 'network':
      return allowed.origins.includes(question.origin) ? 'visit' : null;
    case 'plan':
    case 'site':
    case 'form':
    case 'address':
      return null;
  }
}

/** Says which option of the program would have allowed what is refused. */
function noUser({ kind }: Question): string {
  const option = options[kind];
  const hint = option === undefined ? '' : ` Restart Cloche with ${option} to allow this.`;
  return `There is no user to ask.${hint}`;
}

const options: Readonly<Partial<Record<Question['kind'], string>>> = {
  call: '--allow-approvals',
  approve: '--allow-approvals',
  powers: '--allow-extensions',
  packages: '--allow-packages',
  network: '--network and the origin',
};

function refusalOf(question: Question): string {
  const { tool, file } = question;
  switch (question.kind) {
    case 'call':
      return `A call of ${tool}, which requires approval.`;
    case 'approve':
      return `A question of ${tool}.`;
    case 'powers':
      return `${tool} (${file}): ${question.wanted.map((power) => powerWords[power]).join('; ')}.`;
    case 'packages':
      return `The download of ${question.wanted.map(({ requirement }) => requirement).join(', ')} from ${question.index}.`;
    case 'network':
      return `A request of ${tool} to ${question.origin}.`;
    case 'form':
    case 'address':
      return `A question of the server ${file}, which runs ${tool}.`;
    case 'plan':
      return `A plan that ${file === '' ? 'a page' : `${tool} (${file})`} requested.`;
    case 'site':
      return `A connection of ${question.origin}.`;
  }
}
