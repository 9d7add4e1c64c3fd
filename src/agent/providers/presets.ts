/** Presets for well-known providers. */

import type { ProviderPreset } from './provider-types.ts';

/** @param pageOrigin the origin that local servers must allow */
export function presetsFor(pageOrigin: string): readonly ProviderPreset[] {
  return [
    {
      id: 'openai',
      kind: 'openai-responses',
      name: 'OpenAI',
      baseUrl: '',
      needsKey: true,
      hint: 'Keys: platform.openai.com/api-keys',
    },
    {
      id: 'openai-chat',
      kind: 'openai-chat',
      name: 'OpenAI (Chat Completions)',
      baseUrl: '',
      needsKey: true,
      hint: 'The older interface. Keys: platform.openai.com/api-keys',
    },
    {
      id: 'anthropic',
      kind: 'anthropic',
      name: 'Anthropic',
      baseUrl: '',
      needsKey: true,
      hint: 'Keys: console.anthropic.com/settings/keys. If your organisation blocks requests from browsers, ask its administrator to allow them.',
    },
    {
      id: 'google',
      kind: 'google',
      name: 'Google',
      baseUrl: '',
      needsKey: true,
      hint: 'Keys: aistudio.google.com/apikey',
    },
    {
      id: 'openrouter',
      kind: 'openai-compatible',
      name: 'OpenRouter',
      needsKey: true,
      baseUrl: 'https://openrouter.ai/api/v1',
      hint: 'Keys: openrouter.ai/settings/keys',
    },
    {
      id: 'ollama',
      kind: 'openai-compatible',
      name: 'Ollama',
      needsKey: false,
      baseUrl: 'http://localhost:11434/v1',
      hint: `Allow this page: OLLAMA_ORIGINS=${pageOrigin} ollama serve. To raise its short default context, set OLLAMA_CONTEXT_LENGTH.`,
    },
    {
      id: 'lm-studio',
      kind: 'openai-compatible',
      name: 'LM Studio',
      needsKey: false,
      baseUrl: 'http://localhost:1234/v1',
      hint: 'Start its server and turn on “Enable CORS” in the server’s settings.',
    },
    {
      id: 'llama-cpp',
      kind: 'openai-compatible',
      name: 'llama.cpp',
      needsKey: false,
      baseUrl: 'http://localhost:8080/v1',
      hint: `llama-server --jinja -m model.gguf (--jinja is for tools, and on in newer versions). The base URL is the address that it prints at startup plus /v1 (port 8080, or 9931 in newer versions). If it runs with its own tools or agent, add --cors-origins ${pageOrigin}`,
    },
    {
      id: 'vllm',
      kind: 'openai-compatible',
      name: 'vLLM',
      needsKey: false,
      baseUrl: 'http://localhost:8000/v1',
      hint: `vllm serve model --allowed-origins '["${pageOrigin}"]' --enable-auto-tool-choice --tool-call-parser …`,
    },
  ];
}
