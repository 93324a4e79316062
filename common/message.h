/* message.h: one-line messages on standard error, and the exit statuses. */
#ifndef MESSAGE_H
#define MESSAGE_H

#ifdef __cplusplus
extern "C" {
#endif

enum exit_status {
    STATUS_OK = 0,
    STATUS_WRONG = 1,   /* a wrong sum, a race, a CUDA error, a full disk */
    STATUS_USAGE = 2,   /* a command line that cannot be obeyed */
    STATUS_NOTHING = 77 /* nothing could run here; 77 is what automake's tests use for "skipped" */
};

/* What main() calls first: keeps the last part of argv[0] for the messages, and sees to it that the
   program ends with STATUS_WRONG, after a line, where it would with STATUS_OK but could not print.
 */
void begin_program(const char *argv0);
const char *program_name(void);

/* Prints "program: message" and a newline on standard error, a ? for each control character in it;
   returns status. */
int complain(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));

#ifdef __cplusplus
}
#endif
#endif
