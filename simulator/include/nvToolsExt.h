/* nvToolsExt.h: all of it is in nvtx3/nvToolsExt.h. */
#include "nvtx3/nvToolsExt.h"
