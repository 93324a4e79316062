"""old_names.py: what had another name before, from common/old_names.def."""
import functools
import os
import re

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../common/old_names.def")


@functools.cache
def new_names(kind):
    """Old name -> new name, of what is of this kind: variant, option, target, results."""
    with open(TABLE) as file:
        return {old: new for of, old, new in re.findall(r'^OLD_NAME\("([^"]+)", "([^"]+)", "([^"]+)"\)$', file.read(), re.M) if of == kind}
