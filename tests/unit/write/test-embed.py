#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""templates/embed.py refuses what it does not know, with file:line:column: test-embed.py EMBED.PY."""

import os
import subprocess
import sys
import tempfile

TOKENS = '#define TOKENS(X) \\\n        X(NAME, ESCAPE_TEXT) \\\n        X(LINES, TOKEN_BLOCK)\n'
CASES = (
    ('a\nDescription=@NAME@\n@LINES@\nend\n', None),
    ('a\n  b=@NAEM@\n', '2:5: error: unknown token @NAEM@'),
    ('a\nb=@LINES@\n', '2:3: error: @LINES@ is a block'),
    ('a @ b\n', '1:3: error: an "@" that opens no token'),
)


def run(embed, top, text):
    paths = {name: os.path.join(top, name) for name in ('tokens.h', 'x.service.in', 'out.c', 'out.h')}
    for name, content in (('tokens.h', TOKENS), ('x.service.in', text)):
        with open(paths[name], 'w', encoding='utf-8') as f:
            f.write(content)
    return subprocess.run([sys.executable, embed, paths['tokens.h'], paths['out.c'], paths['out.h'], paths['x.service.in']],
                          capture_output=True, text=True, check=False), paths


def main():
    failed = 0
    for text, error in CASES:
        with tempfile.TemporaryDirectory() as top:
            done, paths = run(sys.argv[1], top, text)
            if error:
                good = done.returncode != 0 and f'{paths["x.service.in"]}:{error}' in done.stderr
            else:
                with open(paths['out.c'], encoding='utf-8') as f:
                    out = f.read()
                good = done.returncode == 0 and '.token = TOKEN_NAME' in out and '"end\\n"' in out
            if not good:
                failed += 1
                print(f'{text!r}: status {done.returncode}, {done.stderr!r}')
    print(f'{len(CASES) - failed} passed, {failed} failed')
    sys.exit(1 if failed else 0)


if __name__ == '__main__':
    main()
