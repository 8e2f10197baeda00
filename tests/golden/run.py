#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Compiles each case of this folder and compares: run.py COMPILE [CASE...].

A case NN-STACK is the directory of a stack (compose.yaml, .env, …) with facts.ini, expected/ (the plan, byte by byte), expected.err
(the diagnostics) and expected.owners (whose the files of secrets and configs are). With UPDATE=1 the expectations are written anew:
look at the difference before you commit it."""

import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_INPUT = ('expected', 'expected.err', 'expected.owners', 'facts.ini')


def tree(top):
    """{path: bytes of a file, or 'link: target'}"""
    found = {}
    for directory, folders, files in os.walk(top):
        for name in files + [f for f in folders if os.path.islink(os.path.join(directory, f))]:
            path = os.path.join(directory, name)
            key = os.path.relpath(path, top)
            if os.path.islink(path):
                found[key] = 'link: ' + os.readlink(path)
            else:
                with open(path, 'rb') as f:
                    found[key] = f.read()
    return found


def is_content(name):
    return '.secrets.' in name or '.configs.' in name


def owners(top):
    """A line for each secret and config: what services ask for is the owner and mode of its file. Root alone can give one away."""
    lines = []
    for directory, _, files in os.walk(top):
        for name in filter(is_content, files):
            status = os.stat(os.path.join(directory, name))
            owner = f' {status.st_uid}:{status.st_gid}' if os.geteuid() == 0 else ''
            lines.append(f'{name} {stat.S_IMODE(status.st_mode):04o}{owner}\n')
    return ''.join(sorted(lines)).encode()


def wrong_modes(top):
    for directory, folders, files in os.walk(top):
        private = directory.endswith('.env')
        if private and stat.S_IMODE(os.stat(directory).st_mode) != 0o700:
            yield f'{directory}: not closed to others'
        for name in files:
            path = os.path.join(directory, name)
            if os.path.islink(path):
                continue
            mode = stat.S_IMODE(os.stat(path).st_mode)
            if is_content(name):
                continue
            if mode != (0o600 if private else 0o644):
                yield f'{path}: mode {mode:o}'


def compile_case(program, case, out):
    with tempfile.TemporaryDirectory() as root:
        stack = case.split('-', 1)[1]
        target = os.path.join(root, 'etc/unitproof', stack)
        source = os.path.join(HERE, case)
        shutil.copytree(source, target, ignore=lambda d, names: [n for n in names if d == source and n in NOT_INPUT])
        done = subprocess.run([program, root, stack, os.path.join(source, 'facts.ini'), out],
                              capture_output=True, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f'{case}: status {done.returncode}: {done.stderr.decode(errors="replace")}')
    return done.stderr


def show(path, want, got):
    with tempfile.TemporaryDirectory() as d:
        for name, text in (('expected', want), ('compiled', got)):
            with open(os.path.join(d, name), 'wb') as f:
                f.write(text if isinstance(text, bytes) else str(text).encode())
        done = subprocess.run(['diff', '-u', '--label', 'expected/' + path, '--label', path, os.path.join(d, 'expected'),
                               os.path.join(d, 'compiled')], capture_output=True, text=True, check=False)
    print(done.stdout)


def compare(case, errors, out):
    differences = list(wrong_modes(out))
    want, got = tree(os.path.join(HERE, case, 'expected')), tree(out)
    with open(os.path.join(HERE, case, 'expected.err'), 'rb') as f:
        want['expected.err'], got['expected.err'] = f.read(), errors
    if owners(out):
        with open(os.path.join(HERE, case, 'expected.owners'), 'rb') as f:
            want['expected.owners'], got['expected.owners'] = f.read(), owners(out)
            if os.geteuid() != 0:
                want['expected.owners'] = re.sub(rb' [0-9]+:[0-9]+\n', b'\n', want['expected.owners'])
    for path in sorted(set(want) | set(got)):
        if path not in got:
            differences.append(f'{path} is missing')
        elif path not in want:
            differences.append(f'{path} is new')
        elif want[path] != got[path]:
            differences.append(f'{path} differs')
            show(path, want[path], got[path])
    for line in differences:
        print(f'{case}: {line}')
    return not differences


def main():
    program, cases = sys.argv[1], sys.argv[2:]
    cases = cases or sorted(n for n in os.listdir(HERE) if n[:2].isdigit())
    passed = 0
    for case in cases:
        with tempfile.TemporaryDirectory() as out, tempfile.TemporaryDirectory() as again:
            errors = compile_case(program, case, out)
            if os.environ.get('UPDATE') == '1':
                expected = os.path.join(HERE, case, 'expected')
                shutil.rmtree(expected, ignore_errors=True)
                shutil.copytree(out, expected, symlinks=True)
                with open(os.path.join(HERE, case, 'expected.err'), 'wb') as f:
                    f.write(errors)
                if owners(out):
                    with open(os.path.join(HERE, case, 'expected.owners'), 'wb') as f:
                        f.write(owners(out))
            same = compile_case(program, case, again) == errors and tree(again) == tree(out)
            if not same:
                print(f'{case}: two runs differ')
            passed += compare(case, errors, out) and same
    print(f'{passed} passed, {len(cases) - passed} failed')
    sys.exit(0 if passed == len(cases) else 1)


if __name__ == '__main__':
    main()
