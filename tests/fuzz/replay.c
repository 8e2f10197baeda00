/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Runs a fuzz target over every file of a directory: what was found once stays found, also without libFuzzer.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(int dir_fd, const char *name) {
        struct stat st;
        uint8_t *data;
        ssize_t n;
        int fd = openat(dir_fd, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

        if (fd < 0)
                return -errno;
        if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode)) {
                close(fd);
                return -EINVAL;
        }
        data = malloc((size_t) st.st_size + 1);
        n = data ? read(fd, data, (size_t) st.st_size) : -1;
        close(fd);
        if (n == st.st_size)
                (void) LLVMFuzzerTestOneInput(data, (size_t) n);
        free(data);
        return n == st.st_size ? 0 : -EIO;
}

int main(int argc, char **argv) {
        struct dirent **entries;
        int n, dir_fd, n_run = 0, n_failed = 0;

        if (argc != 2) {
                fprintf(stderr, "usage: %s CORPUS_DIRECTORY\n", argv[0]);
                return 2;
        }
        dir_fd = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        n = dir_fd < 0 ? -1 : scandir(argv[1], &entries, NULL, alphasort);
        if (n < 0) {
                perror(argv[1]);
                return 1;
        }
        for (int i = 0; i < n; i++) {
                if (entries[i]->d_name[0] != '.') {
                        n_run++;
                        if (replay_file(dir_fd, entries[i]->d_name) < 0) {
                                fprintf(stderr, "cannot read %s\n", entries[i]->d_name);
                                n_failed++;
                        }
                }
                free(entries[i]);
        }
        free(entries);
        close(dir_fd);
        printf("%d passed, %d failed\n", n_run - n_failed, n_failed);
        return n_run == 0 || n_failed > 0;
}
