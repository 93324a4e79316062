/* message.c: see message.h. */
#include "message.h"

#include "simt.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *name = "step";

/* At the end: what could not be printed makes a failure of a run that went well. */
static void check_output(int status, void *unused)
{
    (void)unused;
    errno = 0;
    if (fflush(stdout) != 0 || ferror(stdout))
        fprintf(stderr, "%s: cannot write to standard output%s%s\n", name, errno != 0 ? ": " : "",
                errno != 0 ? strerror(errno) : "");
    else if (!ferror(stderr))
        return;
    if (status == STATUS_OK)
        _exit(STATUS_WRONG);
}

void begin_program(const char *argv0)
{
    static bool begun;
    if (argv0 != NULL && argv0[0] != '\0') {
        const char *slash = strrchr(argv0, '/');
        name = slash != NULL ? slash + 1 : argv0;
    }
    if (begun)
        return;
    begun = true;
    /* A stream that is closed must not become the number of a file that is opened later. */
    for (int stream = 0; stream <= 2; stream++) {
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", stream == 0 ? O_WRONLY : O_RDONLY) < 0)
            abort();
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that may grow no further is an error of write() */
    on_exit(check_output, NULL);
}

const char *program_name(void)
{
    return name;
}

/* Parts of the commonest lines, and what they mean; the first that fits counts. */
static const char *in_chinese(const char *line)
{
    static const char *const rows[][2] = {
        /* clang-format off */
        {"is not a size", "这里要写一个数：1000、64K、16M、1G 或 '1<<20'"},
        {"is too large: it must be", "这个数太大：必须小于 1<<60，而且内存放得下"},
        {"it takes a whole number from", "这里要写一个整数，不能超出所说的范围"},
        {"no variant \"", "本课没有这个变体；there are 后面是有的"},
        {"no pattern \"", "没有这种数据；there are 后面是有的"},
        {"needs a value", "这个选项后面要写一个值：--help 说明写什么"},
        {"no option ", "没有这个选项：--help 列出所有选项"},
        {"belongs to no option", "前面没有选项要这个值：--help 列出所有选项"},
        {" takes blocks of ", "这个变体不接受这样的线程块大小；takes 后面是它接受的"},
        {" takes an n ", "这个变体不接受这个元素个数；takes 后面是它接受的"},
        {" takes rows of ", "这个变体不接受这样的行长；takes 后面是它接受的"},
        {"a grid has at most", "线程块太多，网格放不下：把 -b 写大些，或者把 -n 写小些"},
        {"are free: take -n", "内存不够：-n 要按最后所说的写小些"},
        {"no memory for", "内存不够：把 -n 写小些"},
        {"on the simulator: make BACKEND=sim", "这个选项只能用在模拟器上：先用 make BACKEND=sim 重新编译"},
        {"runs it on the simulator", "这里没有 GPU 或驱动：用 make BACKEND=sim 编译，就在模拟器上运行"},
        {"has no demonstration", "本课没有演示"},
        {"nothing in this lesson", "本课没有变体能用这个选项"},
        {"cannot write ", "不能写这个文件：换一个能写的文件夹，或者写 -，即标准输出"},
        /* clang-format on */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strstr(line, rows[i][0]) != NULL)
            return rows[i][1];
    return NULL;
}

int complain(int status, const char *format, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        abort(); /* out of memory for a line */
    va_end(arguments);
    for (char *c = text; *c != '\0'; c++) /* whatever was typed, it stays one line */
        *c = (unsigned char)*c < ' ' || *c == 0x7f ? '?' : *c;
    fflush(stdout); /* what was printed before comes before */
    fprintf(stderr, "%s: %s\n", name, text);
    if (simt_wants_chinese() && in_chinese(text) != NULL)
        fprintf(stderr, "    中文：%s\n", in_chinese(text));
    free(text);
    return status;
}
