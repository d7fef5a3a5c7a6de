import Glibc
import Testing

@testable import Network

struct EpollTests {
    @Test func `a wake ends the wait under way or the next one, and no other`() {
        let epoll = Epoll()
        epoll.wake()
        epoll.wake()
        #expect(epoll.wait(20_000).isEmpty)
        epoll.wake()
        #expect(epoll.wait(20_000).isEmpty)
        let pair = Pair()
        epoll.watch(pair.near, for: .output)
        // Nothing but the socket is ready.
        #expect(epoll.wait(0).map(\.socket) == [pair.near])
    }

    @Test func `a socket is told for what it is watched, as long as it is ready, and for nothing no more`() {
        let epoll = Epoll()
        let pair = Pair()
        epoll.watch(pair.near, for: .input)
        #expect(epoll.wait(0).isEmpty)
        pair.write()
        for _ in 0..<2 { #expect(epoll.wait(20_000).map(\.readiness) == [.input]) }
        epoll.watch(pair.near, for: [.input, .output])
        #expect(epoll.wait(0).map(\.readiness) == [[.input, .output]])
        epoll.watch(pair.near, for: [])
        #expect(epoll.wait(0).isEmpty)
        epoll.watch(pair.near, for: .input)
        pair.closeFar()
        #expect(epoll.wait(0).map { $0.readiness.isDisjoint(with: .gone) } == [false])
    }

    @Test func `a socket under the number of one that was closed is watched like any other`() {
        let epoll = Epoll()
        let first = Pair()
        epoll.watch(first.near, for: .output)
        let number = first.near
        let second = Pair()
        // Closes the first socket: its number is the second one's now.
        #expect(dup2(second.near, number) == number)
        #expect(epoll.wait(0).isEmpty)
        epoll.watch(number, for: .output)
        #expect(epoll.wait(0).map(\.socket) == [number])
    }
}

/// Two sockets that are connected to each other.
private final class Pair {
    let near: Int32
    private var far: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
        (near, far) = (ends[0], ends[1])
    }

    deinit {
        close(near)
        closeFar()
    }

    func write() { _ = unsafe send(far, "x", 1, 0) }

    func closeFar() {
        guard far >= 0 else { return }
        close(far)
        far = -1
    }
}
