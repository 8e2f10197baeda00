/* SPDX-License-Identifier: LGPL-2.1-or-later */

/* Processes that are odd in one way, for worlds. Static, since it runs in the lab's guest.
 *
 *     odd socket FAMILY TYPE NAMESPACE COMMAND...   a socket of here, taken along into another namespace
 *
 *     odd crowd N                                   N processes
 *
 *     odd churn                                     processes that end and begin all the time
 *
 *     odd resolver NAMESPACE ADDRESS PORT           a name server; its socket is of the namespace
 *
 *     odd helper PATH [orphan]                      listens there, as name services of a host do
 *
 *     odd vsock                                     a socket to the hypervisor
 *
 *     odd strike USEC all|main COMMAND...           runs it, and kills it then, with its children or alone
 *
 *     odd advert INTERFACE PREFIX64                 router advertisements: "I am your default router" */

#define _GNU_SOURCE

#include <arpa/inet.h>
#include <err.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <net/if.h>
#include <netinet/icmp6.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* What Podman takes from a container: whatever is executed from here on has none of it, nor has this program.
 */
static void powers_drop(void) {
        static const int powers[] = { CAP_SYS_ADMIN,  CAP_NET_ADMIN, CAP_NET_RAW,   CAP_SYS_PTRACE,
                                      CAP_SYS_MODULE, CAP_BPF,       CAP_SYS_RAWIO, CAP_DAC_READ_SEARCH };
        struct __user_cap_header_struct header = { .version = _LINUX_CAPABILITY_VERSION_3 };
        struct __user_cap_data_struct none[2] = { { 0 } };

        for (size_t i = 0; i < sizeof(powers) / sizeof(powers[0]); i++)
                if (prctl(PR_CAPBSET_DROP, powers[i], 0, 0, 0) < 0)
                        err(1, "prctl");
        if (syscall(SYS_capset, &header, none) < 0)
                err(1, "capset");
}

static _Noreturn void odd_vsock(void) {
        powers_drop();
        if (socket(AF_VSOCK, SOCK_STREAM, 0) < 0)
                err(1, "AF_VSOCK");
        for (;;)
                (void) pause();
}

static _Noreturn void odd_socket(char **argv) {
        int fd = socket(atoi(argv[0]), atoi(argv[1]), 0);
        int namespace = open(argv[2], O_RDONLY | O_CLOEXEC);

        if (fd < 0 || namespace < 0 || setns(namespace, CLONE_NEWNET) < 0)
                err(1, "socket");
        powers_drop();
        execvp(argv[3], argv + 3);
        err(1, "%s", argv[3]);
}

static _Noreturn void odd_crowd(char **argv) {
        powers_drop();
        for (int i = 1; i < atoi(argv[0]); i++)
                if (fork() == 0)
                        break;
        for (;;)
                (void) pause();
}

static _Noreturn void odd_churn(void) {
        powers_drop();
        for (;;) {
                pid_t pid = fork();

                if (pid == 0) {
                        (void) usleep(3000);
                        _exit(0);
                }
                (void) usleep(1000);
                while (waitpid(-1, NULL, WNOHANG) > 0)
                        ;
        }
}

/* RFC 4861 4.2: high preference (RFC 4191), and a prefix to make an address of. */
static _Noreturn void odd_advert(char **argv) {
        struct {
                struct nd_router_advert head;
                struct nd_opt_prefix_info prefix;
        } advert = {
                .head = { .nd_ra_type = ND_ROUTER_ADVERT,
                          .nd_ra_curhoplimit = 64,
                          .nd_ra_flags_reserved = 0x08,
                          .nd_ra_router_lifetime = htons(1800) },
                .prefix = { .nd_opt_pi_type = ND_OPT_PREFIX_INFORMATION,
                            .nd_opt_pi_len = 4,
                            .nd_opt_pi_prefix_len = 64,
                            .nd_opt_pi_flags_reserved = ND_OPT_PI_FLAG_ONLINK | ND_OPT_PI_FLAG_AUTO,
                            .nd_opt_pi_valid_time = htonl(86400),
                            .nd_opt_pi_preferred_time = htonl(14400) },
        };
        struct sockaddr_in6 to = { .sin6_family = AF_INET6, .sin6_scope_id = if_nametoindex(argv[0]) };
        int fd = socket(AF_INET6, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMPV6), hops = 255;

        if (fd < 0 || inet_pton(AF_INET6, argv[1], &advert.prefix.nd_opt_pi_prefix) != 1 ||
            inet_pton(AF_INET6, "ff02::1", &to.sin6_addr) != 1 ||
            setsockopt(fd, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, &hops, sizeof(hops)) < 0)
                err(1, "advert");
        for (;;) {
                (void) sendto(fd, &advert, sizeof(advert), 0, (struct sockaddr *) &to, sizeof(to));
                (void) usleep(50000);
        }
}

static _Noreturn void odd_resolver(char **argv) {
        int here = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC),
            there = open(argv[0], O_RDONLY | O_CLOEXEC);
        struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons((uint16_t) atoi(argv[2])) };
        int fd;

        if (here < 0 || there < 0 || setns(there, CLONE_NEWNET) < 0)
                err(1, "%s", argv[0]);
        fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || inet_pton(AF_INET, argv[1], &at.sin_addr) != 1 ||
            bind(fd, (struct sockaddr *) &at, sizeof(at)) < 0 || setns(here, CLONE_NEWNET) < 0)
                err(1, "%s", argv[1]);
        for (;;) {
                struct sockaddr_in from;
                socklen_t size = sizeof(from);
                unsigned char query[512];
                ssize_t n = recvfrom(fd, query, sizeof(query), 0, (struct sockaddr *) &from, &size);

                if (n < 12)
                        continue;
                query[2] = 0x81; /* an answer: no such name */
                query[3] = 0x83;
                (void) sendto(fd, query, (size_t) n, 0, (struct sockaddr *) &from, size);
        }
}

static _Noreturn void odd_strike(char **argv) {
        pid_t pid = fork();
        int status;

        if (pid == 0) {
                (void) setpgid(0, 0);
                execv(argv[2], argv + 2);
                err(1, "%s", argv[2]);
        }
        (void) setpgid(pid, pid);
        (void) usleep((useconds_t) atoi(argv[0]));
        (void) kill(strcmp(argv[1], "all") == 0 ? -pid : pid, SIGKILL);
        if (waitpid(pid, &status, 0) < 0)
                err(1, "waitpid");
        exit(WIFSIGNALED(status) ? 9 : 0);
}

static _Noreturn void odd_helper(char **argv) {
        struct sockaddr_un at = { .sun_family = AF_UNIX };
        int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
        char directory[sizeof(at.sun_path)], *slash;

        (void) snprintf(directory, sizeof(directory), "%s", argv[0]);
        (void) snprintf(at.sun_path, sizeof(at.sun_path), "%s", argv[0]);
        slash = strrchr(directory, '/');
        if (slash)
                *slash = '\0';
        (void) mkdir(directory, 0755);
        (void) unlink(argv[0]);
        if (fd < 0 || bind(fd, (struct sockaddr *) &at, sizeof(at)) < 0 || chmod(argv[0], 0666) < 0 ||
            listen(fd, 16) < 0)
                err(1, "%s", argv[0]);
        /* Whoever has called listen() is the peer; an orphan goes on for one that has ended. */
        if (argv[1]) {
                if (fork() != 0)
                        _exit(0);
                (void) alarm(60);
        }
        for (;;)
                (void) pause();
}

int main(int argc, char **argv) {
        if (argc >= 6 && strcmp(argv[1], "socket") == 0)
                odd_socket(argv + 2);
        if (argc == 2 && strcmp(argv[1], "vsock") == 0)
                odd_vsock();
        if (argc == 3 && strcmp(argv[1], "crowd") == 0)
                odd_crowd(argv + 2);
        if (argc == 2 && strcmp(argv[1], "churn") == 0)
                odd_churn();
        if (argc == 4 && strcmp(argv[1], "advert") == 0)
                odd_advert(argv + 2);
        if (argc == 5 && strcmp(argv[1], "resolver") == 0)
                odd_resolver(argv + 2);
        if ((argc == 3 || argc == 4) && strcmp(argv[1], "helper") == 0)
                odd_helper(argv + 2);
        if (argc >= 5 && strcmp(argv[1], "strike") == 0)
                odd_strike(argv + 2);
        errx(2, "usage: odd WORD ARGUMENT..., as said at the top of odd.c");
}
