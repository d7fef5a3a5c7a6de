import Glibc
import Runtime
import TestKit
import Testing

@testable import confab

@Suite(.timeLimit(.minutes(1)))
struct ControlSocketTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func connected() throws -> OpenSocket {
        let socket = try OpenSocket()
        let address = try #require(UnixAddress(ControlSocket.path(in: scratch.path)))
        let status = unsafe address.call { pointer, length in unsafe Int(connect(socket.number, pointer, length)) }
        try #require(status == 0, "errno \(errno)")
        socket.setPatience(.seconds(20))
        return socket
    }

    private func ask(_ request: String) throws -> String? {
        let socket = try connected()
        socket.send(Array(request.utf8))
        return socket.receive(atMost: ControlSocket.maxAnswerSize)
    }

    private func mode() -> mode_t {
        var status = stat()
        unsafe stat(ControlSocket.path(in: scratch.path), &status)
        return status.st_mode & 0o777
    }

    @Test func `a request has its answer, and the socket is its owner's alone`() throws {
        let control = try ControlSocket(in: scratch.path) { "you said \($0)" }
        #expect(try ask("hello") == "you said hello")
        #expect(mode() == 0o600)
        control.close()
        #expect(unsafe access(ControlSocket.path(in: scratch.path), F_OK) != 0)
    }

    @Test func `what a crash left behind is replaced`() throws {
        _ = try ControlSocket(in: scratch.path) { _ in "before" }
        let control = try ControlSocket(in: scratch.path) { _ in "now" }
        #expect(try ask("x") == "now")
        control.close()
    }

    @Test func `those who connect and say nothing hold nobody up and are let go`() throws {
        let control = try ControlSocket(in: scratch.path) { _ in "here" }
        let began = Time.system.now()
        let silent = try (0..<15).map { _ in try connected() }
        #expect(try ask("x") == "here")
        #expect(Time.system.now() - began < .seconds(2))
        for socket in silent { #expect(socket.receive(atMost: 10) == nil) }
        #expect(Time.system.now() - began < .seconds(10), "they were let go, not given up by this test")
        control.close()
    }

    @Test func `many ask at once, and neither requests nor answers grow without bound`() async throws {
        let control = try ControlSocket(in: scratch.path) { $0 + String(repeating: "x", count: 1 << 20) }
        let sockets = try (0..<10).map { _ in try connected() }
        for socket in sockets { socket.send([UInt8](repeating: UInt8(ascii: "r"), count: 1000)) }
        for socket in sockets {
            let answer = try #require(socket.receive(atMost: 1 << 21))
            #expect(answer.utf8.count == ControlSocket.maxAnswerSize)
            #expect(answer.prefix(while: { $0 == "r" }).count == ControlSocket.maxRequestSize)
        }
        control.close()
    }

    @Test func `a path that no socket can have is told as such`() throws {
        let directory = scratch.path + "/" + String(repeating: "d", count: 100)
        #expect(throws: ControlSocket.Failure.self) { try ControlSocket(in: directory) { $0 } }
    }
}
