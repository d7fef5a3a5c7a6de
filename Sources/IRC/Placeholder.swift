// IRC
