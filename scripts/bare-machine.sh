#!/bin/sh
# Tries the README's commands on a bare machine: a minimal Debian 12 with Node 20 and nothing else, in a folder.
#
#   scripts/bare-machine.sh [-b FOLDER] [-n PREFIX] [start | test [SUITE…] | program]
#
#   start       npm ci && npm start, until the page answers
#   test        npm ci && npm test -- SUITE…   (all suites where none is named)
#   program     npm install cloche-….tgz && npx cloche mcp samples, in an empty project: without a browser, and with one
#   (none)      start and test
#   -b FOLDER   keep the base system there, and take it from there the next time; else it is made in a temporary folder
#   -n PREFIX   where Node 20 is installed (bin/node, lib/node_modules/npm); else where the running one is
#
# Needs root, debootstrap and git. The mirror is DEBIAN_MIRROR, or the one that apt uses for Debian 12 here. npm's
# configuration, certificates and proxies are those of this machine. What is tried is a fresh clone of HEAD.
set -eu

suite=bookworm

main() {
  base=
  prefix=$(dirname "$(dirname "$(readlink -f "$(command -v node)")")")
  while getopts b:n: option; do
    case $option in
      b) base=$OPTARG ;;
      n) prefix=$OPTARG ;;
      *) exit 2 ;;
    esac
  done
  shift $((OPTIND - 1))
  what=${1:-both}
  [ $# -eq 0 ] || shift
  case $what in
    start | test | program | both) ;;
    *) fail "There is no '$what': use start, test or program." ;;
  esac
  [ "$(id -u)" = 0 ] || fail 'Only root can make a machine: run this as root.'
  command -v debootstrap > /dev/null || fail 'debootstrap is not here: apt-get install debootstrap.'
  [ -x "$prefix/bin/node" ] || fail "There is no Node in $prefix: say where with -n."

  project=$(cd "$(dirname "$0")/.." && pwd)
  scratch=$(mktemp -d)
  machine=$scratch/machine
  trap 'rm -rf --one-file-system "$scratch"' EXIT
  trap 'exit 130' INT TERM

  make_base "${base:-$scratch/base}"
  say 'Copying the base system, Node and a clone of HEAD …'
  cp -a "${base:-$scratch/base}" "$machine"
  add_node
  add_settings
  git clone -q --no-hardlinks "$project" "$machine/root/cloche"
  say "The machine: Debian $(cat "$machine/etc/debian_version"), Node $(inside 'node --version'), \
npm $(inside 'npm --version'), $(git -C "$machine/root/cloche" log -1 --format='HEAD %h')"
  inside '! command -v python3 && ! command -v chromium && ! command -v git' ||
    fail 'The machine is not bare: see above what it has.'

  case $what in start | both) try_start ;; esac
  case $what in test | both) try_test "$@" ;; esac
  case $what in program) try_program ;; esac
}

try_start() {
  say 'npm ci && npm start'
  inside 'cd /root/cloche && npm ci && {
    npm start > /tmp/start.log 2>&1 & server=$!
    node -e "
      const { readFileSync } = require(\"node:fs\");
      const ends = Date.now() + 300_000;
      const look = async () => {
        const log = readFileSync(\"/tmp/start.log\", \"utf8\");
        const url = /ready at (\\S+)/.exec(log)?.[1];
        if (url !== undefined) {
          const page = await fetch(url);
          const text = await page.text();
          const answers = page.status === 200 && text.includes(\"<title>Cloche\");
          console.log(log + url + (answers ? \" answers with the page\" : \" does not answer with the page\"));
          process.exit(answers ? 0 : 1);
        }
        if (Date.now() > ends) { console.log(log + \"npm start is not ready after five minutes\"); process.exit(1); }
        setTimeout(look, 200);
      };
      look();
    "
    answered=$?
    kill "$server"
    exit "$answered"
  }' || fail 'npm ci && npm start failed on a bare machine; see above.'
  say 'npm ci && npm start: passed'
}

try_test() {
  say "npm ci && npm test${*:+ -- $*}"
  inside "cd /root/cloche && npm ci && npm test -- $*" ||
    fail 'npm ci && npm test failed on a bare machine; see above.'
  say "npm ci && npm test${*:+ -- $*}: passed"
}

try_program() {
  say 'npm install cloche-….tgz && npx cloche mcp samples'
  (cd "$project" && npm run package && npm pack --pack-destination "$machine/root" > /dev/null) ||
    fail 'The package could not be made; see above.'
  mkdir "$machine/root/empty"
  cp -a "$project/tools-samples" "$machine/root/empty/samples"
  cat > "$machine/root/empty/client.mjs" << 'END'
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
const client = new Client({ name: 'bare', version: '1' });
const args = ['--no-install', 'cloche', 'mcp', 'samples'];
await client.connect(new StdioClientTransport({ command: 'npx', args }));
const { tools } = await client.listTools();
const call = { name: 'split_bill', arguments: { total: 100, people: 3 } };
const { content } = await client.callTool(call);
await client.close();
console.log(`${tools.length} tools; split_bill: ${JSON.stringify(content)}`);
END
  inside 'cd /root/empty && npm init -y > /dev/null && npm install ../cloche-*.tgz @modelcontextprotocol/client@2.4.0' ||
    fail 'The package could not be installed on a bare machine; see above.'
  said=$(inside 'cd /root/empty && npx --no-install cloche mcp samples < /dev/null 2>&1; echo "code $?"')
  say "Without a browser: $said"
  case $said in
    *'apt install chromium'*'code 2'*) ;;
    *) fail 'Without a browser, the program does not say how to get one.' ;;
  esac
  inside 'apt-get update > /dev/null && apt-get install -y chromium > /dev/null 2>&1' ||
    fail 'Chromium could not be installed.'
  inside 'cd /root/empty && node client.mjs' || fail 'npx cloche mcp failed on a bare machine; see above.'
  say 'npx cloche mcp samples: passed'
}

# A minimal Debian 12, without what Debian recommends.
make_base() {
  if [ -e "$1/etc/debian_version" ]; then
    say "The base system is there: $1"
    return
  fi
  sources=$(debian_sources)
  mirror=${DEBIAN_MIRROR:-$(echo "$sources" | awk -v suite=$suite '$3 == suite { print $2; exit }')}
  [ -n "$mirror" ] || fail "apt knows no mirror of Debian 12 ($suite) here: set DEBIAN_MIRROR."
  say 'Making a minimal Debian 12 with debootstrap; this takes about a minute …'
  mkdir -p "$1"
  debootstrap --variant=minbase $suite "$1" "$mirror" > "$scratch/debootstrap.log" ||
    { tail -n 20 "$scratch/debootstrap.log" && rm -rf "$1" && fail 'debootstrap failed; see above.'; }
  # The same mirrors as here, those of the security updates too.
  if [ -z "${DEBIAN_MIRROR:-}" ]; then echo "$sources" > "$1/etc/apt/sources.list"; fi
  rm -rf "$1/var/cache/apt/archives"/*.deb
}

debian_sources() {
  command -v apt-get > /dev/null || return 0
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite=$suite '$3 ~ "^" suite "(-updates|-security)?$" && $4 == "main"' | sort -u
}

add_node() {
  mkdir -p "$machine/usr/local/bin" "$machine/usr/local/lib/node_modules"
  cp "$prefix/bin/node" "$machine/usr/local/bin/"
  cp -a "$prefix/lib/node_modules/npm" "$machine/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$machine/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$machine/usr/local/bin/npx"
}

# How this machine reaches the network: names, apt's proxy, npm's configuration and the certificates that both trust.
add_settings() {
  cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
  if command -v apt-config > /dev/null; then
    apt-config dump | grep -E '^Acquire::(http|https)::Proxy' > "$machine/etc/apt/apt.conf.d/proxy" || true
  fi
  user=$(npm config get userconfig --prefix "$prefix")
  if [ -e "$user" ]; then cp "$user" "$machine/root/.npmrc"; fi
  global=$(npm config get globalconfig)
  if [ -e "$global" ]; then
    mkdir -p "$machine/usr/local/etc" && cp "$global" "$machine/usr/local/etc/npmrc"
  fi
  for file in "${NODE_EXTRA_CA_CERTS:-}" "$(npm config get cafile)"; do
    if [ -f "$file" ]; then
      mkdir -p "$machine$(dirname "$file")" && cp -L "$file" "$machine$file"
    fi
  done
}

# A command on the machine, as root, in namespaces of its own: its processes and mounts end with it.
inside() {
  command=$1
  set --
  for name in NODE_EXTRA_CA_CERTS http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    eval "value=\${$name:-}"
    if [ -n "$value" ]; then set -- "$@" "$name=$value"; fi
  done
  unshare --mount --pid --fork --kill-child sh -c '
    machine=$1
    shift
    mount -t proc proc "$machine/proc"
    mount --rbind /dev "$machine/dev"
    mount -t tmpfs tmpfs "$machine/dev/shm"
    exec chroot "$machine" "$@"
  ' inside "$machine" env -i HOME=/root LANG=C.UTF-8 \
    PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@" sh -c "$command"
}

say() {
  echo "── $*"
}

fail() {
  echo "$*" >&2
  exit 1
}

main "$@"
