/* vector_functions.h: all of it is in vector_types.h */
#include "vector_types.h"
