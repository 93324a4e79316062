/*
 * print_machine.c: prints machine.json, what a folder of results/ was measured on.
 *
 *     machine [--device D] [KEY=VALUE...]
 *
 * Each KEY=VALUE becomes a member too: commit, date, measured bandwidth.
 */
#include "cuda_errors.h"
#include "machine.h"
#include "message.h"
#include "numbers.h"

#include <string.h>

/* A key is a name of letters, digits and underscores. */
static bool is_pair(const char *text)
{
    size_t length = strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return length > 0 && text[length] == '=';
}

int main(int argc, char **argv)
{
    int first = 1;
    uint64_t device = 0;
    begin_program(argv[0]);
    if (argc > 1 && strcmp(argv[1], "--device") == 0) {
        if (argc < 3 || !parse_number(argv[2], 0, 1023, &device))
            return complain(STATUS_USAGE, "--device takes a number, as in --device 0");
        first = 3;
    }
    for (int i = first; i < argc; i++) {
        if (!is_pair(argv[i]))
            return complain(STATUS_USAGE, "\"%s\" is no KEY=VALUE, such as commit=1a2b3c4",
                            argv[i]);
    }

    int status = select_device((int)device);
    if (status >= 0)
        return status;
    struct machine machine;
    read_machine(&machine, (int)device);
    print_machine(stdout, &machine, argc - first, argv + first);
    return STATUS_OK;
}
