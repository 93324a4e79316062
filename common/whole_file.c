#include "whole_file.h"

#include "message.h"

#include <errno.h>
#include <stdbool.h>
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

/* Opens FILE.tmp-PID, and writes its name to name. NULL on failure, with errno. */
static FILE *open_beside(const char *path, char **name)
{
    if (asprintf(name, "%s.tmp-%ld", path, (long)getpid()) < 0)
        abort(); /* out of memory for a few bytes */
    return fopen(*name, "w");
}

/* Returns 0 or the errno that writing to the path would meet. */
static int try_path(const char *path)
{
    char *temporary;
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return EISDIR;
    if (access(path, F_OK) == 0 && access(path, W_OK) != 0)
        return errno;
    if (!can_replace(path))
        return access(path, F_OK) == 0 ? 0 : errno;
    FILE *file = open_beside(path, &temporary);
    int error = file == NULL ? errno : 0;
    if (file != NULL) {
        fclose(file);
        remove(temporary);
    }
    free(temporary);
    return error;
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
    FILE *out = open_beside(file->path, &temporary);
    bool done = out != NULL && write_all(out, file);
    if (out != NULL)
        done = fclose(out) == 0 && done;
    done = done && rename(temporary, file->path) == 0;
    int error = errno;
    if (!done)
        remove(temporary);
    errno = error;
    free(temporary);
    return done;
}

static bool write_directly(const struct whole_file *file)
{
    FILE *out = is_stdout(file) ? stdout : fopen(file->path, "w");
    bool done = out != NULL && write_all(out, file);
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
