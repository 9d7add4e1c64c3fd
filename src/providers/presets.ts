/** Well-known endpoints, to begin from. */

import type { ProviderPreset } from '../agent/providers.ts';

/** @param pageOrigin what local servers have to allow */
export function presetsFor(pageOrigin: string): readonly ProviderPreset[] {
  return [
    {
      ...{ id: 'openai', kind: 'openai-responses', name: 'OpenAI', baseUrl: '', needsKey: true },
      hint: 'Keys: platform.openai.com/api-keys',
    },
    {
      ...{ id: 'openai-chat', kind: 'openai-chat', name: 'OpenAI (chat completions)', baseUrl: '' },
      ...{ needsKey: true, hint: 'The older interface. Keys: platform.openai.com/api-keys' },
    },
    {
      ...{ id: 'anthropic', kind: 'anthropic', name: 'Anthropic', baseUrl: '', needsKey: true },
      hint: 'Keys: console.anthropic.com/settings/keys. Organisations can forbid requests from browsers; then its administrator has to allow them.',
    },
    {
      ...{ id: 'google', kind: 'google', name: 'Google', baseUrl: '', needsKey: true },
      hint: 'Keys: aistudio.google.com/apikey',
    },
    {
      ...{ id: 'openrouter', kind: 'openai-compatible', name: 'OpenRouter', needsKey: true },
      baseUrl: 'https://openrouter.ai/api/v1',
      hint: 'Keys: openrouter.ai/settings/keys',
    },
    {
      ...{ id: 'ollama', kind: 'openai-compatible', name: 'Ollama', needsKey: false },
      baseUrl: 'http://localhost:11434/v1',
      hint: `Let it answer this page: OLLAMA_ORIGINS=${pageOrigin} ollama serve. Its usual context is short: OLLAMA_CONTEXT_LENGTH makes it longer.`,
    },
    {
      ...{ id: 'lm-studio', kind: 'openai-compatible', name: 'LM Studio', needsKey: false },
      baseUrl: 'http://localhost:1234/v1',
      hint: 'Start its server and turn on “Enable CORS” in the server’s settings.',
    },
    {
      ...{ id: 'llama-cpp', kind: 'openai-compatible', name: 'llama.cpp', needsKey: false },
      baseUrl: 'http://localhost:8080/v1',
      hint: `llama-server --jinja -m model.gguf (--jinja is for tools, and on in newer versions). Its address is the one that it prints as it starts, with /v1 behind it: the port has been 8080, and is to become 9931. It lets any page ask, unless it has tools or an agent of its own: then add --cors-origins ${pageOrigin}`,
    },
    {
      ...{ id: 'vllm', kind: 'openai-compatible', name: 'vLLM', needsKey: false },
      baseUrl: 'http://localhost:8000/v1',
      hint: `vllm serve model --allowed-origins '["${pageOrigin}"]' --enable-auto-tool-choice --tool-call-parser …`,
    },
  ];
}
