/* tap.h: what tests in C and CUDA print: one line for each test, then how many there were (as of the Test Anything
   Protocol, testanything.org); and a list of the functions that make them. */
#ifndef TAP_H
#define TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static int tap_tests, tap_failures;

/* One test; returns whether it passed. The name is a format, as printf takes it. */
#define ok(pass, ...) tap_result((pass), __FILE__, __LINE__, __VA_ARGS__)

__attribute__((format(printf, 4, 5))) static inline bool tap_result(bool pass, const char *file, int line,
                                                                    const char *name, ...) {
    va_list arguments;
    va_start(arguments, name);
    printf("%sok %d - ", pass ? "" : "not ", ++tap_tests);
    vprintf(name, arguments);
    printf("\n");
    va_end(arguments);
    if (!pass) {
        tap_failures++;
        printf("# failed at %s:%d\n", file, line);
    }
    fflush(stdout);
    return pass;
}

/* One that cannot be made here. */
static inline void skip(const char *name, const char *why) { printf("ok %d - %s # SKIP %s\n", ++tap_tests, name, why); }

static struct {
    const char *name;
    void (*run)(void);
} tap_function[32];
static int tap_functions;

static inline void tap_add(const char *name, void (*run)(void)) {
    tap_function[tap_functions].name = name;
    tap_function[tap_functions++].run = run;
}

/* TEST(name) {...} is a function that stands in that list, in the order of the file, before main() begins. */
#define TEST(NAME)                                                                                                     \
    static void test_##NAME(void);                                                                                     \
    __attribute__((constructor)) static void add_##NAME(void) { tap_add(#NAME, test_##NAME); }                         \
    static void test_##NAME(void)

/* At the end of main: return done_testing(); */
static inline int done_testing(void) {
    printf("1..%d\n", tap_tests);
    return tap_failures > 0;
}

#endif
