/** Tool files that declare packages. */

/** A tool file with PEP 723 metadata, and a tool for each expression. */
export function toolFile(
  stem: string,
  dependencies: readonly string[],
  imports: string,
  tools: Readonly<Record<string, string>>,
): string {
  const names = Object.keys(tools);
  const listed = dependencies.map((one) => `#   ${JSON.stringify(one)},\n`).join('');
  return [
    `# /// script\n# requires-python = ">=3.11"\n# dependencies = [\n${listed}# ]\n# ///`,
    imports,
    ...names.map((name) => `def ${name}(url=""):\n    return ${tools[name] ?? 'None'}\n`),
    'def spec(function):',
    `    return {"name": f"${stem}:{function.__name__}", "description": "A tool.", "handler": function,`,
    '        "parameters": {"type": "object", "properties": {"url": {"type": "string", "description": "Address"}}}}',
    '',
    `TOOL_SPECS = [${names.map((name) => `spec(${name})`).join(', ')}]`,
    '',
  ].join('\n');
}

/** What `requests` needs, all of it. */
export const requestsVersion = '2.28.1';

export const withRequests = toolFile(
  'fetcher',
  ['requests>=2.28'],
  'import requests\nimport urllib.request',
  {
    version: 'requests.__version__',
    compiled: '__import__("os").path.exists(requests.__spec__.cached)',
    get: 'requests.get(url, timeout=20).json()["url"]',
    post: 'requests.post(url, json={"a": 1}, timeout=20).json()["body"]',
    session: '[requests.Session().get(url).status_code, requests.get(url + "&s=1").ok]',
    streamed: 'sum(len(part) for part in requests.get(url, stream=True).iter_content(65536))',
    standard: 'urllib.request.urlopen(url).status',
  },
);

export const plain = [
  'def two():',
  '    return 2',
  '',
  'TOOL_SPECS = [{"name": "plain:two", "description": "Two.", "handler": two,',
  '    "parameters": {"type": "object", "properties": {}}}]',
  '',
].join('\n');
