#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What systemd and quadlet read out of what the writer wrote: run.py EMIT [SEED [COUNT]].

systemd --test --user dumps the values as it parsed them; quadlet -dryrun turns .container files into units, which go the same way.
Exit status 77 if systemd is not here; without quadlet (QUADLET=, or its usual place) its half is left out and said so."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

SYSTEMD = '/lib/systemd/systemd'
FLAGS = {'HostName': '--hostname', 'WorkingDir': '--workdir', 'HealthCmd': '--health-cmd', 'Tmpfs': '--tmpfs',
         'AddHost': '--add-host', 'Sysctl': '--sysctl', 'LogOpt': '--log-opt', 'Label': '--label', 'Environment': '--env'}
ESCAPES = {'n': '\n', 't': '\t', 'r': '\r', 'a': '\a', 'b': '\b', 'f': '\f', 'v': '\v'}


def find_quadlet():
    for path in (os.environ.get('QUADLET'), '/usr/libexec/podman/quadlet', '/usr/lib/podman/quadlet'):
        if path and os.access(path, os.X_OK):
            return path
    return None


def dump(directory, unit):
    """The dump of one unit, {key: [value]}; values may span lines."""
    command = ['env', '-i', 'PATH=/usr/bin:/bin', f'SYSTEMD_UNIT_PATH={directory}:', 'XDG_RUNTIME_DIR=/tmp', 'LC_ALL=C.UTF-8',
               'SYSTEMD_UTF8=0', SYSTEMD, '--test', '--user', f'--unit={unit}', '--log-target=console', '--log-level=info']
    if os.geteuid() == 0:
        command = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] + command
    done = subprocess.run(command, capture_output=True, check=False)
    text = done.stdout.decode('utf-8', 'surrogateescape')
    start = text.find(f'\t-> Unit {unit}:\n')
    if start < 0:
        sys.exit(f'{unit}: no dump: {done.stderr.decode(errors="replace")[-2000:]}')
    values = {}
    key = None
    for line in text[start:].split('\n')[1:]:
        match = re.match(r'\t\t\t?([A-Z][A-Za-z ]+): (.*)$', line, re.S)
        if line.startswith('\t-> '):
            break
        if re.match(r'\t\t-> [A-Za-z]+:$', line):
            key = None
        elif match:
            key = match.group(1)
            values.setdefault(key, []).append(match.group(2))
        elif key:
            values[key][-1] += '\n' + line
    return values, done.stderr.decode(errors='replace')


def words(line):
    """quote_command_line() undone."""
    out, at = [], 0
    while at < len(line):
        if line[at] == ' ':
            at += 1
            continue
        word, quoted = '', line[at] == '"'
        at += quoted
        while at < len(line) and line[at] != ('"' if quoted else ' '):
            if line[at] != '\\':
                word += line[at]
                at += 1
            elif line[at + 1] in '01234567':
                word += chr(int(line[at + 1:at + 4], 8))
                at += 4
            elif line[at + 1] == 'x':
                word += chr(int(line[at + 2:at + 4], 16))
                at += 4
            else:
                word += ESCAPES.get(line[at + 1], line[at + 1])
                at += 2
        at += 1
        out.append(word)
    return out


def expand(word):
    """"$$" as systemd does at exec; a "$" that is alone would be expanded, so it shows up as a difference."""
    return re.sub(r'\$(\$|.|$)', lambda m: '$' if m.group(1) == '$' else '<expansion>', word)


def expected(path):
    values = {}
    with open(path, encoding='ascii') as f:
        for line in f:
            key, _, hexed = line.rstrip('\n').partition(' ')
            values.setdefault(key, []).append(bytes.fromhex(hexed).decode('utf-8'))
    return values


class Compare:
    def __init__(self):
        self.same = self.different = 0

    def lists(self, where, want, got):
        if len(want) != len(got):
            self.different += 1
            print(f'{where}: {len(want)} values written, {len(got)} read')
            print(f'  wrote {want!r}\n  read  {got!r}')
            return
        for a, b in zip(want, got):
            if a == b:
                self.same += 1
            else:
                self.different += 1
                print(f'{where}: wrote {a!r}, systemd has {b!r}')


def normalize(path):
    return os.path.normpath(re.sub('/+', '/', path))


def check_unit(compare, directory, n):
    want = expected(f'{directory}/o-{n}.expect')
    got, _ = dump(directory, f'o-{n}.service')
    commands = got.get('Command Line', [])
    compare.lists(f'o-{n} commands', ['one'], ['one'] * len(commands))
    compare.lists(f'o-{n} ExecStart', want.get('ExecStart', []), [expand(w) for w in words(commands[0])[1:]])
    compare.lists(f'o-{n} Environment', want.get('Environment', []), got.get('Environment', []))
    compare.lists(f'o-{n} Description', want.get('Description', []) or [f'o-{n}.service'], got['Description'])
    paths = sorted({normalize(p) for p in want.get('RequiresMountsFor', [])})
    read = sorted({v.rsplit(' (origin', 1)[0] for v in got.get('RequiresMountsFor', [])} - {'/'})
    compare.lists(f'o-{n} RequiresMountsFor', paths, [p for p in read if p in paths or p.startswith('/m')])
    compare.lists(f'o-{n} SourcePath', [normalize(p) for p in want.get('SourcePath', [])],
                  [p for p in got.get('Source Path', [])])


def split_dryrun(text):
    units = {}
    for part in re.split(r'^---(?=[^\n]+---$)', text, flags=re.M):
        head, _, body = part.partition('---\n')
        if head:
            units[os.path.basename(head)] = body
    return units


def check_quadlet(compare, directory, n, unit_dir):
    want = expected(f'{directory}/q-{n}.expect')
    got, _ = dump(unit_dir, f'q-{n}.service')
    starts = [c for c in got.get('Command Line', []) if ' run ' in c]
    compare.lists(f'q-{n} commands', ['run', 3], ['run' for _ in starts] + [len(got.get('Command Line', []))])
    argv = [expand(w) for w in words(starts[0])]
    image = argv.index('localhost/image:1')
    compare.lists(f'q-{n} Exec', want.get('Exec', []), argv[image + 1:])
    for key, flag in FLAGS.items():
        values = [argv[i + 1] for i in range(image) if argv[i] == flag]
        wanted = want.get(key, [])
        if key in ('Label', 'Environment'):
            wanted, values = sorted(wanted), sorted(values)
        compare.lists(f'q-{n} {key}', wanted, values)
    compare.lists(f'q-{n} PodmanArgs', want.get('PodmanArgs', []), [w for w in argv[:image] if w.startswith('--pa=')])


def main():
    emit, seed, count = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else '1', int(sys.argv[3]) if len(sys.argv) > 3 else 10
    if not os.path.exists(SYSTEMD) or (os.geteuid() == 0 and not shutil.which('setpriv')):
        print('skipped: no systemd here')
        sys.exit(77)
    compare = Compare()
    with tempfile.TemporaryDirectory() as top:
        units, quadlets, made = (os.path.join(top, d) for d in ('units', 'quadlets', 'made'))
        for directory in (units, quadlets, made):
            os.mkdir(directory)
        numbers = subprocess.run([emit, top, seed, str(count)], check=True, capture_output=True, text=True).stdout.split()
        subprocess.run(['chmod', '-R', 'a+rX', top], check=True)
        for n in range(count):
            check_unit(compare, units, n)
        print(f'units: {numbers[0]} values written, {numbers[1]} refused')
        quadlet = find_quadlet()
        if quadlet:
            done = subprocess.run([quadlet, '-dryrun'], capture_output=True, check=False,
                                  env={'QUADLET_UNIT_DIRS': quadlets, 'PODMAN': '/bin/true'})
            if done.returncode != 0:
                sys.exit(done.stderr.decode(errors='replace'))
            for name, body in split_dryrun(done.stdout.decode()).items():
                with open(os.path.join(made, name), 'w', encoding='utf-8', newline='') as f:
                    f.write(body)
            subprocess.run(['chmod', '-R', 'a+rX', top], check=True)
            for n in range(count):
                check_quadlet(compare, top, n, made)
            print(f'quadlets: {numbers[2]} values written, {numbers[3]} refused')
        else:
            print('quadlets: left out, there is no quadlet (set QUADLET=)')
    print(f'{compare.same} passed, {compare.different} failed')
    sys.exit(1 if compare.different else 0)


if __name__ == '__main__':
    main()
