/* SPDX-License-Identifier: LGPL-2.1-or-later */
#pragma once

/* Opens a path for reading as if root_fd were "/": neither ".." nor a symbolic link leads out of
 * it. Returns a descriptor or a negative errno; -ENOLINK if the path is a link that leads to nothing.
 *
 * The first asks the kernel (openat2(2), RESOLVE_IN_ROOT, since Linux 5.6), the second walks the
 * path itself for kernels and sandboxes that have no openat2. source_read_file() uses the one, then
 * the other. */
int open_in_root(int root_fd, const char *path);
int open_in_root_by_steps(int root_fd, const char *path);
