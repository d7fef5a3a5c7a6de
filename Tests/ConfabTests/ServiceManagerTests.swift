import Glibc
import TestKit
import Testing

@testable import confab

@Suite struct ServiceManagerTests {
    /// A datagram socket as systemd has one.
    private func listen(at path: String) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: Array(path.utf8)) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        let status = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        #expect(status == 0)
        return descriptor
    }

    private func nextDatagram(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 200)
        let count = unsafe recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
        return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    }

    @Test func `it hears when the bot is ready, lives and ends`() throws {
        let scratch = try Scratch()
        let socket = listen(at: scratch.file("notify"))
        defer { close(socket) }
        let manager = ServiceManager { ["NOTIFY_SOCKET": scratch.file("notify")][$0] }
        manager.ready()
        #expect(nextDatagram(socket) == "READY=1")
        manager.alive()
        #expect(nextDatagram(socket) == "WATCHDOG=1")
        manager.stopping()
        #expect(nextDatagram(socket) == "STOPPING=1")
    }

    @Test func `without one nothing happens`() {
        ServiceManager { _ in nil }.ready()
        ServiceManager { _ in "/nowhere/\(String(repeating: "x", count: 200))" }.ready()
        #expect(ServiceManager { _ in nil }.watchdogInterval == nil)
    }

    @Test func `the watchdog is for the process it names only`() {
        let mine = ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": String(getpid())]
        #expect(ServiceManager { mine[$0] }.watchdogInterval == .seconds(30))
        #expect(ServiceManager { ["WATCHDOG_USEC": "30000000"][$0] }.watchdogInterval == .seconds(30))
        #expect(ServiceManager { ["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"][$0] }.watchdogInterval == nil)
    }
}
