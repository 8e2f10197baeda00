/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Hardlink proof: a file is made as the downloader makes it and hard-linked as the importer links it, each in
 * its own mount and user namespace and with its own IDs, and then both must see one inode with two names. The
 * same done from anywhere else gives false answers in both directions. */

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "proofs/actor.h"
#include "proofs/hardlink.h"
#include "proofs/hardlink-pick.h"
#include "proofs/handles.h"
#include "proofs/proof.h"
#include "proofs/workload.h"

enum { DETAIL_SIZE = 512, PLACE_SIZE = 224 };

typedef struct Hardlink {
        const ProofRequest *request;
        ProofResult *result;
        Workload downloads, imports;
        Process downloader, importer;
        Actor creator, linker;
        ActorReply creator_enter, linker_enter;
        FileFacts source;
        MountFacts source_mount, from_mount;
        char file_name[ACTOR_NAME_SIZE];
        bool same_user_namespace;
        json_t *links;
} Hardlink;

static void hardlink_done(Hardlink *h) {
        /* The link goes before the file, so that the count can be looked at in between. */
        actor_done(&h->linker);
        actor_done(&h->creator);
        process_done(&h->downloader);
        process_done(&h->importer);
        workload_done(&h->downloads);
        workload_done(&h->imports);
        json_decref(h->links);
}

/* detail: what was seen, in words; "" for nothing beyond the error. */
static int conclude_cause(Hardlink *h, HardlinkCause cause, int error, const char *who, const char *what,
                          const char *where, const char *detail) {
        proof_note(h->result, "cause", json_string(hardlink_cause_name(cause)));
        proof_field(h->result, "CAUSE", hardlink_cause_name(cause));
        return proof_conclude(h->result, hardlink_cause_verdict(cause), hardlink_cause_remedy(cause),
                              "%s %s %s: %s%s%s%s%s", who, what, where, hardlink_cause_name(cause),
                              error != 0 ? ", " : "", error != 0 ? strerror(error) : "",
                              detail[0] ? ": " : "", detail);
}

/* Where a directory is, whose it is, and who may not write there. */
static void detail_create(const DirFacts *directory, const MountFacts *mount, uint32_t uid,
                          HardlinkCause cause, char ret[DETAIL_SIZE]) {
        char place[PLACE_SIZE];

        hardlink_mount_text(mount, sizeof(place), place);
        if (cause == HARDLINK_FORBIDDEN || cause == HARDLINK_SOURCE_FORBIDDEN)
                (void) snprintf(ret, DETAIL_SIZE,
                                "it belongs to %" PRIu32 ":%" PRIu32 " with mode %04" PRIo32
                                ", and the service works as %" PRIu32,
                                directory->uid, directory->gid, directory->mode, uid);
        else
                (void) snprintf(ret, DETAIL_SIZE, "%s%s", place[0] ? "it is in " : "", place);
}

static void detail_link(const HardlinkAttempt *a, HardlinkCause cause, char ret[DETAIL_SIZE]) {
        char from[PLACE_SIZE], to[PLACE_SIZE];

        hardlink_mount_text(&a->from_mount, sizeof(from), from);
        hardlink_mount_text(&a->to_mount, sizeof(to), to);
        switch (cause) {
        case HARDLINK_SEPARATE_MOUNTS:
        case HARDLINK_OTHER_FILE_SYSTEM:
        case HARDLINK_SUBVOLUME:
                (void) snprintf(ret, DETAIL_SIZE, "%s%s%s%s", from[0] ? "from " : "", from,
                                to[0] ? " to " : "", to);
                return;
        case HARDLINK_PROJECT:
                (void) snprintf(ret, DETAIL_SIZE, "project %" PRIu32 " and project %" PRIu32 " in %s",
                                a->from.project, a->to.project, to);
                return;
        case HARDLINK_PROTECTED:
                (void) snprintf(ret, DETAIL_SIZE,
                                "the file belongs to %" PRIu32 " with mode %04" PRIo32
                                ", and the importer works as %" PRIu32,
                                a->source.uid, a->source.mode & 07777, a->importer_uid);
                return;
        default:
                detail_create(&a->to, &a->to_mount, a->importer_uid, cause, ret);
        }
}

/* 1: concluded; 0: go on; negative errno. */
static int unit_open(Hardlink *h, const char *unit, Workload *workload, Process *process, const char *role) {
        CLEANUP(handle_json) json_t *note = NULL;
        int r;

        r = workload_read(h->request->engine, unit, workload);
        if (r >= 0)
                r = hardlink_pick(workload, process, &note);
        if (r == -ENOENT || r == -ESRCH) {
                (void) proof_conclude(h->result, VERDICT_UNPROVEN, "Look at the unit's journal.", "%s %s",
                                      unit, r == -ENOENT ? "is not active" : "has no process of the service");
                return 1;
        }
        if (r >= 0)
                proof_note(h->result, role, json_incref(note));
        return r;
}

static json_t *directory_json(const DirFacts *facts, const MountFacts *mount) {
        if (facts->error != 0)
                return json_pack("{s:s}", "error", strerror(facts->error));
        return json_pack("{s:s, s:I, s:I, s:I, s:I, s:b, s:b, s:i, s:i, s:i, s:o, s:o}", "path", facts->path,
                         "device", (json_int_t) facts->device, "inode", (json_int_t) facts->inode, "mount_id",
                         (json_int_t) facts->mount_id, "fs_type", (json_int_t) facts->fs_type, "read_only",
                         (int) facts->read_only, "may_write", (int) facts->may_write, "uid", (int) facts->uid,
                         "gid", (int) facts->gid, "mode", (int) facts->mode, "project",
                         facts->has_project ? json_integer(facts->project) : json_null(), "mount",
                         hardlink_mount_json(mount));
}

static int actor_open(Hardlink *h, const Process *process, const char *directory, const OptionList *targets,
                      const Actor *sibling, Actor *actor, ActorReply *enter) {
        const ActorOrder order = { process, directory, targets, h->file_name };
        int r;

        r = actor_start(&order, sibling, actor);
        if (r >= 0)
                r = actor_call(actor, ACTOR_ENTER, 0, enter);
        if (r >= 0 && enter->error != 0)
                r = -enter->error;
        return r;
}

/* What cannot be found out about a mount is left out of the words. */
static int mount_read(const Process *process, const DirFacts *directory, MountFacts *ret) {
        int r = 0;

        if (directory->error == 0 && directory->mount_id != 0)
                r = hardlink_mount_read(process, directory->mount_id, ret);
        return r == -ENOENT || r == -ESRCH || r == -EINVAL ? 0 : r;
}

static int file_create(Hardlink *h) {
        const DirFacts *from = &h->creator_enter.directory;
        char detail[DETAIL_SIZE];
        ActorReply reply;
        int r;

        r = actor_open(h, &h->downloader, h->request->source, NULL, NULL, &h->creator, &h->creator_enter);
        if (r < 0)
                return r;
        r = mount_read(&h->downloader, from, &h->source_mount);
        if (r < 0)
                return r;
        proof_note(h->result, "source", directory_json(from, &h->source_mount));
        if (from->error != 0) {
                (void) conclude_cause(h, hardlink_judge_create(from, 0), from->error, h->request->source_unit,
                                      "cannot open", h->request->source, "");
                return 1;
        }
        r = actor_call(&h->creator, ACTOR_CREATE, 0, &reply);
        if (r < 0)
                return r;
        if (reply.error != 0) {
                HardlinkCause cause = hardlink_judge_create(from, reply.error);

                detail_create(from, &h->source_mount, h->creator_enter.uid, cause, detail);
                (void) conclude_cause(h, cause, reply.error, h->request->source_unit,
                                      "cannot create a file in", h->request->source, detail);
                return 1;
        }
        h->source = reply.file;
        return 0;
}

/* The root directory of a container is its own: what nobody mounted there is seen by nobody else. */
static void detail_view(const Hardlink *h, HardlinkCause cause, char ret[DETAIL_SIZE]) {
        char source[PLACE_SIZE], from[PLACE_SIZE];

        hardlink_mount_text(&h->source_mount, sizeof(source), source);
        hardlink_mount_text(&h->from_mount, sizeof(from), from);
        ret[0] = '\0';
        if (cause == HARDLINK_NOT_SEEN && source[0] && from[0])
                (void) snprintf(ret, DETAIL_SIZE, "it was made in %s, and looked for in %s", source, from);
        else if (cause == HARDLINK_FORBIDDEN)
                detail_create(&h->linker_enter.directory, &h->from_mount, h->linker_enter.uid, cause, ret);
}

static int file_see(Hardlink *h) {
        char detail[DETAIL_SIZE];
        const DirFacts *from = &h->linker_enter.directory;
        HardlinkCause cause = HARDLINK_NOT_SEEN;
        ActorReply reply = { .error = 0 };
        int r;

        r = actor_open(h, &h->importer, h->request->link_from, &h->request->link_to, &h->creator, &h->linker,
                       &h->linker_enter);
        if (r < 0)
                return r;
        r = mount_read(&h->importer, from, &h->from_mount);
        if (r < 0)
                return r;
        proof_note(h->result, "link_from", directory_json(from, &h->from_mount));
        if (from->error == 0) {
                r = actor_call(&h->linker, ACTOR_LOOK, 0, &reply);
                if (r < 0)
                        return r;
                if (reply.error == 0 && reply.file.inode == h->source.inode &&
                    reply.file.device == h->source.device)
                        return 0;
                if (reply.error != 0 && reply.error != ENOENT)
                        cause = reply.error == EACCES ? HARDLINK_FORBIDDEN : HARDLINK_UNEXPECTED;
        } else if (from->error != EACCES)
                cause = HARDLINK_SOURCE_MISSING;
        else
                cause = HARDLINK_FORBIDDEN;
        detail_view(h, cause, detail);
        (void) conclude_cause(h, cause, from->error ?: reply.error, h->request->unit,
                              "does not see the downloaded file in", h->request->link_from, detail);
        return 1;
}

static bool sysctl_protected_hardlinks(void) {
        CLEANUP(handle_free) char *text = NULL;

        return file_read_at(AT_FDCWD, "/proc/sys/fs/protected_hardlinks", 64, &text, NULL) < 0 ||
               text[0] != '0';
}

static void attempt_note(Hardlink *h, size_t i, const HardlinkAttempt *a, HardlinkCause cause) {
        (void) json_array_append_new(
                h->links,
                json_pack("{s:s, s:o, s:s, s:s, s:I, s:I, s:I}", "directory", h->request->link_to.items[i],
                          "target", directory_json(&a->to, &a->to_mount), "cause", hardlink_cause_name(cause),
                          "error", a->error != 0 ? strerror(a->error) : "", "source_inode",
                          (json_int_t) a->source.inode, "link_inode", (json_int_t) a->linked.inode, "links",
                          (json_int_t) a->after.links));
}

static int link_try(Hardlink *h, size_t i, HardlinkAttempt *ret) {
        HardlinkAttempt a = {
                .from = h->linker_enter.directory,
                .to = h->linker_enter.targets[i],
                .from_mount = h->from_mount,
                .source = h->source,
                .importer_uid = h->linker_enter.uid,
                .same_user_namespace = h->same_user_namespace,
                .protected_hardlinks = sysctl_protected_hardlinks(),
        };
        ActorReply reply;
        int r;

        r = mount_read(&h->importer, &a.to, &a.to_mount);
        if (r < 0)
                return r;
        if (a.to.error == 0) {
                r = actor_call(&h->linker, ACTOR_LINK, i, &reply);
                if (r < 0)
                        return r;
                a.error = reply.error;
                a.linked = reply.file;
        }
        if (a.to.error == 0 && a.error == 0) {
                r = actor_call(&h->creator, ACTOR_LOOK, 0, &reply);
                if (r >= 0) {
                        a.after = reply.file;
                        r = actor_call(&h->linker, ACTOR_UNLINK, i, &reply);
                        if (r >= 0)
                                r = -reply.error;
                }
        }
        if (r < 0)
                return r;
        *ret = a;
        return 0;
}

static int links_try(Hardlink *h) {
        for (size_t i = 0; i < h->request->link_to.n; i++) {
                HardlinkAttempt attempt;
                HardlinkCause cause;
                char detail[DETAIL_SIZE];
                int r;

                r = link_try(h, i, &attempt);
                if (r < 0)
                        return r;
                cause = hardlink_judge(&attempt);
                attempt_note(h, i, &attempt, cause);
                if (cause == HARDLINK_GOOD)
                        continue;
                detail[0] = '\0';
                if (attempt.to.error == 0)
                        detail_link(&attempt, cause, detail);
                (void) conclude_cause(h, cause, attempt.to.error ?: attempt.error, h->request->unit,
                                      attempt.to.error != 0 ? "cannot open" : "cannot link into",
                                      h->request->link_to.items[i], detail);
                return 1;
        }
        return 0;
}

/* What was made must be gone again, or the proof has soiled the library. */
static int files_remove(Hardlink *h) {
        ActorReply reply;
        int r;

        r = actor_call(&h->creator, ACTOR_REMOVE, 0, &reply);
        if (r < 0)
                return r;
        if (reply.error == 0)
                return 0;
        (void) proof_conclude(h->result, VERDICT_UNPROVEN, "Remove it by hand.",
                              "the file %s in %s could not be removed again: %s", h->file_name,
                              h->request->source, strerror(reply.error));
        return 1;
}

static int user_namespaces_compare(Hardlink *h) {
        CLEANUP(handle_close) int a = -1, b = -1;
        int r;

        r = process_namespace(&h->downloader, "user", &a);
        if (r >= 0)
                r = process_namespace(&h->importer, "user", &b);
        if (r >= 0)
                r = namespace_is_same(a, b);
        if (r < 0)
                return r;
        h->same_user_namespace = r == 1;
        return 0;
}

static int hardlink_judge_all(Hardlink *h) {
        static int (*const steps[])(Hardlink *) = {
                user_namespaces_compare, file_create, file_see, links_try, files_remove,
        };
        int r;

        r = unit_open(h, h->request->source_unit, &h->downloads, &h->downloader, "downloader");
        if (r == 0)
                r = unit_open(h, h->request->unit, &h->imports, &h->importer, "importer");
        for (size_t i = 0; i < ARRAY_LENGTH(steps) && r == 0; i++)
                r = steps[i](h);
        proof_note(h->result, "links", json_incref(h->links));
        if (r != 0)
                return r < 0 ? r : 0;
        if (!unit_is_same(&h->downloads.unit) || !unit_is_same(&h->imports.unit))
                return proof_conclude(h->result, VERDICT_UNPROVEN, "Start the importer again.",
                                      "a unit was restarted during the proof");
        return proof_conclude(h->result, VERDICT_PASSED, "",
                              "a file of %s in %s was linked by %s into %zu %s, one inode with two names",
                              h->request->source_unit, h->request->source, h->request->unit,
                              h->request->link_to.n,
                              h->request->link_to.n == 1 ? "directory" : "directories");
}

int proof_hardlink(const ProofRequest *request, ProofResult *result) {
        CLEANUP(hardlink_done)
        Hardlink h = {
                .request = request,
                .result = result,
                .downloads = WORKLOAD_NONE,
                .imports = WORKLOAD_NONE,
                .downloader = PROCESS_NONE,
                .importer = PROCESS_NONE,
                .creator = ACTOR_NONE,
                .linker = ACTOR_NONE,
                .links = json_array(),
        };
        char id[ID128_TEXT_SIZE];
        int r;

        if (!h.links)
                return -ENOMEM;
        r = id128_random(id);
        if (r < 0)
                return r;
        (void) snprintf(h.file_name, sizeof(h.file_name), ACTOR_FILE_PREFIX "%s", id);
        r = hardlink_judge_all(&h);
        memcpy(result->invocation_id, h.imports.unit.invocation_id, sizeof(result->invocation_id));
        return r;
}
