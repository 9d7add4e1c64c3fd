/**
 * The interface of this page for programs that drive it without a window, such as `npm run eval`. It does not depend on
 * the wording of the page.
 */

import { defaultLimits, trialCount, type EvalLimits } from '../agent/evals/eval-record.ts';
import { evalJson } from '../agent/evals/eval-report.ts';
import type { EvaluationFile } from '../agent/evals/read-evaluation.ts';
import { powerWords } from '../runtime/grants/powers.ts';
import type { Question, Reply } from '../runtime/grants/questions.ts';
import { errorText, ToolError } from '../runtime/spec/error.ts';
import { defaultRepeats } from '../runtime/spec/evaluation.ts';
import { ModelError } from '../runtime/spec/model-error.ts';
import type { ModelInfo, ProviderKind } from '../runtime/spec/model.ts';
import type { Problem } from '../runtime/spec/problem.ts';
import type { App, Controls } from './app.ts';

/** Permissions that replace the user's answers. All other questions are refused at once. */
export interface Allowed {
  /** Calls of tools that require approval, and questions that tools ask with `context.approve`. */
  readonly approvals: boolean;
  /** The powers that extensions of the folder need. */
  readonly extensions: boolean;
  /** Downloads of the packages that the folder declares. */
  readonly packages: boolean;
  /** Origins to which tools may send requests. */
  readonly origins: readonly string[];
}

export interface EndpointModel {
  readonly kind: ProviderKind;
  readonly provider: string;
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
}

export interface Evaluating {
  readonly path: string;
  /** `provider/model` */
  readonly model: string;
  /** Number of trials; undefined leaves it to the file. */
  readonly repeats?: number | undefined;
  /** Missing limits have the defaults of the page. */
  readonly limits: Partial<EvalLimits>;
}

/** The requested value, or the reason why there is none. */
export type Answer<T> = { readonly value: T } | { readonly error: string };

export interface Headless {
  /** Opens a folder whose files were uploaded. @returns its errors */
  openFolder(files: readonly File[], allowed: Allowed): Promise<Answer<readonly Problem[]>>;
  /** @returns what is known about the model */
  addModel(model: EndpointModel): Promise<Answer<Pick<ModelInfo, 'price'>>>;
  evaluations(): Promise<Answer<readonly EvaluationFile[]>>;
  /** Runs an evaluation to its end. @returns its results, as the page saves them */
  evaluate(asked: Evaluating): Promise<Answer<string>>;
  /** One sentence for each question that was refused because no user could be asked. */
  refused(): readonly string[];
}

/**
 * The type of the global function `clocheDriver`, which a program defines before the page's first script runs. Only a
 * program that controls the browser can do that; links, pages around this one, and tools cannot.
 */
export type Driver = (headless: Headless) => void;

export function headless({
  app,
  controls,
}: {
  readonly app: App;
  readonly controls: Controls;
}): Headless {
  const refused = new Set<string>();
  let allowed: Allowed = { approvals: false, extensions: false, packages: false, origins: [] };

  async function answerQuestions(): Promise<void> {
    const { questions } = await controls.policy;
    const answer = (list: readonly Question[]): void => {
      for (const question of list) {
        const reply = replyTo(question, allowed);
        if (reply === null) refused.add(refusalOf(question));
        // Without a stored decision, an extension would ask for the same power again.
        const refusal = question.kind === 'powers' ? 'never' : 'no';
        questions.answer(question.id, reply ?? refusal, 'There is no user to ask.');
      }
    };
    questions.observe(answer);
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
    if (isReady()) return;
    await new Promise<void>((resolve) => {
      const end = extensions.observe(() => {
        if (!isReady()) return;
        end();
        resolve();
      });
    });
  }

  return {
    openFolder: answering(async (files, chosen) => {
      allowed = chosen;
      await answerQuestions();
      await app.folder.open(controls.folders.uploaded(files));
      const { phase, message, hint } = app.status.get();
      if (phase !== 'ready') throw new ToolError('bad-input', message, hint);
      // Requests to other local addresses are still refused, like all questions.
      if (allowed.origins.length > 0) (await controls.policy).policies.current.allowLocal(true);
      await extensionsReady();
      return app.registry.problems.filter(({ severity }) => severity === 'error');
    }),
    addModel: answering(async ({ kind, provider: name, baseUrl, key, model }) => {
      const { providers } = await controls.sessions();
      await providers.loaded;
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
    evaluations: answering(async () => (await controls.evals()).files()),
    evaluate: answering(async ({ path, model, repeats, limits }) => {
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
      await new Promise<void>((resolve) => {
        const follow = (): void => {
          if (evals.runs.isActive(id)) return;
          end();
          resolve();
        };
        const end = evals.runs.observe(follow);
        follow();
      });
      const state = evals.runs.get(id);
      const fault = evals.runs.fault(id);
      if (state === undefined || fault !== '')
        throw new ToolError('storage', fault === '' ? `The run of ${path} is gone.` : fault);
      return evalJson(state);
    }),
    refused: () => [...refused],
  };
}

/** Turns errors into text: an error object cannot leave the page, and a program only prints the text. */
function answering<Args extends readonly unknown[], T>(
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
      return null;
  }
}

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
    case 'plan':
      return `A plan that ${file === '' ? 'a page' : `${tool} (${file})`} requested.`;
    case 'site':
      return `A connection of ${question.origin}.`;
  }
}
