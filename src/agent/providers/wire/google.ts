/** Adapter for Google's streamGenerateContent API. */

import { isObject } from '../../../runtime/spec/guards.ts';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { Json, JsonObject } from '../../../runtime/spec/json.ts';
import type { ModelRequest, ToolDefinition } from '../../../runtime/spec/model.ts';
import type { Adapter } from './adapter.ts';
import { ExactNumbers } from './exact-numbers.ts';
import { GoogleFrames, streamOfContent } from './google-frames.ts';
import { toolRules } from './tool-rules.ts';

export const adapter: Adapter = {
  // Older Gemini models accept no images in function responses.
  prompt: { imagesInAnswers: false, reasoning: 'always' },
  ...toolRules.google,
  open: ({ baseUrl, key, headers }, model, fetch) =>
    createGoogleGenerativeAI({
      baseURL: baseUrl,
      apiKey: key,
      headers: Object.fromEntries(headers),
      fetch,
    })(model),
  prepare: ({ model, request }) => {
    // Google sends arguments as JSON values, and the SDK parses them.
    const exact = new ExactNumbers('args');
    const failed = failedCalls(request);
    const frames = new GoogleFrames(exact);
    return {
      // The SDK converts schemas to a form that cannot express all of them. So it receives an empty schema, and `edit`
      // inserts the real ones.
      tools: request.tools.map((tool) => ({ ...tool, parameters: { type: 'object' } })),
      frames,
      asStream: streamOfContent,
      readParts: (parts) => frames.parts(parts),
      restore: (_tool, text) => exact.restore(text),
      edit: (body) => editBody(body, request.tools, failed),
      ...(hasThoughts(model)
        ? { providerOptions: { google: { thinkingConfig: { includeThoughts: true } } } }
        : {}),
    };
  },
  adjustmentFor: (message) => (/nesting depth/i.test(message) ? 'shallow-schemas' : undefined),
};

/** Models without thoughts refuse requests for them. */
function hasThoughts(model: string): boolean {
  return /gemini-(2\.5|[3-9])/.test(model) && !/image|tts|audio|embedding/.test(model);
}

function failedCalls({ messages }: ModelRequest): ReadonlySet<string> {
  return new Set(
    messages.flatMap((message) =>
      message.role === 'tool'
        ? message.answers.filter(({ isError }) => isError).map(({ askedId }) => askedId)
        : [],
    ),
  );
}

/** Inserts the unconverted schemas, and puts answers into the form of Google's guide. */
function editBody(
  body: JsonObject,
  tools: readonly ToolDefinition[],
  failed: ReadonlySet<string>,
): JsonObject {
  const functionDeclarations = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  const contents = Array.isArray(body.contents) ? body.contents : [];
  return {
    ...body,
    ...(tools.length > 0 ? { tools: [{ functionDeclarations }] } : {}),
    contents: contents.map((content) =>
      isObject(content) && Array.isArray(content.parts)
        ? { ...content, parts: content.parts.map((part) => withAnswer(part, failed)) }
        : content,
    ),
  };
}

function withAnswer(part: Json, failed: ReadonlySet<string>): Json {
  if (!isObject(part) || !isObject(part.functionResponse)) return part;
  const { functionResponse } = part;
  const { id, response } = functionResponse;
  const content = isObject(response) ? (response.content ?? null) : null;
  const key = typeof id === 'string' && failed.has(id) ? 'error' : 'output';
  return {
    ...part,
    functionResponse: { ...functionResponse, response: { [key]: content } },
  };
}
