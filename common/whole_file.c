#include "whole_file.h"

#include "message.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_stdout(const struct whole_file *file)
{
    return strcmp(file->path, "-") == 0;
}

/* A new file is renamed over an ordinary one, or to a name not yet taken. */
static bool can_replace(const char *path)
{
    struct stat status;
    return lstat(path, &status) != 0 || S_ISREG(status.st_mode);
}

/* An interrupt is not for the moment in which a file has a temporary name. */
static void ignore_interrupts(bool ignored)
{
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    static void (*before[sizeof signals / sizeof signals[0]])(int);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
        if (ignored)
            before[i] = signal(signals[i], SIG_IGN);
        else
            signal(signals[i], before[i]);
    }
}

/* Opens a file of no other name in the folder of the path, with the rights of the file that it will
   replace, and writes its name to name. NULL on failure, with errno. */
static FILE *open_beside(const char *path, char **name)
{
    const char *slash = strrchr(path, '/');
    struct stat old;
    mode_t mask = umask(0);
    umask(mask);
    if (asprintf(name, "%.*s.XXXXXX.tmp", slash != NULL ? (int)(slash - path + 1) : 0, path) < 0)
        abort(); /* out of memory for a few bytes */
    int file = mkstemps(*name, 4);
    if (file < 0)
        return NULL;
    fchmod(file, stat(path, &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask);
    return fdopen(file, "w");
}

/* Returns 0 or the errno that writing to the path would meet. */
static int try_path(const char *path)
{
    char *temporary;
    struct stat status;
    if (stat(path, &status) != 0 && errno != ENOENT)
        return errno; /* a name that is too long, say */
    if (access(path, F_OK) == 0 && S_ISDIR(status.st_mode))
        return EISDIR;
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
        return errno;
    if (!can_replace(path))
        return access(path, F_OK) == 0 ? 0 : errno;
    ignore_interrupts(true);
    FILE *file = open_beside(path, &temporary);
    int error = file == NULL ? errno : 0;
    if (file != NULL) {
        fclose(file);
        remove(temporary);
    }
    ignore_interrupts(false);
    free(temporary);
    return error;
}

static bool find(const char *path, struct stat *status)
{
    return (strcmp(path, "-") == 0 ? fstat(STDOUT_FILENO, status) : stat(path, status)) == 0;
}

bool same_file(const char *a, const char *b)
{
    struct stat of_a, of_b;
    const char *slash_a = strrchr(a, '/'), *slash_b = strrchr(b, '/');
    char folder_a[PATH_MAX + 1], folder_b[PATH_MAX + 1];
    bool there = find(a, &of_a);
    if (there != find(b, &of_b))
        return false;
    if (there) /* /dev/null is no file, and takes both */
        return of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino && !S_ISCHR(of_a.st_mode);
    if (strcmp(slash_a != NULL ? slash_a + 1 : a, slash_b != NULL ? slash_b + 1 : b) != 0)
        return false;
    snprintf(folder_a, sizeof folder_a, "%.*s.", slash_a != NULL ? (int)(slash_a - a + 1) : 0, a);
    snprintf(folder_b, sizeof folder_b, "%.*s.", slash_b != NULL ? (int)(slash_b - b + 1) : 0, b);
    return find(folder_a, &of_a) && find(folder_b, &of_b) && of_a.st_dev == of_b.st_dev &&
           of_a.st_ino == of_b.st_ino;
}

int whole_file_open(struct whole_file *file, const char *what, const char *path)
{
    *file = (struct whole_file){.what = what, .path = path};
    if (path == NULL)
        return STATUS_OK;
    int error = path[0] == '\0' ? ENOENT : is_stdout(file) ? 0 : try_path(path);
    if (error != 0)
        return complain(STATUS_USAGE,
                        "cannot write %s \"%s\" (%s): name a file in a folder that you can write "
                        "to, or - for standard output",
                        what, path, strerror(error));
    file->lines = open_memstream(&file->text, &file->size);
    if (file->lines == NULL)
        abort();
    return STATUS_OK;
}

static bool write_all(FILE *out, const struct whole_file *file)
{
    bool written = fwrite(file->text, 1, file->size, out) == file->size;
    return fflush(out) == 0 && written;
}

/* Returns whether the path now holds the new lines; errno says why not. */
static bool replace(const struct whole_file *file)
{
    char *temporary;
    ignore_interrupts(true);
    FILE *out = open_beside(file->path, &temporary);
    bool done = out != NULL && write_all(out, file);
    if (out != NULL)
        done = fclose(out) == 0 && done;
    done = done && rename(temporary, file->path) == 0;
    int error = errno;
    if (!done)
        remove(temporary);
    ignore_interrupts(false);
    free(temporary);
    errno = error;
    return done;
}

static bool write_directly(const struct whole_file *file)
{
    FILE *out = is_stdout(file) ? stdout : fopen(file->path, "w");
    bool done = out != NULL && write_all(out, file);
    int error = errno;
    if (!done && out == stdout) { /* reported here, and not again at the end */
        __fpurge(stdout);
        clearerr(stdout);
        errno = error;
    }
    if (out != NULL && out != stdout)
        done = fclose(out) == 0 && done;
    return done;
}

int whole_file_close(struct whole_file *file)
{
    if (file->path == NULL)
        return STATUS_OK;
    fclose(file->lines);
    bool done = is_stdout(file) || !can_replace(file->path) ? write_directly(file) : replace(file);
    int status = done ? STATUS_OK
                      : complain(STATUS_WRONG, "cannot write %s \"%s\" (%s)", file->what,
                                 file->path, strerror(errno));
    free(file->text);
    return status;
}
