// What Swift cannot reach of libircclient: a variadic call, and fd_set, which is macros.
#pragma once
#include <libircclient.h>
#include <libirc_rfcnumeric.h>
#include <sys/select.h>

/// Queues one line as it is; the library's own call takes a format string.
static inline int confab_irc_send_line(irc_session_t *session, const char *line) {
    return irc_send_raw(session, "%s", line);
}

/// The session's descriptor, or -1 where it has none, and whether it waits to read or to write.
static inline int confab_irc_interest(irc_session_t *session, int *reads, int *writes) {
    fd_set in, out;
    int highest = -1;
    FD_ZERO(&in);
    FD_ZERO(&out);
    *reads = *writes = 0;
    if (irc_add_select_descriptors(session, &in, &out, &highest) || highest < 0) return -1;
    *reads = FD_ISSET(highest, &in) ? 1 : 0;
    *writes = FD_ISSET(highest, &out) ? 1 : 0;
    return highest;
}

/// Lets the session read or write once. Descriptors beyond FD_SETSIZE would end the process, so they are refused.
static inline int confab_irc_pump(irc_session_t *session, int descriptor, int readable, int writable) {
    fd_set in, out;
    if (descriptor < 0 || descriptor >= FD_SETSIZE) return 1;
    FD_ZERO(&in);
    FD_ZERO(&out);
    if (readable) FD_SET(descriptor, &in);
    if (writable) FD_SET(descriptor, &out);
    return irc_process_select_descriptors(session, &in, &out);
}
