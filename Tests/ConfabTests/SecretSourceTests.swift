import Domain
import Glibc
import Runtime
import TestKit
import Testing

@testable import confab

@Suite struct SecretSourceTests {
    private let scratch: Scratch
    private let source: SecretSource

    init() throws {
        scratch = try Scratch()
        source = SecretSource(directory: scratch.path) { [path = scratch.path] name in
            ["CREDENTIALS_DIRECTORY": path, "KEY": "from the environment\n"][name]
        }
    }

    private func write(_ text: String, _ name: String, mode: mode_t = 0o600) {
        let path = scratch.file(name)
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT, 0o600)
        writeAll(Array(text.utf8), to: descriptor)
        close(descriptor)
        unsafe chmod(path, mode)
    }

    private func refusal(_ reference: String) -> String? {
        do {
            _ = try source.read(reference)
            return nil
        } catch {
            return error.words
        }
    }

    @Test func `a file gives its text without the line end`() throws {
        write("sesame open\r\n", "key")
        #expect(try source.read("key").reveal() == "sesame open")
        #expect(try source.read(scratch.file("key")).reveal() == "sesame open")
    }

    @Test(arguments: [0o640, 0o604, 0o620, 0o644] as [mode_t])
    func `a file that others may read or write is refused with what to type`(mode: mode_t) {
        write("sesame", "open", mode: mode)
        #expect(refusal("open")?.contains("chmod 600 \(scratch.file("open"))") == true)
    }

    @Test func `systemd sees to the mode of its credentials`() throws {
        write("sesame", "api.key", mode: 0o440)
        #expect(try source.read("credential:api.key").reveal() == "sesame")
        #expect(refusal("credential:../api.key")?.contains("no name of a credential") == true)
        let outside = SecretSource(directory: "/") { _ in nil }
        #expect(throws: SecretSource.Refusal.self) { try outside.read("credential:api.key") }
    }

    @Test func `a variable of the environment is a secret too`() throws {
        #expect(try source.read("env:KEY").reveal() == "from the environment")
        #expect(refusal("env:NONE")?.contains("NONE is not set") == true)
    }

    @Test(arguments: ["", "\n", "two\nlines", "nul\0inside"])
    func `what is no single line is refused`(text: String) {
        write(text, "bad")
        #expect(refusal("bad") != nil)
    }

    @Test func `what is not there or no file is refused`() {
        #expect(refusal("nothing")?.contains("No such file") == true)
        #expect(refusal(scratch.path)?.contains("not a file") == true)
    }
}
