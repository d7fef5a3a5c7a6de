// Nothing to call: linking this target is what it is for. MutexSlowPath.c says why.
