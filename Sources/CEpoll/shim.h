// epoll(7) and eventfd(2), which Swift's Glibc leaves out; `struct epoll_event` is packed, so it stays in here.
#pragma once
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static const uint32_t cepoll_in = EPOLLIN;
// Told once for each time it becomes so, and then not again.
static const uint32_t cepoll_edge = EPOLLET;
static const uint32_t cepoll_out = EPOLLOUT;
// Told also unasked: an error, or the peer is gone altogether.
static const uint32_t cepoll_gone = EPOLLERR | EPOLLHUP;

enum { cepoll_most = 256 };

static inline int cepoll_create(void) { return epoll_create1(EPOLL_CLOEXEC); }

static inline int cepoll_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

static inline void cepoll_signal(int descriptor) { eventfd_write(descriptor, 1); }

static inline int cepoll_add(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
}

static inline int cepoll_change(int epoll, int descriptor, uint32_t events) {
    struct epoll_event event = {.events = events, .data = {.fd = descriptor}};
    return epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event);
}

static inline int cepoll_remove(int epoll, int descriptor) {
    struct epoll_event ignored = {0};
    return epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &ignored);
}

// Fills in up to `cepoll_most` descriptors and what each is ready for; returns how many.
static inline int cepoll_wait(int epoll, int *descriptors, uint32_t *events, int timeout) {
    struct epoll_event ready[cepoll_most];
    int count = epoll_wait(epoll, ready, cepoll_most, timeout);
    for (int index = 0; index < count; index++) {
        descriptors[index] = ready[index].data.fd;
        events[index] = ready[index].events;
    }
    return count;
}
