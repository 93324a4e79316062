/* ptx.h: what rewrite.c asks of ptx.c. */
#pragma once

/* C++ statements for the text of an asm statement, which is changed; the expressions of its
   operands are given. NULL: one of its instructions is not known, and *unknown is its name. */
char *ptx_to_cpp(char *text, char **given, int given_count, char **unknown);
