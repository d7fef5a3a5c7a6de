// Completions
