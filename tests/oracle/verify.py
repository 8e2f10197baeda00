#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""What quadlet and systemd-analyze say about compiled stacks: verify.py DIR...

Each DIR is a directory that a plan was written to; it may be a pattern. quadlet -dryrun has to accept all of its quadlets and give every unit; its units and
ours have to pass systemd-analyze verify --recursive-errors=yes without a word. The programs that the units name need not be installed:
the check runs in a mount namespace of its own, where stand-ins lie over /usr. Needs root; exit status 77 if that, quadlet or systemd is
not here."""

import glob
import os
import re
import subprocess
import sys
import tempfile

STAND_INS = ('/usr/bin/podman', '/usr/libexec/unitproof/unitproof-prove', '/usr/libexec/unitproof/unitproof-probe', '/usr/libexec/unitproof/unitproof-gate',
             '/usr/libexec/unitproof/unitproof-netns')


def find_quadlet():
    for path in (os.environ.get('QUADLET'), '/usr/libexec/podman/quadlet', '/usr/lib/podman/quadlet'):
        if path and os.access(path, os.X_OK):
            return path
    return None


def skip(why):
    print(f'skipped: {why}')
    sys.exit(77)


def split_dryrun(text):
    units = {}
    for part in re.split(r'^---(?=[^\n]+---$)', text, flags=re.M):
        head, _, body = part.partition('---\n')
        if head:
            units[os.path.basename(head)] = body
    return units


def expected_unit(path):
    name, _, kind = os.path.basename(path).rpartition('.')
    return name + {'build': '-build', 'container': '', 'pod': '-pod', 'network': '-network', 'volume': '-volume'}[kind] + '.service'


def run_quadlet(quadlet, folder, out):
    done = subprocess.run([quadlet, '-dryrun'], capture_output=True, text=True, check=False,
                          env={'QUADLET_UNIT_DIRS': folder})
    errors = [line for line in done.stderr.splitlines() if 'Loading source unit file' not in line]
    if done.returncode != 0:
        errors.append(f'quadlet: exit status {done.returncode}')
    made = split_dryrun(done.stdout)
    for path in sorted(os.listdir(folder)):
        unit = expected_unit(path)
        if unit not in made:
            errors.append(f'{path}: quadlet gave no {unit}')
    for name, body in made.items():
        with open(os.path.join(out, name), 'w', encoding='utf-8', newline='') as f:
            f.write(body)
    return errors


def systemd_version():
    text = subprocess.run(['systemd-analyze', '--version'], capture_output=True, text=True, check=True).stdout
    return int(re.search(r'systemd (\d+)', text).group(1))


def is_younger_key(line):
    """A stack may be compiled for a younger systemd than the one that judges here."""
    return systemd_version() < 254 and re.search(r"Unknown key '(RestartSteps|RestartMaxDelaySec)' in section", line)


def run_verify(out):
    units = sorted(u for u in os.listdir(out) if not os.path.isdir(os.path.join(out, u)))
    done = subprocess.run(['systemd-analyze', 'verify', '--man=no', '--generators=no', '--recursive-errors=yes'] + [os.path.join(out, u) for u in units],
                          capture_output=True, text=True, check=False)
    lines = (done.stdout + done.stderr).splitlines()
    errors = [line for line in lines if not is_younger_key(line)]
    if done.returncode != 0 and len(errors) == len(lines):
        errors.append(f'systemd-analyze: exit status {done.returncode}')
    return errors


def mount_unit(name):
    """Stands where the operator's own unit of that mount stands: we write no more than a drop-in to it."""
    where = subprocess.run(['systemd-escape', '--unescape', '--path', name.removesuffix('.mount')],
                           capture_output=True, text=True, check=True).stdout.strip()
    return f'[Mount]\nWhat=tmpfs\nWhere={where}\nType=tmpfs\n'


def check(quadlet, directory):
    errors = []
    with tempfile.TemporaryDirectory() as out:
        for folder in glob.glob(os.path.join(directory, 'unitproof-*.quadlets')):
            errors += run_quadlet(quadlet, os.path.abspath(folder), out)
        for name in os.listdir(directory):
            path = os.path.join(directory, name)
            if os.path.isfile(path):
                subprocess.run(['cp', path, out], check=True)
            elif name.endswith('.mount.d'):
                subprocess.run(['cp', '-r', path, out], check=True)
                with open(os.path.join(out, name.removesuffix('.d')), 'w', encoding='utf-8') as f:
                    f.write(mount_unit(name.removesuffix('.d')))
        errors += run_verify(out)
    return errors


def lay_stand_ins():
    top = tempfile.mkdtemp()
    subprocess.run(['mount', '-t', 'tmpfs', 'tmpfs', top], check=True)
    for name in ('upper', 'work'):
        os.mkdir(os.path.join(top, name))
    done = subprocess.run(['mount', '-t', 'overlay', 'overlay', '-o', f'lowerdir=/usr,upperdir={top}/upper,workdir={top}/work', '/usr'],
                          capture_output=True, check=False)
    if done.returncode != 0:
        skip('no overlay over /usr: ' + done.stderr.decode().strip())
    for path in STAND_INS:
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            os.symlink('/usr/bin/true', path)


def main():
    quadlet = find_quadlet()
    if not quadlet:
        skip('no quadlet (set QUADLET=)')
    if os.geteuid() != 0 or not os.path.exists('/usr/bin/systemd-analyze'):
        skip('needs root and systemd-analyze')
    if os.environ.get('UNITPROOF_VERIFY_INNER') != '1':
        os.environ['UNITPROOF_VERIFY_INNER'] = '1'
        os.execvp('unshare', ['unshare', '--mount', '--propagation', 'private', sys.executable] + sys.argv)
    lay_stand_ins()
    failed = 0
    directories = sorted(d for pattern in sys.argv[1:] for d in glob.glob(pattern))
    for directory in directories:
        errors = check(quadlet, directory)
        failed += bool(errors)
        for line in errors:
            print(f'{directory}: {line}')
    print(f'{len(directories) - failed} passed, {failed} failed')
    sys.exit(1 if failed or not directories else 0)


if __name__ == '__main__':
    main()
