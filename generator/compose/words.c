/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/base/buf.h"
#include "generator/compose/value.h"

/* A command line that was written as one string. Compose knows quotes and backslashes, and nothing
 * else of a shell; what follows an unquoted separator is dropped, which the caller has to say
 * aloud. */
typedef struct Splitter {
        Arena *arena;
        const Node *text;
        Node *words;
        Buf word;
        bool in_word;          /* also true for a word of no characters, as '' gives it */
        char quote;            /* ' or " */
        bool backtick, dollar; /* within `…` or $(…): kept as text */
} Splitter;

static void word_end(Splitter *s) {
        Node *word;

        if (!s->in_word)
                return;
        word = node_new_string(s->arena, s->text->span, buf_text(&s->word));
        word->secret = s->text->secret;
        node_append(s->arena, s->words, word);
        s->word = BUF(s->arena);
        s->in_word = false;
}

static void word_add(Splitter *s, char c) {
        buf_add_char(&s->word, c);
        s->in_word = true;
}

static bool quotes_toggle(Splitter *s, char c) {
        if (s->dollar || (s->quote && s->quote != c))
                return false;
        if (s->quote)
                s->in_word = true;
        s->quote = s->quote ? '\0' : c;
        return true;
}

/* Parentheses stand for $(…), which stays as it is; elsewhere they are mistakes. */
static bool parenthesis_add(Splitter *s, char c) {
        if (s->quote || s->backtick) {
                word_add(s, c);
                return true;
        }
        if (c == ')') {
                s->dollar = !s->dollar;
        } else {
                if (s->dollar || s->word.len == 0 || s->word.data[s->word.len - 1] != '$')
                        return false;
                s->dollar = true;
        }
        word_add(s, c);
        return true;
}

Node *value_split_words(Arena *a, const Node *text, const char **ret_rest) {
        Splitter s = { .arena = a, .text = text, .word = BUF(a) };
        bool escaped = false;

        s.words = node_new(a, NODE_SEQUENCE, text->span);
        *ret_rest = NULL;
        for (const char *p = text->text; *p; p++) {
                bool bare = !s.quote && !s.backtick && !s.dollar;

                if (escaped) {
                        word_add(&s, *p);
                        escaped = false;
                } else if (*p == '\\' && s.quote != '\'') {
                        escaped = true;
                } else if (strchr(" \t\r\n", *p)) {
                        if (bare)
                                word_end(&s);
                        else
                                buf_add_char(&s.word, *p);
                } else if (*p == '(' || *p == ')') {
                        if (!parenthesis_add(&s, *p))
                                return NULL;
                } else if (*p == '"' || *p == '\'') {
                        if (!quotes_toggle(&s, *p))
                                word_add(&s, *p);
                } else if (bare && strchr(";&|<>", *p)) {
                        /* "2>" names a descriptor, it is no word */
                        if (*p == '>' && s.word.len > 0 && s.word.data[0] >= '0' && s.word.data[0] <= '9')
                                s.in_word = false;
                        *ret_rest = p;
                        break;
                } else {
                        if (*p == '`' && !s.quote && !s.dollar)
                                s.backtick = !s.backtick;
                        word_add(&s, *p);
                }
        }
        if (escaped || s.quote || s.backtick || s.dollar)
                return NULL;
        word_end(&s);
        return s.words;
}
