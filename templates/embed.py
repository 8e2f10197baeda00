#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Turns templates with @TOKENS@ into C: embed.py TOKENS.H OUT.C OUT.H TEMPLATE...

A token that is not in the list, or a block token that does not stand alone on its line, ends the build with file:line:column."""

import os
import re
import sys

TOKEN = re.compile(r'@([A-Z][A-Z0-9_]*)@')


def read_tokens(path):
    with open(path, encoding='utf-8') as f:
        rows = re.findall(r'X\((\w+), (\w+)\)', f.read())
    return {name: cls == 'TOKEN_BLOCK' for name, cls in rows}


def fail(path, text, offset, message):
    line = text.count('\n', 0, offset) + 1
    column = offset - (text.rfind('\n', 0, offset) + 1) + 1
    sys.exit(f'{path}:{line}:{column}: error: {message}')


def c_string(text):
    out = text.replace('\\', '\\\\').replace('"', '\\"').replace('?', '\\?')
    lines = out.split('\n')
    parts = [line + '\\n' for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
    return ' '.join(f'"{part}"' for part in parts)


def pieces(path, text, tokens):
    result, at = [], 0
    for match in TOKEN.finditer(text):
        name = match.group(1)
        if name not in tokens:
            fail(path, text, match.start(), f'unknown token @{name}@')
        if match.start() > at:
            result.append(('text', text[at:match.start()]))
        at = match.end()
        if tokens[name]:
            alone = (match.start() == 0 or text[match.start() - 1] == '\n') and text[at:at + 1] == '\n'
            if not alone:
                fail(path, text, match.start(), f'@{name}@ is a block and has to stand alone on its line')
            at += 1
        result.append(('token', name))
    stray = text.find('@', 0)
    while stray >= 0:
        if not any(m.start() <= stray < m.end() for m in TOKEN.finditer(text)) and not text.startswith('@.', stray):
            fail(path, text, stray, 'an "@" that opens no token')
        stray = text.find('@', stray + 1)
    if at < len(text):
        result.append(('text', text[at:]))
    return result


def main():
    tokens_path, out_c, out_h, *templates = sys.argv[1:]
    tokens = read_tokens(tokens_path)
    head = '/* SPDX-License-Identifier: LGPL-2.1-or-later */\n/* Made by templates/embed.py. */\n'
    c = [head, '#include "templates/templates.h"\n\n#include "generator/write/tokens.h"\n']
    h = [head, '#pragma once\n\n#include "generator/write/template.h"\n\n']
    for path in sorted(templates, key=os.path.basename):
        with open(path, encoding='utf-8') as f:
            text = f.read()
        name = os.path.basename(path)[:-len('.in')]
        symbol = 'template_' + re.sub(r'[^a-z0-9]', '_', name)
        h.append(f'extern const Template {symbol};\n')
        c.append(f'\nstatic const TemplatePiece {symbol}_pieces[] = {{\n')
        for kind, value in pieces(path, text, tokens):
            c.append(f'        {{ .text = {c_string(value)} }},\n' if kind == 'text' else
                     f'        {{ .token = TOKEN_{value} }},\n')
        c.append('};\n\n')
        c.append(f'const Template {symbol} = {{\n        .name = "{name}",\n        .pieces = {symbol}_pieces,\n'
                 f'        .n_pieces = sizeof({symbol}_pieces) / sizeof({symbol}_pieces[0]),\n}};\n')
    for path, lines in ((out_c, c), (out_h, h)):
        with open(path, 'w', encoding='utf-8') as f:
            f.write(''.join(lines))


if __name__ == '__main__':
    main()
