/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/journal.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/uio.h>
#include <syslog.h>
#include <systemd/sd-journal.h>

#include "proofs/handles.h"
#include "proofs/message-ids.h"
#include "proofs/say.h"

enum { ENTRY_FIELDS_MAX = 64 };

typedef struct Entry {
        struct iovec fields[ENTRY_FIELDS_MAX];
        size_t n_fields;
} Entry;

static const struct Tone {
        const char *message_id;
        int priority;
        const char *colour;
} tone_leak = { MESSAGE_ID_PROOF_LEAK, LOG_CRIT, "\033[1;31m" }, tones[_VERDICT_MAX] = {
        [VERDICT_PASSED] = { MESSAGE_ID_PROOF_PASSED, LOG_INFO, "\033[32m" },
        [VERDICT_FAILED] = { MESSAGE_ID_PROOF_FAILED, LOG_ERR, "\033[31m" },
        [VERDICT_UNPROVEN] = { MESSAGE_ID_PROOF_UNPROVEN, LOG_WARNING, "\033[33m" },
};

static const struct Tone *record_tone(const Record *record) {
        return record->leak ? &tone_leak : &tones[record->verdict];
}

static void entry_done(Entry *entry) {
        for (size_t i = 0; i < entry->n_fields; i++)
                free(entry->fields[i].iov_base);
}

static void entry_add(Entry *entry, const char *key, const char *value) {
        char *text;

        if (entry->n_fields == ENTRY_FIELDS_MAX || !value || value[0] == '\0')
                return;
        text = text_format("%s=%s", key, value);
        if (text)
                entry->fields[entry->n_fields++] =
                        (struct iovec){ .iov_base = text, .iov_len = strlen(text) };
}

static void entry_add_number(Entry *entry, const char *key, uint64_t value) {
        char text[24];

        (void) snprintf(text, sizeof(text), "%" PRIu64, value);
        entry_add(entry, key, text);
}

static char *record_sentence(const Record *record) {
        return text_format("%s of %s: %s%s: %s%s%s", record->proof, record->subject,
                           verdict_name(record->verdict), record->leak ? " (leak)" : "", record->reason ?: "",
                           record->remedy && record->remedy[0] ? " — " : "", record->remedy ?: "");
}

int journal_send(const Record *record, const json_t *extra) {
        CLEANUP(entry_done) Entry entry = { .n_fields = 0 };
        CLEANUP(handle_free) char *sentence = record_sentence(record), *unit = say_unit();
        const struct Tone *tone = record_tone(record);
        const char *key;
        json_t *value;

        entry_add(&entry, "MESSAGE", sentence);
        entry_add(&entry, "MESSAGE_ID", tone->message_id);
        entry_add_number(&entry, "PRIORITY", (uint64_t) tone->priority);
        entry_add(&entry, "SYSLOG_IDENTIFIER", "unitproof");
        entry_add(&entry, "OBJECT_SYSTEMD_UNIT", unit);
        entry_add(&entry, "UNITPROOF_STACK", record->stack);
        entry_add(&entry, "UNITPROOF_PROOF", record->proof);
        entry_add(&entry, "UNITPROOF_SUBJECT", record->subject);
        entry_add(&entry, "UNITPROOF_VERDICT", verdict_name(record->verdict));
        entry_add(&entry, "UNITPROOF_LEAK", record->leak ? "yes" : "no");
        entry_add(&entry, "UNITPROOF_REASON", record->reason);
        entry_add(&entry, "UNITPROOF_REMEDY", record->remedy);
        entry_add(&entry, "UNITPROOF_ID", record->id);
        entry_add(&entry, "UNITPROOF_ENGINE", record->engine);
        entry_add(&entry, "UNITPROOF_UNIT", record->unit);
        entry_add(&entry, "UNITPROOF_UNIT_INVOCATION_ID", record->invocation_id);
        entry_add_number(&entry, "UNITPROOF_DURATION_MS", record->duration_ms);
        if (record->netns_cookie > 0)
                entry_add_number(&entry, "UNITPROOF_NETNS_COOKIE", record->netns_cookie);
        json_object_foreach((json_t *) extra, key, value) {
                CLEANUP(handle_free) char *name = text_format("UNITPROOF_%s", key);

                if (name)
                        entry_add(&entry, name, json_string_value(value));
        }
        return sd_journal_sendv(entry.fields, (int) entry.n_fields);
}

void journal_print_line(const Record *record) {
        const struct Tone *tone = record_tone(record);
        bool colour = isatty(STDERR_FILENO);

        if (say_is_journal())
                return;
        fprintf(stderr, "unitproof: %s of %s: %s%s%s%s: %s\n", record->proof, record->subject,
                colour ? tone->colour : "", verdict_name(record->verdict), record->leak ? " (leak)" : "",
                colour ? "\033[0m" : "", record->reason ?: "");
        if (record->remedy && record->remedy[0])
                fprintf(stderr, "  %s\n", record->remedy);
}
