/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/proof.h"

/* All kinds. The table is compiled twice: unitproof-probe runs those that need more libraries (libnftables,
 * libmount, and libcurl by curl.c), which takes a while to load, unitproof-prove all others, and hands these
 * over. */
#ifdef UNITPROOF_PROBE
#define PROBED(function) function
#else
#define PROBED(function) NULL
#endif

const ProofKind proof_kinds[_PROOF_KIND_MAX] = {
        [PROOF_ENGINE] = { "engine", "A container really starts, answers and goes away.", proof_engine },
        [PROOF_HEALTH] = { "health", "The service's own health check says that it is healthy.",
                           proof_health },
        [PROOF_EGRESS] = { "egress", "What leaves the tunnel's namespace leaves through the tunnel.",
                           PROBED(proof_egress) },
        [PROOF_KILLSWITCH] = { "killswitch", "With the tunnel down or cut off nothing gets out beside it.",
                               PROBED(proof_killswitch) },
        [PROOF_BINDING] = { "binding", "Every process of the client lives in the tunnel's namespace.",
                            proof_binding },
        [PROOF_DNS] = { "dns", "What the client asks for names it asks through the tunnel.", proof_dns },
        [PROOF_BOUND] = { "bound", "A client's first process is in the tunnel's namespace (OCI hook).",
                          proof_bound },
        [PROOF_HARDLINK] = { "hardlink", "What one service downloads the other can hard-link.",
                             PROBED(proof_hardlink) },
};
