import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { retryDelay } from '../../turn/answer-errors.ts';
import { ModelError, type ModelFault } from '../../../runtime/spec/model-error.ts';
import { faultOf } from './classify-fault.ts';
import { parseProviderError } from './provider-error.ts';
import { threadMs } from '../../../../tests/support/thread-time.ts';

function faultIn(status: number, body: string): ModelFault {
  return faultOf(parseProviderError(status, body));
}

const file = readFileSync('tests/faults/08-too-long-wordings.tsv', 'utf8');
const stored = file.split('\n').filter((line) => line !== '' && !line.startsWith('#'));

test.each(stored.map((line) => line.split('\t')))('%s (%s)', (_, status = '', body = '') => {
  const fault = faultIn(Number(status), body);
  expect(fault).toBe('context');
  expect(retryDelay(new ModelError(fault, ''), 1, 0)).toBe(null);
});

/** Further messages in the words of other servers. */
const tooLong: readonly (readonly [server: string, status: number, message: string])[] = [
  [
    'Cohere',
    400,
    'too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt.',
  ],
  [
    'Mistral',
    400,
    'Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
  ],
  ['Bedrock', 400, 'Input is too long for requested model.'],
  [
    'Bedrock, Nova',
    400,
    'Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.',
  ],
  [
    'Bedrock, schema',
    400,
    'Malformed input request: expected maxLength: 20000, actual: 30112, please reformat your input and try again.',
  ],
  ['Ollama', 400, 'the input length exceeds the context length'],
  ['Ollama, prompt', 400, 'prompt too long; exceeded max context length by 120 tokens'],
  [
    'llama.cpp',
    400,
    'the request exceeds the available context size (4096 tokens), try increasing it',
  ],
  [
    'llama.cpp, batch',
    500,
    'input is too large to process. increase the physical batch size (current batch size: 512)',
  ],
  [
    'LM Studio',
    400,
    'The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input',
  ],
  [
    'OpenRouter',
    400,
    "This endpoint's maximum context length is 32768 tokens. However, you requested about 41000 tokens (40000 of text input, 1000 in the output). Please reduce the length of either one.",
  ],
  ['Fireworks', 400, 'The prompt is too long: 140000, model maximum context length: 131071'],
  [
    'Vertex',
    400,
    'Unable to submit request because the input token count is 40000 but model only supports up to 32768. Reduce the input token count and try again.',
  ],
  ['MiniMax', 400, 'invalid params, context window exceeds limit (2013)'],
  [
    'OpenAI',
    400,
    'Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300012 tokens. Please reduce the length of the messages.',
  ],
  [
    'vLLM',
    400,
    "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens (4000 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
  ],
  [
    'vLLM, answer',
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 500. This model's maximum context length is 4096 tokens and your request has 4000 input tokens (500 > 4096 - 4000).",
  ],
  [
    'watsonx',
    400,
    'the number of input tokens 9000 cannot exceed the total tokens limit 8191 for this model',
  ],
  [
    'TensorRT-LLM',
    500,
    'Encountered an error when fetching new request: Prompt length (9000) exceeds maximum input length (8192). Set log level to info and check TRTGptModel logs for how maximum input length is set',
  ],
  [
    'SGLang',
    400,
    "The input (9000 tokens) is longer than the model's context length (8192 tokens).",
  ],
  [
    'SGLang, total',
    400,
    "Requested token count exceeds the model's maximum context length of 8192 tokens. You requested a total of 9000 tokens: 8000 tokens from the input messages and 1000 tokens for the completion.",
  ],
  [
    'SGLang, length',
    400,
    'Input length (9000) exceeds the maximum allowed length (8192). Use a shorter input or enable --allow-auto-truncate.',
  ],
  ['ExLlama', 500, 'Total sequence length exceeds cache size in model.forward'],
  ['GitHub Models', 413, 'Request body too large for gpt-4o model. Max size: 8000 tokens.'],
  ['GitHub Models, 400', 400, 'Request body too large for gpt-4o model. Max size: 8000 tokens.'],
  ['Copilot', 400, 'prompt token count of 130000 exceeds the limit of 128000'],
  ['Yandex', 400, 'number of input tokens must be no more than 8192, got 9000'],
  [
    'Anthropic',
    400,
    'input length and `max_tokens` exceed context limit: 190000 + 21333 > 200000, decrease input length or `max_tokens` and try again',
  ],
  ['Zhipu', 400, 'Prompt 超长'],
  ['Qwen', 400, '输入长度超过模型最大长度限制'],
  ['a proxy', 502, 'The conversation does not fit in 8192 tokens.'],
  [
    'Databricks',
    400,
    'Bad request: prompt token count (9000) must be less than max_tokens_limit (8192) tokens',
  ],
  [
    'WebLLM',
    500,
    'Prompt tokens exceed context window size: number of prompt tokens: 9000; context window size: 4096. Consider shortening the prompt, or increase context_window_size',
  ],
  ['LM Studio, size', 400, 'Context size has been exceeded.'],
  ['LM Studio, n_keep', 400, 'Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)'],
  ['LiteLLM', 500, 'litellm.ContextWindowExceededError: BadRequestError'],
  ['Anthropic, bytes', 400, 'too many total text bytes: 30000000 > 24000000'],
  ['a gateway', 400, '`prompt` tokens (9000) + max_tokens (100) > 8192'],
  ['a gateway, code', 400, 'max_prompt_tokens exceeded'],
  ['a gateway, above', 400, 'input_tokens 200001 is above the limit of 200000'],
  [
    'a web interface',
    400,
    'The message you submitted was too long, please submit something shorter.',
  ],
  ['a gateway, history', 400, 'Conversation history too long'],
  ['a gateway, only', 400, 'This request has 9000 tokens but the model only allows 8192'],
  ['a gateway, sequence', 400, 'max sequence length of 8192 exceeded'],
  ['a gateway, reached', 400, 'Model context limit reached'],
  ['in Japanese', 400, '入力が長すぎます'],
];

test.each(tooLong)('too long: %s (%i)', (_, status, message) => {
  expect(faultIn(status, JSON.stringify({ error: { message } }))).toBe('context');
});

/** Messages with the same words that mean something else. */
const others: readonly (readonly [ModelFault, number, string])[] = [
  [
    'rate-limit',
    429,
    'Rate limit reached for gpt-4o on tokens per min (TPM): Limit 30000, Used 29000, Requested 4500. Please try again in 7s.',
  ],
  ['request', 400, 'Too many tokens per minute: limit 30000. Slow down.'],
  ['request', 400, 'Number of request tokens has exceeded your daily limit of 100000 tokens.'],
  ['request', 400, 'You have exceeded the token quota for this key.'],
  [
    'request',
    400,
    'This request would exceed your account’s rate limit of 40,000 input tokens per minute.',
  ],
  ['credit', 429, 'You exceeded your current quota, please check your plan and billing details.'],
  [
    'credit',
    402,
    'This request requires more credits, or fewer max_tokens. You requested up to 65536 tokens, but can only afford 1000.',
  ],
  ['overloaded', 503, 'Too many concurrent requests: the maximum queue length is exceeded.'],
  [
    'request',
    400,
    'max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.',
  ],
  [
    'request',
    400,
    'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens for claude-3-5-sonnet',
  ],
  ['request', 400, 'max_tokens must be less than or equal to 4096.'],
  ['request', 400, 'max_new_tokens must be at least 1 and at most 2048 tokens.'],
  ['request', 400, 'Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'],
  ['request', 400, 'The requested output tokens exceed the maximum output tokens of this model.'],
  ['request', 400, '`max_tokens` must be greater than `thinking.budget_tokens`.'],
  ['request', 400, 'thinking.budget_tokens: Input should be greater than or equal to 1024'],
  ['request', 400, 'temperature: Input should be less than or equal to 2'],
  [
    'request',
    400,
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 70 instead.",
  ],
  [
    'request',
    400,
    "Invalid 'messages[2].tool_calls[0].id': string too long. Expected a string with maximum length 40.",
  ],
  [
    'request',
    400,
    'messages.0.content.0.image.source.base64: image exceeds 5 MB maximum: 6291456 bytes > 5242880 bytes',
  ],
  ['request', 400, 'Your messages exceed the maximum number of images: 20.'],
  [
    'request',
    400,
    "Invalid 'tools': array too long. Expected an array with maximum length 128, but got an array with length 200 instead.",
  ],
  ['request', 400, 'tools.3.custom.description: String should have at most 1024 characters'],
  ['request', 400, 'The function description is too long: at most 512 characters are allowed.'],
  ['request', 400, 'prompt_cache_key: string too long, at most 64 characters'],
  ['request', 400, 'Audio file is too long: at most 25 MB.'],
  ['overloaded', 500, 'The request exceeded the time limit while waiting for tokens.'],
  ['overloaded', 504, 'Request timeout: the model took longer than 60 seconds to produce tokens.'],
  ['overloaded', 500, 'CUDA out of memory.'],
  ['overloaded', 529, 'Overloaded'],
  ['request', 400, 'stop: at most 4 stop sequences of up to 16 tokens are allowed'],
  ['request', 400, 'messages: at least one message is required'],
  ['request', 400, 'Unsupported parameter: max_tokens. Use max_completion_tokens instead.'],
  ['key', 401, 'The API key is too long.'],
  ['request', 400, '请求频率超过限制'],
  [
    'request',
    400,
    "FunctionDeclaration 'f' in the request exceeds the maximum allowed nesting depth.",
  ],
  ['request', 400, 'The request exceeds the maximum number of tools.'],
  ['request', 400, 'The context cache must be larger than 4096 bytes.'],
];

test.each(others)('not too long, but %s (%i): %s', (fault, status, message) => {
  expect(faultIn(status, JSON.stringify({ error: { message } }))).toBe(fault);
});

test('long messages of strangers are examined quickly', () => {
  const hostile = 'input tokens '.repeat(20_000);
  const before = threadMs();
  faultIn(400, JSON.stringify({ error: { message: hostile } }));
  expect(threadMs() - before).toBeLessThan(2_000);
});
