/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* MESSAGE_ID= of journal entries: of proofs, one for each verdict, and of what follows from them.
 * unitproof.catalog explains them to `journalctl -x`; tests/tree holds the two together. Never reuse an ID for
 * another meaning. */

#define MESSAGE_ID_PROOF_PASSED "c274307b8572467f9e1a593e1360d506"
#define MESSAGE_ID_PROOF_FAILED "89f9cba4beb04cca80699d2bd775e0b1"
#define MESSAGE_ID_PROOF_UNPROVEN "bf78073f08664173bb4981a72f5cc8c7"
#define MESSAGE_ID_PROOF_LEAK "4fe180c592a64e99a1b9c57eb6b177f2"

#define MESSAGE_ID_SERVICE_HELD "29efbca41def461e912b81c92fa6a1b0"
#define MESSAGE_ID_STACK_HALTED "44b6ee2a496a40459dd3f23c2bd549ac"
#define MESSAGE_ID_SERVICE_RESTARTED "81c105620eb341f8b056f8318d77cd4c"
#define MESSAGE_ID_INPUT_CHANGED "40ffc1772a4d42958ff19c12acf8f529"
