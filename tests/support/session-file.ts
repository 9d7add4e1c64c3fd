/** Session files with answers of choice, as somebody else could have made them. */

import type { Locator, Page } from '@playwright/test';
import { press } from './press-until.ts';

const usage = { input: 1, cached: 0, output: 1, reasoning: 0 };
const model = { provider: 'nobody', model: 'none' };

/** The input for sessions and recordings. */
export const sessionInput = 'input[type=file][accept*="json"]';

/** Chooses a session file on the page of sessions, and opens it from the preview. */
export async function openSessionFile(
  page: Page,
  file: Parameters<Locator['setInputFiles']>[0],
): Promise<void> {
  await page.locator(sessionInput).setInputFiles(file);
  const offer = page.getByRole('dialog', { name: 'Open this session?' });
  await press(offer.getByRole('button', { name: 'Open' }));
}

/** @param answers one for each question @param more further events */
export function fileOfAnswers(
  title: string,
  answers: readonly string[],
  more: readonly object[] = [],
): string {
  const facts: object[] = [
    { type: 'created', folder: 'tools', folderId: '' },
    { type: 'model', model },
    { type: 'selected', tools: [], names: [] },
    { type: 'titled', title, by: 'user' },
    ...answers.flatMap((text, turn) => turnFacts(String(turn), text)),
    ...more,
  ];
  const events = facts.map((fact, n) => ({ n, at: 1, ...fact }));
  return JSON.stringify({ format: 'cloche-session', version: 1, events });
}

/** A session in which a tool has returned images. */
export function fileOfImages(
  title: string,
  images: readonly { readonly mediaType: string; readonly data: string }[],
): string {
  const content = images.map(({ mediaType, data }) => ({ type: 'image', mediaType, data }));
  return fileOfCall(title, '{}', { textResultForLlm: 'Images', content });
}

/** A session in which `some:tool` was called. @param args JSON @param result what differs from an empty result */
export function fileOfCall(title: string, args: string, result: object): string {
  const turnId = 'turn-of-call';
  const stepId = 'step-of-call';
  const callId = 'call';
  const said = [{ type: 'text', text: 'Draw' }];
  const asked = { id: callId, askedId: callId, wire: 'tool', tool: 'some:tool', arguments: args };
  const empty = {
    resultType: 'success',
    textResultForLlm: '',
    isError: false,
    recoverable: false,
    content: [],
    metadata: '{}',
    updates: [],
    updatesDropped: 0,
    log: [],
    stdout: '',
    stderr: '',
    outputDropped: 0,
    durationMs: 1,
    interpreter: '',
    stateLost: false,
  };
  const facts = [
    { type: 'message', id: 'asks', turnId, steering: false, parts: said },
    { type: 'turn-began', turnId },
    { type: 'step-began', turnId, stepId, model },
    {
      type: 'step-ended',
      stepId,
      parts: [{ type: 'call', ...asked }],
      finish: 'calls',
      usage,
      cost: null,
      ms: 1,
    },
    { type: 'call-began', callId, stepId },
    { type: 'call-ended', callId, result: { ...empty, ...result } },
    { type: 'turn-ended', turnId, end: 'done' },
  ];
  return fileOfAnswers(title, ['Here they are.'], facts);
}

function turnFacts(turn: string, text: string): object[] {
  const turnId = `turn-${turn}`;
  const stepId = `step-${turn}`;
  const said = [{ type: 'text', text: `Question ${turn}` }];
  return [
    { type: 'message', id: `message-${turn}`, turnId, steering: false, parts: said },
    { type: 'turn-began', turnId },
    { type: 'step-began', turnId, stepId, model },
    {
      type: 'step-ended',
      stepId,
      parts: [{ type: 'text', text }],
      finish: 'stop',
      usage,
      cost: null,
      ms: 1,
    },
    { type: 'turn-ended', turnId, end: 'done' },
  ];
}
