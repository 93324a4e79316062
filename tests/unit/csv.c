/* The CSV file: its lines, and that it is there whole or not at all. */
#include "message.h"
#include "report.h"
#include "task.h"
#include "unit.h"

#include <dirent.h>
#include <sys/stat.h>

/* All is done there. */
static char folder[] = "/tmp/csv-test-XXXXXX";
static const struct variant sum_variant = {.name = "v1"}, cpu_variant = {.name = "serial", .flags = ON_CPU},
                            copy_variant = {.name = "copy", .flags = ROOF},
                            task_variant = {.name = "softmax_warp", .task = &(const struct task){.name = "softmax"}};
static const struct setting setting = {.step = "01_interleaved",
                                       .backend = "cuda",
                                       .gpu = "A GPU, \"80 GB\" `id`|<b>\n(R) @ 2.5",
                                       .cpu = "A CPU",
                                       .pattern = "uniform",
                                       .cold = true};

TEST(folder_of_our_own) {
    if (mkdtemp(folder) == NULL || chdir(folder) != 0) abort();
}

/* The content of a file, or NULL if there is none; good until the next call. */
static const char *content(const char *path) {
    static char text[8192];
    FILE *file = fopen(path, "r");
    if (file == NULL) return NULL;
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static size_t files_in_folder(void) {
    size_t files = 0;
    DIR *dir = opendir(".");
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) files += entry->d_name[0] != '.';
    closedir(dir);
    return files;
}

static struct result timed_result(void) {
    return (struct result){
        .variant = &sum_variant,
        .n = 1000000,
        .block = 256,
        .grid = 3907,
        .checked = true,
        .plain = {{10, 9, 11, 15}, 8, {.ok = true, .rel_err = 1e-9, .err_bound = 2e-6}},
        .graph = {{5, 4.5, 6, 20}, 4, {.ok = false, .rel_err = INFINITY, .err_bound = 2e-6}},
    };
}

TEST(lines) {
    struct whole_file csv;
    struct result result = timed_result();
    csv_open(&csv, "lines.csv");
    csv_add(&csv, &setting, &result);
    struct result copy = {.variant = &copy_variant, .n = 1000, .written = 1000, .grid = 7, .block = 0};
    copy.plain = (struct measurement){{2, 2, 2, 3}, 1, {.ok = true}};
    csv_add(&csv, &setting, &copy);
    struct result cpu = {.variant = &cpu_variant, .n = 10, .checked = true};
    cpu.plain = (struct measurement){{4, 4, 4, 3}, 0, {.ok = true, .err_bound = 6e-7}};
    csv_add(&csv, &setting, &cpu);
    struct result counted = {.variant = &sum_variant, .n = 10, .grid = 1, .block = 32};
    counted.counters = (struct counters){.counted = true, .total = {.atomics = 3, .barriers = 5}};
    csv_add(&csv, &setting, &counted);
    counted.counters.requests = true;
    counted.counters.total.gld_sectors = 77;
    counted.counters.total.simt_efficiency = 0.5;
    counted.counters.total.shared_st_wavefronts = counted.counters.total.worst_conflict = 8;
    counted.counters.total.global_load_bytes = 120;
    counted.counters.total.global_store_bytes = 8;
    csv_add(&csv, &setting, &counted);
    struct result task = {.variant = &task_variant, .n = 2048, .row = 512, .written = 4};
    csv_add(&csv, &setting, &task);
    ok(whole_file_close(&csv) == STATUS_OK, "written");

#define GPU "cuda,A GPU   80 GB   id   b  (R) @ 2.5,"
    const char *right =
        "step,variant,backend,device,n,block,grid,pattern,cache,launch,median_us,min_us,p90_us,runs,gbps,pct_roof,"
        "rel_err,err_bound,ok,gld_requests,gld_sectors,gst_requests,gst_sectors,shared_ld_wavefronts,"
        "shared_st_wavefronts,atomics,barriers,shuffles,simt_efficiency,worst_conflict,bytes_per_element,row,bytes,"
        "task\n"
        "01_interleaved,v1," GPU "1000000,256,3907,uniform,cold,plain,10.0000,9.0000,11.0000,15,400.000,80.00,1e-09,"
        "2e-06,1,,,,,,,,,,,,,,4000000,sum\n"
        "01_interleaved,v1," GPU "1000000,256,3907,uniform,warm,graph,5.0000,4.5000,6.0000,20,800.000,80.00,inf,"
        "2e-06,0,,,,,,,,,,,,,,4000000,sum\n"
        "01_interleaved,copy," GPU
        "1000,,7,uniform,cold,plain,2.0000,2.0000,2.0000,3,4.000,50.00,,,,,,,,,,,,,,,,,8000,roof\n"
        "01_interleaved,serial,cpu,A CPU,10,,,uniform,,,4.0000,4.0000,4.0000,3,0.010,,0,6e-07,1,,,,,,,,,,,,,,40,sum\n"
        "01_interleaved,v1," GPU "10,32,1,uniform,,,,,,,,,,,,,,,,,,3,5,0,,,0.0000,,40,sum\n"
        "01_interleaved,v1," GPU "10,32,1,uniform,,,,,,,,,,,,0,77,0,0,0,8,3,5,0,0.5000,8,12.8000,,40,sum\n"
        "01_interleaved,softmax_warp," GPU "2048,,,uniform,,,,,,,,,,,,,,,,,,,,,,,,512,8208,softmax\n";
    same_text(content("lines.csv"), right, "a header, and seven lines");
    size_t commas = 0, lines = 0;
    for (const char *c = right; *c != '\0'; c++) commas += *c == ',', lines += *c == '\n';
    ok(commas == 33 * lines, "each of 34 fields");
}

TEST(replacing) {
    struct whole_file csv;
    struct result result = timed_result();
    FILE *old = fopen("old.csv", "w");
    fputs("old\n", old);
    fclose(old);
    size_t before = files_in_folder();
    const char *path = "old.csv", *link = "link.csv";
    ok(csv_open(&csv, path) == STATUS_OK && files_in_folder() == before, "opening leaves nothing");
    csv_add(&csv, &setting, &result);
    ok(strcmp(content(path), "old\n") == 0, "the old file stays until the end");
    ok(whole_file_close(&csv) == STATUS_OK && strncmp(content(path), "step,", 5) == 0, "then the new one");
    ok(files_in_folder() == before, "and no other file");

    if (symlink(path, link) != 0) abort();
    struct stat status;
    ok(csv_open(&csv, link) == STATUS_OK && whole_file_close(&csv) == STATUS_OK && lstat(link, &status) == 0 &&
           S_ISLNK(status.st_mode),
       "a symbolic link stays one");
    ok(strchr(content(path), '\n')[1] == '\0', "and the file that it leads to is written");
}

TEST(no_csv) {
    struct whole_file csv;
    struct result result = timed_result();
    ok(csv_open(&csv, NULL) == STATUS_OK, "no path: nothing to do");
    csv_add(&csv, &setting, &result);
    ok(whole_file_close(&csv) == STATUS_OK, "nor at the end");

    int opened, closed;
    const char *text = PRINTED(stdout, opened = csv_open(&csv, "-"), csv_add(&csv, &setting, &result),
                               closed = whole_file_close(&csv));
    ok(opened == STATUS_OK && closed == STATUS_OK && strncmp(text, "step,", 5) == 0 && strstr(text, ",graph,") != NULL,
       "- is standard output");
}

static void refused(const char *path, const char *why) {
    struct whole_file csv;
    size_t before = files_in_folder();
    int status;
    const char *text = PRINTED(stderr, status = csv_open(&csv, path));
    ok(status == STATUS_USAGE && IS_ONE_LINE(text, path, why) && files_in_folder() == before,
       "refused before anything runs: \"%s\"", path);
}

TEST(failures) {
    refused("no/such/folder.csv", "No such file");
    refused(folder, "Is a directory");
    refused("", "name a file");
    refused("/proc/nothing.csv", "No such file");
    if (symlink("/nowhere/at/all", "dangling.csv") != 0) abort();
    refused("dangling.csv", "No such file");

    /* A full disk. The link is in our own folder: were it replaced by mistake, /dev/full itself would stay what it is.
     */
    struct whole_file csv;
    struct result result = timed_result();
    if (symlink("/dev/full", "full.csv") != 0) abort();
    ok(csv_open(&csv, "full.csv") == STATUS_OK, "a disk that is full can be opened");
    csv_add(&csv, &setting, &result);
    int status;
    const char *text = PRINTED(stderr, status = whole_file_close(&csv));
    ok(status == STATUS_WRONG && strstr(text, "No space left") != NULL, "but not written to");
}

TEST(nothing_left) {
    char command[64];
    snprintf(command, sizeof command, "rm -r %s", folder);
    ok(system(command) == 0, "the folder can be removed");
}
