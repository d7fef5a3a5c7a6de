import Network
import Runtime
import TestKit
import Testing

/// `localhost` has an address of each family; a server may be at one of them only.
@Suite(.timeLimit(.minutes(1)))
@NetworkThread
struct AddressFamilyTests {
    private func opens(_ port: Int) async -> Bool {
        let recorder = PipeRecorder()
        recorder.open(PipeEndpoint(host: "localhost", port: port, tls: nil, connectTimeout: .seconds(20)))
        let isHeard = await eventually { await recorder.text == "hello" }
        recorder.pipe?.close()
        return isHeard
    }

    private nonisolated static func greeting(
        port: Int = 0, _ family: RawServer.Family
    ) throws -> RawServer {
        try RawServer(port: port, family) { connection in
            connection.write("hello")
            connection.waitForEnd()
        }
    }

    @Test(arguments: [RawServer.Family.ipv4, .ipv6])
    func `a server of one family is found, whichever it is`(family: RawServer.Family) async throws {
        let server = try Self.greeting(family)
        #expect(await opens(server.port))
    }

    @Test(arguments: [RawServer.Family.ipv4, .ipv6])
    func `an address where nothing answers holds the other one up for a moment only`(
        family: RawServer.Family
    ) async throws {
        let server = try Self.greeting(family)
        let dead = try DeadPort(server.port, family == .ipv4 ? .ipv6 : .ipv4)
        let began = Time.system.now()
        #expect(await opens(server.port))
        #expect(Time.system.now() - began < .seconds(5))
        withExtendedLifetime(dead) {}
    }

    @Test func `an address alone of either family is an address`() async throws {
        for (family, host) in [(RawServer.Family.ipv4, "127.0.0.1"), (.ipv6, "::1")] {
            let server = try Self.greeting(family)
            let recorder = PipeRecorder()
            recorder.open(PipeEndpoint(host: host, port: server.port, tls: nil, connectTimeout: .seconds(20)))
            #expect(await eventually { await recorder.text == "hello" })
            recorder.pipe?.close()
        }
    }
}
