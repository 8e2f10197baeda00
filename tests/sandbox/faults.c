/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Loaded before libyaml (LD_PRELOAD) by test-generator.py: when the text that a parser is given holds a word, the process does what the
 * word says. So the generator under test is the very program that is installed. */
#include <dlfcn.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

static void eat_memory(void) {
        for (;;) {
                char *p = malloc(16 * 1024 * 1024);

                if (!p) {
                        static const char text[] = "test: out of memory\n";

                        (void) !write(STDERR_FILENO, text, sizeof(text) - 1);
                        _exit(1);
                }
                p[0] = 1;
        }
}

static volatile int forever = 1;

static void act(const char *text) {
        if (strstr(text, "FAULT-SEGV"))
                (void) raise(SIGSEGV);
        if (strstr(text, "FAULT-ABRT"))
                abort();
        if (strstr(text, "FAULT-EXIT"))
                _exit(0);
        if (strstr(text, "FAULT-HANG"))
                for (;;)
                        (void) pause();
        while (strstr(text, "FAULT-LOOP") && forever)
                ;
        if (strstr(text, "FAULT-MEMORY"))
                eat_memory();
}

void yaml_parser_set_input_string(yaml_parser_t *parser, const unsigned char *input, size_t size) {
        void (*next)(yaml_parser_t *, const unsigned char *, size_t);
        char *copy = strndup((const char *) input, size);

        if (copy)
                act(copy);
        free(copy);
        *(void **) &next = dlsym(RTLD_NEXT, "yaml_parser_set_input_string");
        next(parser, input, size);
}
