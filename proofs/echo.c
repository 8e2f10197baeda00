/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* HTTP side of a probe, by libcurl. It goes straight to the address that was resolved on the host: no proxy,
 * no redirect, no second address. */

#include <errno.h>
#include <jansson.h>
#include <string.h>

#include "proofs/curl.h"
#include "proofs/handles.h"
#include "proofs/probe.h"
#include "proofs/util.h"

_Static_assert(sizeof(((EchoProbe *) 0)->error) == CURL_ERROR_SIZE, "buffer of CURLOPT_ERRORBUFFER");

int echo_body_parse(const char *body, size_t length, Address *ret) {
        CLEANUP(handle_json) json_t *object = NULL;
        char text[ADDRESS_TEXT_SIZE];
        const char *ip;

        while (length > 0 && strchr(" \t\r\n", body[length - 1]))
                length--;
        while (length > 0 && strchr(" \t\r\n", body[0])) {
                body++;
                length--;
        }
        if (length == 0 || memchr(body, '\0', length))
                return -EBADMSG;
        if (body[0] == '{') {
                object = json_loadb(body, length, JSON_REJECT_DUPLICATES, /* error= */ NULL);
                ip = json_string_value(json_object_get(object, "ip"));
                return ip && address_parse(ip, ret) >= 0 ? 0 : -EBADMSG;
        }
        if (length >= sizeof(text))
                return -EBADMSG;
        memcpy(text, body, length);
        text[length] = '\0';
        return address_parse(text, ret) >= 0 ? 0 : -EBADMSG;
}

static size_t body_take(char *data, size_t size, size_t n, void *userdata) {
        EchoProbe *probe = userdata;
        size_t length = size * n;

        /* Returning less than was offered ends the transfer. */
        if (length > sizeof(probe->body) - probe->body_length)
                return 0;
        memcpy(probe->body + probe->body_length, data, length);
        probe->body_length += length;
        return length;
}

/* "HOST:PORT:ADDRESS": whatever the URL's host is, this is where it is. */
static int resolve_set(EchoProbe *probe, const Probe *what) {
        CLEANUP(handle_free) char *entry = NULL;
        char address[ADDRESS_TEXT_SIZE];
        bool v6 = what->family == FAMILY_V6;
        Address literal;

        if (address_parse(what->source->host, &literal) >= 0)
                return 0;
        (void) address_text(&what->source->addresses[what->family], address);
        entry = text_format("%s:%u:%s%s%s", what->source->host, what->source->port, v6 ? "[" : "", address,
                            v6 ? "]" : "");
        if (!entry)
                return -ENOMEM;
        probe->resolve = curl->slist_append(NULL, entry);
        return probe->resolve ? 0 : -ENOMEM;
}

static bool options_set(EchoProbe *probe, const Probe *what, uint64_t timeout_usec) {
        CURL *easy = probe->easy;
        long msec = (long) (timeout_usec / USEC_PER_MSEC);
        CURLcode code = CURLE_OK;

#define SET(option, value) (code = code ?: curl->easy_setopt(easy, CURLOPT_##option, value))
        SET(URL, what->source->text);
        SET(RESOLVE, (struct curl_slist *) probe->resolve);
        SET(IPRESOLVE, what->family == FAMILY_V6 ? CURL_IPRESOLVE_V6 : CURL_IPRESOLVE_V4);
        SET(PROXY, "");
        SET(NOPROXY, "*");
        SET(NETRC, (long) CURL_NETRC_IGNORED);
        SET(FOLLOWLOCATION, 0L);
        SET(NOSIGNAL, 1L);
        SET(TIMEOUT_MS, msec);
        SET(CONNECTTIMEOUT_MS, msec);
        SET(FRESH_CONNECT, 1L);
        SET(FORBID_REUSE, 1L);
        SET(HTTP_VERSION, (long) CURL_HTTP_VERSION_1_1);
        SET(USERAGENT, "unitproof/" UNITPROOF_VERSION);
        SET(ERRORBUFFER, probe->error);
        SET(WRITEFUNCTION, body_take);
        SET(WRITEDATA, probe);
        SET(PRIVATE, probe);
#undef SET
        return code == CURLE_OK;
}

int echo_probe_start(EchoProbe *probe, const Probe *what, uint64_t timeout_usec) {
        int r;

        *probe = (EchoProbe){ .easy = curl->easy_init() };
        if (!probe->easy)
                return -ENOMEM;
        r = resolve_set(probe, what);
        if (r < 0)
                return r;
        return options_set(probe, what, timeout_usec) ? 0 : -EINVAL;
}

static void answer_detail(ProbeAnswer *answer, const char *text) {
        CLEANUP(handle_free) char *safe = text_printable(text, PROBE_DETAIL_MAX - 4);

        (void) snprintf(answer->detail, sizeof(answer->detail), "%s", safe ?: "");
}

static void answer_transfer(const EchoProbe *probe, ProbeAnswer *answer) {
        const char *local = NULL;
        long request = 0, header = 0;
        curl_off_t up = 0, down = 0, usec = 0;

        (void) curl->easy_getinfo(probe->easy, CURLINFO_REQUEST_SIZE, &request);
        (void) curl->easy_getinfo(probe->easy, CURLINFO_HEADER_SIZE, &header);
        (void) curl->easy_getinfo(probe->easy, CURLINFO_SIZE_UPLOAD_T, &up);
        (void) curl->easy_getinfo(probe->easy, CURLINFO_SIZE_DOWNLOAD_T, &down);
        (void) curl->easy_getinfo(probe->easy, CURLINFO_TOTAL_TIME_T, &usec);
        if (curl->easy_getinfo(probe->easy, CURLINFO_LOCAL_IP, &local) == CURLE_OK && local)
                (void) address_parse(local, &answer->local);
        answer->sent = (uint64_t) (request + up);
        answer->received = (uint64_t) (header + down);
        answer->milliseconds = (uint32_t) (usec / 1000);
}

/* What kind of failure a CURLcode is. Everything after a connection is "odd": something is there. */
static ProbeState state_from_code(int code, int error) {
        switch (code) {
        case CURLE_COULDNT_CONNECT:
                return error != 0 ? probe_state_from_errno(error) : PROBE_SILENT;
        case CURLE_OPERATION_TIMEDOUT:
        case CURLE_GOT_NOTHING:
        case CURLE_SEND_ERROR:
        case CURLE_RECV_ERROR:
                return PROBE_SILENT;
        default:
                return PROBE_ODD;
        }
}

void echo_probe_finish(EchoProbe *probe, int code, Family family, ProbeAnswer *answer) {
        long status = 0, error = 0;

        *answer = (ProbeAnswer){ .state = PROBE_ODD };
        answer_transfer(probe, answer);
        (void) curl->easy_getinfo(probe->easy, CURLINFO_OS_ERRNO, &error);
        (void) curl->easy_getinfo(probe->easy, CURLINFO_RESPONSE_CODE, &status);
        if (code != CURLE_OK) {
                answer->state = state_from_code(code, (int) error);
                answer->error = code == CURLE_COULDNT_CONNECT ? (int) error : 0;
                answer_detail(answer, probe->error[0] ? probe->error : curl->easy_strerror((CURLcode) code));
                return;
        }
        if (status != 200) {
                (void) snprintf(answer->detail, sizeof(answer->detail), "HTTP status %ld", status);
                return;
        }
        if (echo_body_parse(probe->body, probe->body_length, &answer->seen) < 0) {
                answer_detail(answer, "the answer is no address");
                return;
        }
        if (answer->seen.family != family_to_af(family) || !address_is_routable(&answer->seen)) {
                answer_detail(answer, "the answer is an address that cannot be ours");
                return;
        }
        answer->state = PROBE_ANSWERED;
}

void echo_probe_done(EchoProbe *probe) {
        curl->easy_cleanup(probe->easy);
        curl->slist_free_all(probe->resolve);
        probe->easy = NULL;
        probe->resolve = NULL;
}
