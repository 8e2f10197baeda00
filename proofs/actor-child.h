/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

#include "proofs/actor.h"

typedef struct ActorMessage {
        ActorOp op;
        size_t index;
} ActorMessage;

/* The child's whole life; fd is its end of the conversation. */
_Noreturn void actor_child(const ActorOrder *order, int fd);
