/* csv.h: the results as a CSV file. */
#ifndef CSV_H
#define CSV_H

#include "result.h"
#include "whole_file.h"

/* Puts a blank for whatever a name in results/ may not hold: letters, digits, blanks and _.+@()-
   stay (tools/pages/schema.csv). */
void keep_plain(char *name);

/* Opens the file, as whole_file_open() does, and writes the header. */
int csv_open(struct whole_file *csv, const char *path);

/* Adds the line of the plain launches, and that of the graph if there was one. */
void csv_add(struct whole_file *csv, const struct setting *setting, const struct result *result);

#endif
