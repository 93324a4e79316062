/* old_names.h: what users may still call by an older name (old_names.def). */
#ifndef OLD_NAMES_H
#define OLD_NAMES_H

/* What this kind of thing ("variant", "option") is called now, or NULL: it had no other name. */
const char *new_name(const char *kind, const char *old);

#endif
