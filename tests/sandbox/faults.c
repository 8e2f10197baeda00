/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Linked into a generator for test-generator.py, in the place of libyaml's function (ld --wrap): when the
 * text that a parser is given holds a word, the process does what the word says. All else is the generator
 * that is installed. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <yaml.h>

void __real_yaml_parser_set_input_string(yaml_parser_t *parser, const unsigned char *input, size_t size);
void __wrap_yaml_parser_set_input_string(yaml_parser_t *parser, const unsigned char *input, size_t size);

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

void __wrap_yaml_parser_set_input_string(yaml_parser_t *parser, const unsigned char *input, size_t size) {
        char *copy = strndup((const char *) input, size);

        if (copy)
                act(copy);
        free(copy);
        __real_yaml_parser_set_input_string(parser, input, size);
}
