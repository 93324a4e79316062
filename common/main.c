/* main.c: the main() of every lesson, and of every experiment that times its variants. */
#include "lesson.h"

int main(int argc, char **argv)
{
    return run_lesson(argc, argv, &lesson);
}
