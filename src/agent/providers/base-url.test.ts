import { expect, test } from 'vitest';
import { baseUrlOf } from './base-url.ts';

test('addresses are accepted as users enter them', () => {
  const entered = [
    'http://localhost:11434',
    'localhost:11434/v1/',
    ' http://127.0.0.1:8080/v1// ',
    'api.example.com/openai/v1',
    'https://openrouter.ai/api/v1/chat/completions',
    'HTTPS://Example.com/v1/models',
    'http://[::1]:8000',
    '10.0.0.7:8080/v1',
    'localhost.example.com/v1',
    '10.example.com/v1',
    '127.0.0.1.example.com/v1',
  ];
  expect(entered.map((url) => baseUrlOf('openai-compatible', url))).toEqual([
    'http://localhost:11434/v1',
    'http://localhost:11434/v1',
    'http://127.0.0.1:8080/v1',
    'https://api.example.com/openai/v1',
    'https://openrouter.ai/api/v1',
    'https://example.com/v1',
    'http://[::1]:8000/v1',
    'http://10.0.0.7:8080/v1',
    'https://localhost.example.com/v1',
    'https://10.example.com/v1',
    'https://127.0.0.1.example.com/v1',
  ]);
});

test('the default address of a kind need not be entered, and is not stored', () => {
  expect([
    baseUrlOf('anthropic', ''),
    baseUrlOf('anthropic', 'https://api.anthropic.com/v1/messages'),
    baseUrlOf('google', 'https://generativelanguage.googleapis.com/v1beta/'),
    baseUrlOf('openai-chat', 'https://proxy.example/v1'),
    baseUrlOf('browser', 'https://example.com'),
  ]).toEqual(['', '', '', 'https://proxy.example/v1', '']);
});
