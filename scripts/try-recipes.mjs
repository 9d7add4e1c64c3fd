/**
 * node scripts/try-recipes.mjs: serves dist/ by the recipes of docs/deploy.md, with the nginx and Caddy of this machine, and
 * checks types, compression, caching and headers. Says which of them are not installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { distFolder, projectFolder } from './dist.mjs';
import { temporaryFolder } from './temporary-folder.mjs';

const guide = await readFile(join(projectFolder, 'docs/deploy.md'), 'utf8');
const folder = await temporaryFolder('recipes');
const assets = await readdir(join(distFolder, 'assets'));
const wasm = assets.find((name) => /^pyodide\.asm-.*\.wasm$/.test(name)) ?? '';
let faults = 0;

for (const [name, port] of /** @type {const} */ ([
  ['nginx', 8471],
  ['nginx below a path', 8472],
  ['Caddy', 8473],
  ['Caddy below a path', 8474],
  ['the container', 8475],
])) {
  const program = name.startsWith('nginx') ? 'nginx' : 'caddy';
  if (spawnSync(program, ['-v']).error) {
    console.log(`${name}: ${program} is not installed.`);
    continue;
  }
  const server = program === 'nginx' ? await nginx(name, port) : await caddy(name, port);
  try {
    await check(name, `http://127.0.0.1:${port}${name.includes('path') ? '/tools/cloche' : ''}/`);
  } finally {
    server.kill();
  }
}
process.exit(faults === 0 ? 0 : 1);

/**
 * @param {string} heading
 * @param {string} language
 */
function recipe(heading, language) {
  const [, section = ''] = guide.split(`\n### ${heading}\n`);
  const text = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(section)?.[1];
  if (text === undefined) throw new Error(`docs/deploy.md has no recipe for ${heading}.`);
  return text;
}

/**
 * @param {string} name of the recipe
 * @param {number} port
 */
async function nginx(name, port) {
  const [, exceptions = ''] = guide.split('## Letting other sites use Cloche');
  const more = /```nginx\n([^]*?)```/.exec(exceptions)?.[1] ?? '';
  const whole = name.includes('path')
    ? recipe('Below a path', 'nginx').replace(
        /# In the server:\n([^]*)$/,
        (_, rest) =>
          `server { listen 127.0.0.1:${port}; include /etc/nginx/mime.types; gzip_static on;\n${String(rest)}}`,
      )
    : recipe('nginx', 'nginx')
        .replace('listen 443 ssl', `listen 127.0.0.1:${port}`)
        .replace('include mime.types', 'include /etc/nginx/mime.types')
        .replace(/\}\s*$/, `${more}}`);
  const file = join(folder, `${port}.conf`);
  await writeFile(
    file,
    `daemon off; worker_processes 1; pid ${folder}/${port}.pid; error_log ${folder}/${port}.log; user root;
     events {} http { access_log off; ${whole.replaceAll('/srv/cloche', distFolder)} }`,
  );
  return spawn('nginx', ['-e', join(folder, 'start.log'), '-c', file], { stdio: 'inherit' });
}

/**
 * @param {string} name of the recipe
 * @param {number} port
 */
async function caddy(name, port) {
  const text =
    name === 'the container'
      ? (await readFile(join(projectFolder, 'deploy/Caddyfile'), 'utf8')).replace(
          ':8080',
          `:${port}`,
        )
      : name === 'Caddy'
        ? `{\n admin off\n}\n${recipe('Caddy', 'text').replace('cloche.example', `http://127.0.0.1:${port}`)}`
        : `{\n admin off\n}\nhttp://127.0.0.1:${port} {\n${recipe('Below a path', 'text')}\n}`;
  const file = join(folder, `${port}.caddy`);
  await writeFile(file, text.replaceAll('/srv/cloche', distFolder));
  return spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'ignore'],
    env: { ...process.env, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
  });
}

/**
 * @param {string} name of the recipe
 * @param {string} url
 */
async function check(name, url) {
  await untilAnswered(url);
  /** @type {(what: string, found: unknown, wanted: unknown) => void} */
  const expect = (what, found, wanted) => {
    if (found === wanted) return;
    faults += 1;
    console.error(`${name}: ${what} is ${String(found)}, but should be ${String(wanted)}`);
  };
  const encodings = name.startsWith('nginx') ? ['gzip'] : ['br', 'gzip'];
  for (const encoding of encodings) {
    const { headers } = await ask(`${url}assets/${wasm}`, encoding);
    expect(`${encoding} of WebAssembly`, headers.get('content-encoding'), encoding);
    expect('type of WebAssembly', headers.get('content-type'), 'application/wasm');
    const cached = headers.get('cache-control');
    expect('caching of assets', cached, 'public, max-age=31536000, immutable');
  }
  const page = (await ask(url, 'identity')).headers;
  expect('caching of the page', page.get('cache-control'), 'no-cache');
  expect('status of an unknown file', (await ask(`${url}none`, 'identity')).status, 404);
  if (!name.includes('path')) {
    const manifest = (await ask(`${url}manifest.webmanifest`, 'identity')).headers;
    expect('type of the manifest', manifest.get('content-type'), 'application/manifest+json');
    expect('policy', page.get('content-security-policy'), "frame-ancestors 'self'");
  }
  if (name === 'nginx') {
    const bridge = (await ask(`${url}bridge.html`, 'identity')).headers;
    expect('policy of the bridge', bridge.get('content-security-policy'), null);
    expect('opener policy of the bridge', bridge.get('cross-origin-opener-policy'), null);
    const client = (await ask(`${url}cloche-client.js`, 'identity')).headers;
    expect('the client', client.get('access-control-allow-origin'), '*');
  }
  console.log(`${name}: checked at ${url}`);
}

/**
 * @param {string} url
 * @param {string} encoding
 */
function ask(url, encoding) {
  return fetch(url, { headers: { 'accept-encoding': encoding } });
}

/** @param {string} url */
async function untilAnswered(url) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    try {
      await fetch(url);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
  throw new Error(`${url} did not answer.`);
}
