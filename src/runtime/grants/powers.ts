/** The powers that an extension gets from the user, for one version of its file. */

export const powers = [
  /** Refuse calls, and change their arguments and results. */
  'intercept',
  /** Change what models are sent. */
  'prompt',
  /** Read messages, calls and results. */
  'read',
  /** Send messages in the user's name, attach images, and change titles and step mode. */
  'send',
  /** Run background prompts. */
  'spend',
  /** See the models, and choose the one of a session. */
  'models',
  /** See the titles of the folder's sessions, and open and copy sessions. */
  'sessions',
  /** Run tools. */
  'call',
  /** Make checkpoints of the workspace, and restore them. Its files stay out of reach. */
  'workspace',
  /** Show commands, shortcuts, status texts and messages. */
  'show',
] as const;

export type Power = (typeof powers)[number];

/** The description of each power, for the user. */
export const powerWords: Readonly<Record<Power, string>> = {
  intercept: 'Refuse calls of tools, and change their arguments and results',
  prompt: 'Change what models are sent',
  read: 'Read messages, calls and results',
  send: 'Send messages in your name, attach images, and change the title and step mode of sessions',
  spend: 'Run background prompts, which cost tokens',
  models: 'See your models, and choose the model of a session',
  sessions: 'See the titles of this folder’s sessions, and open and copy sessions',
  call: 'Run tools, with the approvals that they require',
  workspace: 'Make checkpoints of the workspace, and restore them',
  show: 'Show commands, shortcuts, status texts and messages',
};

export function isPower(value: unknown): value is Power {
  return powers.some((power) => power === value);
}

/** The user's decisions about one extension. */
export interface ExtensionGrant {
  readonly file: string;
  /** SHA-256 of the file's bytes for which they were made; for any other, the user is asked again. */
  readonly hash: string;
  readonly allowed: readonly Power[];
  readonly refused: readonly Power[];
  /** Whether the user has switched the extension off, whatever its content. */
  readonly off: boolean;
}

/** The user's decision about a power; `ask` if there is none for this version of the file. */
export function decisionAbout(
  grant: ExtensionGrant | undefined,
  hash: string,
  power: Power,
): 'allow' | 'deny' | 'ask' {
  // @mutant powers of an extension hold for one version of its file => ?.hash !== hash -> === undefined
  //   [src/agent/extensions/extensions.test.ts]
  if (grant?.hash !== hash) return 'ask';
  if (grant.refused.includes(power)) return 'deny';
  return grant.allowed.includes(power) ? 'allow' : 'ask';
}
