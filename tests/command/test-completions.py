#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
"""Completion as somebody at a shell has it, with names in the way that hold commands: test-completions.py SOURCE-ROOT"""

import os
import pty
import re
import select
import shutil
import subprocess
import sys
import tempfile
import time
import tty
import unittest

SOURCE = None

# "mark" is the file that would be there if one of them was run.
HOSTILE = ("$(touch mark)", "`touch mark`", "a$(touch mark)", "m;touch mark;", "<(touch mark)", "${x:=$(touch mark)}", "a\ntouch mark", "'; touch mark; '")


class Completion(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp(prefix="unitproof-completion.")
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)
        self.stacks, self.cwd = os.path.join(self.dir, "etc"), os.path.join(self.dir, "cwd")
        os.mkdir(self.cwd)
        for name in ("media", "music-2", "unitproof.conf.d", ".hidden", *HOSTILE):
            os.makedirs(os.path.join(self.stacks, name))
        for name in ("unitproof.bash", "_unitproof", "unitproof.fish"):
            with open(os.path.join(SOURCE, "completions", name), encoding="utf-8") as f:
                text = f.read().replace("/etc/unitproof", self.stacks)
            with open(os.path.join(self.dir, name), "w", encoding="utf-8") as f:
                f.write(text)

    def assert_nothing_was_run(self):
        found = [name for where in (self.cwd, self.stacks, self.dir) for name in os.listdir(where) if name == "mark"]
        self.assertEqual(found, [])

    def terminal(self, argv, script):
        """What it shows until the end of the script; on a busy host a shell is gone too early now and then, and the end is missing."""
        env = {"PATH": os.environ["PATH"], "TERM": "dumb", "HOME": self.dir, "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null"}
        pid, fd = pty.fork()
        if pid == 0:
            tty.setraw(0)  # else the terminal takes the keys that are meant for the shell's editor
            os.chdir(self.cwd)
            os.execvpe(argv[0], argv, env)
        out, deadline = b"", time.monotonic() + 30
        try:
            out += os.read(fd, 65536)  # it is ready for keys
            os.write(fd, ("\n".join(script) + "\n").encode())
            # The shell ends when all is read: what a terminal holds when its last user goes may be lost.
            while b"THE-END" not in out and select.select([fd], [], [], max(0, deadline - time.monotonic()))[0]:
                out += os.read(fd, 65536)
            os.write(fd, b"exit\n")
        except OSError:
            pass  # EIO: the shell is gone
        os.close(fd)
        os.waitpid(pid, 0)
        return out

    def shell(self, argv, first, keys):
        """The command is a function that says its arguments, so that a line can be entered, too."""
        script = first + ["unitproof() { printf '<%s>' \"$@\"; echo; }", keys, "echo THE''-END"]
        for _ in range(3):
            out = self.terminal(argv, script)
            if b"THE-END" in out:
                break
        self.assertIn(b"THE-END", out)
        return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", out.decode(errors="replace")).replace("\r", "")

    def bash(self, keys):
        return self.shell(["bash", "--norc", "--noprofile", "-i"],
                          ["bind 'set show-all-if-ambiguous on'; bind 'set enable-bracketed-paste off'", f". '{self.dir}/unitproof.bash'"], keys)

    def test_bash_offers_stacks_and_runs_none(self):
        for command in ("up", "down", "status", "logs", "exec", "prove health", "drill killswitch"):
            out = self.bash(f"unitproof {command} \t\t\x15")
            self.assertRegex(out, r"(?m)^media +music-2 *$", command)
            self.assert_nothing_was_run()
        self.assertIn("<up><media>", self.bash("unitproof up me\t"))
        # No stack can have such a name; what is written of it is not run either.
        for written in ("'$(touch mark)'", "'$(touch mark)", "$(touch", "\\$\\(touch\\ mark\\)", "'`touch mark`'", "a"):
            for rest in (" --\t\t", "\t\t", "/\t\t", " x\t\t"):
                for command in ("up", "check", "--root", ""):
                    self.bash(f"unitproof {command} {written}{rest}\x15")
        self.assert_nothing_was_run()

    def test_bash_writes_names_of_files_so_that_none_is_run(self):
        for name in ("x$(touch mark).yaml", "y`touch mark`.yaml", "z;touch mark"):
            with open(os.path.join(self.cwd, name), "w", encoding="utf-8"):
                pass
            for command in ("check", "config", "import", "--facts"):
                self.assertIn(f"<{command}><{name}>", self.bash(f"unitproof {command} {name[0]}\t"))
        self.assertRegex(self.bash("unitproof check \t\t\x15"), r"(?s)media .*music-2 ")
        self.assert_nothing_was_run()

    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh(self):
        first = ["PS1='> '; unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste", f"fpath=('{self.dir}' $fpath)",
                 f"autoload -Uz compinit; compinit -u -d '{self.dir}/dump'"]
        out = self.shell(["zsh", "-f", "-i"], first, "unitproof up \t\t\x15")
        self.assertRegex(out, r"(?m)^media +music-2 *$")
        self.assertIn("<up><media>", self.shell(["zsh", "-f", "-i"], first, "unitproof up me\t"))
        self.assert_nothing_was_run()

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish(self):
        for words in ("up ", "check m"):
            done = subprocess.run(["fish", "--no-config", "-c", f"source '{self.dir}/unitproof.fish'; complete -C 'unitproof {words}'"],
                                  capture_output=True, text=True, check=True, cwd=self.cwd, env={"PATH": os.environ["PATH"], "HOME": self.dir})
            offered = [line.split("\t")[0] for line in done.stdout.splitlines()]
            self.assertEqual([word for word in offered if word[0] == "m"], ["media", "music-2"], done)
            self.assertFalse([word for word in offered if "touch" in word], done)
        self.assert_nothing_was_run()


if __name__ == "__main__":
    SOURCE = sys.argv.pop()
    unittest.main()
