/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include "proofs/nft.h"

#include <errno.h>
#include <nftables/libnftables.h>
#include <stdlib.h>
#include <string.h>

#include "proofs/handles.h"
#include "proofs/util.h"

enum { NFT_ERROR_MAX = 400 };

static void handle_nft(struct nft_ctx **nft) {
        if (*nft)
                nft_ctx_free(*nft);
}

static int nft_open(struct nft_ctx **ret) {
        struct nft_ctx *nft = nft_ctx_new(NFT_CTX_DEFAULT);

        if (!nft)
                return -ENOMEM;
        if (nft_ctx_buffer_output(nft) != 0 || nft_ctx_buffer_error(nft) != 0) {
                nft_ctx_free(nft);
                return -ENOMEM;
        }
        nft_ctx_output_set_flags(nft, NFT_CTX_OUTPUT_NUMERIC_ALL | NFT_CTX_OUTPUT_STATELESS);
        *ret = nft;
        return 0;
}

int nft_run(const char *batch, char **ret_error) {
        CLEANUP(handle_nft) struct nft_ctx *nft = NULL;
        int r;

        r = nft_open(&nft);
        if (r < 0)
                return r;
        if (nft_run_cmd_from_buffer(nft, batch) == 0)
                return 0;
        if (ret_error)
                *ret_error = text_printable(nft_ctx_get_error_buffer(nft), NFT_ERROR_MAX);
        return -EPROTO;
}

int nft_list(const char *command, char **ret_text) {
        CLEANUP(handle_nft) struct nft_ctx *nft = NULL;
        char *text;
        int r;

        r = nft_open(&nft);
        if (r < 0)
                return r;
        if (nft_run_cmd_from_buffer(nft, command) != 0)
                return strstr(nft_ctx_get_error_buffer(nft), "No such file or directory") ? -ENOENT : -EPROTO;
        text = strdup(nft_ctx_get_output_buffer(nft));
        if (!text)
                return -ENOMEM;
        *ret_text = text;
        return 0;
}
