/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* MESSAGE_ID= of the journal entries of proofs, one for each verdict. unitproof.catalog explains them to
 * `journalctl -x`; a test holds the two together. Never reuse an ID for another meaning. */

#define MESSAGE_ID_PROOF_PASSED "c274307b8572467f9e1a593e1360d506"
#define MESSAGE_ID_PROOF_FAILED "89f9cba4beb04cca80699d2bd775e0b1"
#define MESSAGE_ID_PROOF_UNPROVEN "bf78073f08664173bb4981a72f5cc8c7"
#define MESSAGE_ID_PROOF_LEAK "4fe180c592a64e99a1b9c57eb6b177f2"
