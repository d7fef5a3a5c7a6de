// Nothing to call: linking this target teaches the sanitizers about what we did not write. Each file says what.
