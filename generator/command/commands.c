/* SPDX-License-Identifier: LGPL-2.1-or-later */
#include <string.h>

#include "generator/command/command.h"
#include "generator/facts/handles.h"

/* Those that compile a stack which is given as a file take these as well. */
#define OPTIONS_STACK (OPTION_BIT(OPTION_NAME) | OPTION_BIT(OPTION_PROFILE))

const OptionRow command_options[_OPTION_MAX] = {
        [OPTION_DOT] = { "dot", 0, NULL, "print a graph for Graphviz" },
        [OPTION_DRY_RUN] = { "dry-run", 0, NULL, "only say what would be done" },
        [OPTION_FACTS] = { "facts", 0, "FILE",
                           "compile for the host that this file describes (see 'unitproof facts')" },
        [OPTION_FOLLOW] = { "follow", 'f', NULL, "go on with new entries" },
        [OPTION_HELP] = { "help", 'h', NULL, "show help" },
        [OPTION_JSON] = { "json", 0, NULL, "print one JSON object" },
        [OPTION_LINES] = { "lines", 'n', "N", "show the last N entries" },
        [OPTION_NAME] = { "name", 0, "NAME", "name of the stack (default: name of the file's directory)" },
        [OPTION_NO_COLOR] = { "no-color", 0, NULL, "no colour, as with NO_COLOR set to something" },
        [OPTION_OUTPUT] = { "output", 'o', "DIR", "directory that is written to, or compared with" },
        [OPTION_PROFILE] = { "profile", 0, "PROFILE", "activate a Compose profile; may be given again" },
        [OPTION_PROMETHEUS] = { "prometheus", 0, NULL,
                                "print metrics in the text format of Prometheus, or write them to the "
                                "directory" },
        [OPTION_ROOT] = { "root", 0, "DIR", "look at the host below this directory" },
        [OPTION_VERSION] = { "version", 0, NULL, "print the version" },
        [OPTION_YES] = { "yes", 'y', NULL, "do not ask" },
};

const Command commands[] = {
        { "check", command_check, "[FILE-OR-STACK]...", "report what is wrong with a stack", OPTIONS_STACK, 0,
          -1, false, false },
        { "config", command_config, "FILE-OR-STACK", "print the resolved Compose model as JSON",
          OPTIONS_STACK, 1, 1, false, false },
        { "diff", command_diff, "[FILE-OR-STACK]...", "show what a reload would change",
          OPTIONS_STACK | OPTION_BIT(OPTION_OUTPUT), 0, -1, false, false },
        { "down", command_down, "STACK", "stop a stack", 0, 1, 1, true, false },
        { "drill", command_drill, "killswitch STACK [TUNNEL]", "try the kill switch while clients run",
          OPTION_BIT(OPTION_YES), 2, 3, true, false },
        { "engines", command_engines, "", "show which container engines can be used", 0, 0, 0, true, false },
        { "exec", command_exec, "STACK SERVICE COMMAND...", "run a command in a service's container", 0, 3,
          -1, true, true },
        { "explain", command_explain, "UNIT [FILE-OR-STACK]", "say which line of the input made a unit",
          OPTIONS_STACK, 1, 2, false, false },
        { "facts", command_facts, "", "show what the compiler knows of the host", 0, 0, 0, false, false },
        { "generate", command_generate, "--output DIR [FILE-OR-STACK]...", "write quadlets, units and links",
          OPTIONS_STACK | OPTION_BIT(OPTION_OUTPUT), 0, -1, false, false },
        { "graph", command_graph, "FILE-OR-STACK", "show what waits for what",
          OPTIONS_STACK | OPTION_BIT(OPTION_DOT), 1, 1, false, false },
        { "help", command_help, "[COMMAND]", "show help", 0, 0, 1, false, false },
        { "import", command_import, "FILE-OR-DIRECTORY", "take a stack over into /etc/unitproof",
          OPTIONS_STACK | OPTION_BIT(OPTION_DRY_RUN), 1, 1, false, false },
        { "logs", command_logs, "STACK [SERVICE]", "show the journal of a stack",
          OPTION_BIT(OPTION_FOLLOW) | OPTION_BIT(OPTION_LINES), 1, 2, true, false },
        { "prove", command_prove, "KIND STACK [SUBJECT]", "run one proof now", 0, 2, 3, true, false },
        { "restart", command_restart, "STACK", "restart a stack", 0, 1, 1, true, false },
        { "status", command_status, "[STACK]...", "show services and proofs with their evidence",
          OPTION_BIT(OPTION_OUTPUT) | OPTION_BIT(OPTION_PROMETHEUS), 0, -1, false, false },
        { "up", command_up, "STACK", "start a stack", 0, 1, 1, true, false },
};
const size_t n_commands = ELEMENTS(commands);

const Command *command_find(const char *name) {
        for (size_t i = 0; i < n_commands; i++)
                if (strcmp(commands[i].name, name) == 0)
                        return commands + i;
        return NULL;
}
