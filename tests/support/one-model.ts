/** What tests of plans and evaluations begin with: an endpoint with one model, which a page knows, and a tool for it. */

import type { Page } from '@playwright/test';
import { expect } from './expect.ts';
import { startModelEndpoint, type ModelEndpoint } from './model-endpoint.ts';
import type { ScriptedCall } from './model-endpoint/script.ts';
import { addProvider, mine, testKey } from './session-page.ts';

/** A tool file with the tool `work:add`. */
export const adder = `
def add(a: int, b: int) -> int:
    """Adds two numbers."""
    return a + b

TOOL_SPECS = [{
    "name": "work:add",
    "description": "Adds two numbers.",
    "parameters": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
    },
    "handler": add,
}]
`;

/** An endpoint with the model `small`. */
export async function startOneModel(): Promise<ModelEndpoint> {
  const endpoint = await startModelEndpoint();
  endpoint.habits.key = testKey;
  endpoint.habits.models = [{ id: 'small', context: 200_000 }];
  return endpoint;
}

/** Adds the endpoint to the page, and waits for its model, without which no task could begin. */
export async function addOneModel(page: Page, { url }: ModelEndpoint): Promise<void> {
  const row = await addProvider(page, { kind: 'openai-compatible', name: mine, url: `${url}/v1` });
  await expect(row).toContainText('1 model found');
}

/** A call in an answer of the model. */
export function call(name: string, args: object): ScriptedCall {
  return { name, arguments: JSON.stringify(args) };
}
