/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "generator/base/str.h"
#include "generator/front/doc-internal.h"

typedef struct SyntaxRule {
        const char *problem;     /* libyaml's words */
        const char *text, *hint; /* ours; without a row its own are shown */
        bool at_context;         /* shown where the quote opens, not where reading ended */
} SyntaxRule;

static const SyntaxRule syntax_rules[] = {
        { "mapping values are not allowed in this context", "a key cannot stand here",
          "if it is text, put it in quotes: ': ' starts a mapping; else check the indentation", false },
        { "did not find expected key", "expected a key or the end of the mapping here",
          "check the indentation of this line against the lines above it", false },
        { "did not find expected '-' indicator", "expected '- ' or the end of the list here",
          "check the indentation of this line against the lines above it", false },
        { "could not find expected ':'", "expected ':' after the key",
          "write 'key: value', with a space after the colon", false },
        { "did not find expected ',' or ']'", "expected ',' or ']' here", "close the list with ']'", false },
        { "did not find expected ',' or '}'", "expected ',' or '}' here",
          "close the mapping with '}', or quote the text if it is not one", false },
        { "found unexpected end of stream", "the quoted text that starts here is never closed",
          "close the quotes", true },
        { "found unknown escape character", "no such escape in double quotes",
          "write '\\\\' for a backslash, or use single quotes", false },
        { "block sequence entries are not allowed in this context", "a list cannot start here",
          "put it on the next line, or quote the text", false },
        { "did not find expected node content", "expected a value here",
          "write one, or quote the text if it starts with one of , : ] }", false },
        { "did not find URI escaped octet", "a bad escape in a tag", "quote the text", false },
        { "did not find expected <document start>", "expected the end of the file here",
          "check the indentation of this line; or a quote before it closed too early", false },
};

static void report_bad_start(Doc *doc, Span span, const char *at) {
        if (*at == '\t') {
                diag_error(doc->diag, span, "yaml-syntax", "a tab cannot indent");
                diag_hint(doc->diag, "indent with spaces");
                return;
        }
        diag_error(doc->diag, span, "yaml-syntax", "a value cannot start with '%c'", *at);
        diag_hint(doc->diag, "put it in quotes");
}

/* The byte at a position, "" beyond the end. Lines end as libyaml ends them; other ends were
 * refused before. */
static const char *text_at(const Doc *doc, yaml_mark_t mark) {
        const char *p = source_text(doc->source), *end = doc->source->bytes + doc->source->length;
        uint32_t c = 0;

        for (size_t line = 0; line < mark.line && p < end; p++)
                if (*p == '\n' || (*p == '\r' && p[1] != '\n'))
                        line++;
        for (size_t column = 0; column < mark.column && p < end; column++) {
                size_t n = str_decode_char(p, (size_t) (end - p), &c);

                p += n > 0 ? n : 1;
        }
        return p < end ? p : "";
}

static void report_rule(Doc *doc, const SyntaxRule *rule) {
        const yaml_parser_t *parser = &doc->parser;
        bool at_context = rule->at_context && parser->context;
        yaml_mark_t mark = at_context ? parser->context_mark : parser->problem_mark;

        diag_error(doc->diag, doc_span(doc, mark, mark), "yaml-syntax", "%s", rule->text);
        if (parser->context && parser->context_mark.line < mark.line)
                diag_hint(doc->diag, "%s (%s that starts in line %zu)", rule->hint, parser->context,
                          parser->context_mark.line + 1);
        else
                diag_hint(doc->diag, "%s", rule->hint);
}

void doc_report_syntax(Doc *doc) {
        const yaml_parser_t *parser = &doc->parser;
        const char *problem = parser->problem ? parser->problem : "unreadable";
        const char *at = text_at(doc, parser->problem_mark);
        Span span = doc_span(doc, parser->problem_mark, parser->problem_mark);

        if (parser->error == YAML_MEMORY_ERROR) {
                diag_error(doc->diag, (Span){ .file = doc->file }, "no-memory", "out of memory");
                return;
        }
        if (str_equal(problem, "found character that cannot start any token") && *at) {
                report_bad_start(doc, span, at);
                return;
        }
        for (size_t i = 0; i < ELEMENTS(syntax_rules); i++)
                if (str_equal(syntax_rules[i].problem, problem)) {
                        report_rule(doc, syntax_rules + i);
                        return;
                }
        diag_error(doc->diag, span, "yaml-syntax", "%s%s%s", parser->context ? parser->context : "",
                   parser->context ? ": " : "", problem);
}
