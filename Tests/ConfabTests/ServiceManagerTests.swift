import Glibc
import TestKit
import Testing

@testable import confab

@Suite struct ServiceManagerTests {
    @Test func `it hears when the bot is ready, lives and ends`() throws {
        let scratch = try Scratch()
        let socket = try NotifySocket(at: scratch.file("notify"))
        let manager = ServiceManager { ["NOTIFY_SOCKET": scratch.file("notify")][$0] }
        manager.ready()
        #expect(socket.next() == "READY=1")
        manager.alive()
        #expect(socket.next() == "WATCHDOG=1")
        manager.stopping()
        #expect(socket.next() == "STOPPING=1")
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
