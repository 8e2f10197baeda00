/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* The one program in the root directory of the engine proof. Prints its argument backwards: an answer that
 * can only come from a process that really ran. Static and without a library call that needs files. */

#include <string.h>
#include <unistd.h>

int main(int argc, char **argv) {
        char answer[256];
        size_t length;

        if (argc != 2)
                return 2;
        length = strlen(argv[1]);
        if (length >= sizeof(answer))
                return 2;
        for (size_t i = 0; i < length; i++)
                answer[i] = argv[1][length - 1 - i];
        answer[length++] = '\n';
        return write(STDOUT_FILENO, answer, length) == (ssize_t) length ? 0 : 1;
}
