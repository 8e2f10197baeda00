/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "generator/command/command.h"
#include "generator/plan/plan.h"

/* Where the units of the running host are. */
#define LOADED_DIR "/run/systemd/generator"

/* A stack, compiled. The parts after `plan` are valid only if plan is not NULL. */
typedef struct Compiled {
        const char *stack; /* name */
        const char *dir;   /* absolute, below `root` */
        const char *file;  /* or NULL: what stands in dir */
        const char *root;  /* where its files are read: Session.root for a stack of the host, "" for a file */
        const SourceFile
                *stream; /* the file, if it came from an open descriptor; dir is the working directory */
        Sources sources;
        Diag diag;
        Plan *plan;
        Stack *model;
        Node *node; /* resolved Compose model; may be there although plan is NULL */
} Compiled;

/* The host that is compiled for: --facts, or the host below root; of the running host with its Podman's
 * version. 0 or an exit status after saying why. */
int session_facts(Session *s, Facts *ret);

/* STATUS_BAD_INPUT if unitproof.conf has mistakes, which is said once, whoever asks first. It is a verdict
 * for commands that judge: the stacks compile with what else it says. */
int session_config_status(Session *s);

/* The directories of the host's CONFIG_DIR. Whoever walks all stacks compiles `names` and says what `strays`
 * are, so that one directory that cannot be a stack hides no other. */
typedef struct StackList {
        const char **names; /* can be a stack */
        size_t n;
        const char **strays; /* cannot: config_stack_name_problem() */
        size_t n_strays;
} StackList;

/* 0 or an exit status after saying why. */
int session_stacks(Session *s, StackList *ret);

/* Says of each stray why it is none, as the boot generator does. STATUS_BAD_INPUT if there is one. */
int session_say_strays(Session *s, const StackList *list);

/* What the operator calls by `what`: a path (it holds "/", ends in .yaml or .yml, or is a directory), "-" for
 * standard input, or the name of a stack of the host. 0 or an exit status after saying why. */
int session_find(Session *s, const char *what, Compiled *ret);

/* For commands whose result goes on to name the file. 0 or an exit status after saying why. */
int session_need_place(Session *s, const char *what);

/* Whether there is such a stack: in /etc, or as the host has loaded it. 0 or an exit status after saying why.
 */
int session_find_loaded(Session *s, const char *stack);

/* session_find() and the compile for units that will live in output_dir. Diagnostics are not printed: the
 * caller may want to add some. Returns STATUS_GOOD, or STATUS_BAD_INPUT with ret->plan NULL. */
int session_compile(Session *s, const char *what, const char *output_dir, Compiled *ret);

/* Prints them, and once what the host is too old for. */
void session_report(Session *s, Compiled *c);

/* Both in one. */
int session_compile_report(Session *s, const char *what, const char *output_dir, Compiled *ret);

/* The same for commands that answer another question than "what is wrong": warnings are not repeated, errors
 * are printed. */
int session_compile_quietly(Session *s, const char *what, Compiled *ret);
