import TestKit
import Testing

@testable import confab

/// `deploy/confab.toml` is the manual: it may not say anything the code does not do, nor leave anything out.
@Suite struct ManualTests {
    private let manual: String
    private let scratch: Scratch

    init() throws {
        // .../Tests/ConfabTests/ManualTests.swift
        let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let bytes = try SecretSource(directory: "/").contents(
            of: "/\(root)/deploy/confab.toml", isPrivate: false, limit: 1 << 20)
        scratch = try Scratch()
        manual = String(decoding: bytes, as: UTF8.self).replacing("/etc/confab/", with: scratch.path + "/")
    }

    private func reading() -> ConfigurationReading {
        ConfigurationReading(file: "confab.toml", secrets: SecretSource(directory: scratch.path) { _ in nil })
    }

    /// The manual with its defaults written out, or with everything written out.
    private func manual(withExamples: Bool) -> String {
        manual.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            if withExamples, line.hasPrefix("# e.g. ") { return line.dropFirst("# e.g. ".count) }
            let isDefault = line.hasPrefix("#") && !line.hasPrefix("# ") && line.contains(" = ")
            return isDefault ? line.dropFirst() : line
        }.joined(separator: "\n")
    }

    /// `networks.channels.listen` to `"all"`, from every line that is a setting once everything is written out.
    private var written: [String: String] {
        var section = ""
        var settings: [String: String] = [:]
        for line in manual(withExamples: true).split(separator: "\n") where !line.hasPrefix("#") {
            if line.hasPrefix("[") {
                section = line.filter { $0 != "[" && $0 != "]" }
            } else if let equals = line.firstRange(of: " = ") {
                settings["\(section).\(line[..<equals.lowerBound])"] = String(line[equals.upperBound...])
            }
        }
        return settings
    }

    private func provideFiles() async throws {
        for name in [
            "network-ca.pem", "client.pem", "client.key", "server.password", "sasl.password", "nickserv.password",
            "api.key", "api-ca.pem",
            "mail.password", "mail-ca.pem",
        ] { try scratch.secret("canary", named: name) }
        // The one whose content is looked at.
        let arguments = ["ecparam", "-genkey", "-noout", "-name", "prime256v1", "-out", scratch.file("sasl.key")]
        try await Certificates.openssl(arguments, in: scratch.path)
    }

    @Test func `it is a configuration as it stands`() throws {
        _ = try Configuration.read(manual, reading())
    }

    @Test func `every key of the code is in it and every key in it is known`() async throws {
        try await provideFiles()
        let reading = reading()
        _ = try? Configuration.read(manual(withExamples: true), reading)
        #expect(Set(written.keys) == Set(reading.knownKeys.keys))
    }

    @Test func `the defaults it tells are those of the code`() async throws {
        try await provideFiles()
        let reading = reading()
        _ = try? Configuration.read(manual(withExamples: true), reading)
        for (key, standard) in reading.knownKeys {
            guard let standard else { continue }
            #expect(written[key] == standard, "\(key)")
        }
    }

    @Test func `its examples are possible`() async throws {
        try await provideFiles()
        let text = manual(withExamples: true)
            .replacing("#kind", with: "kind").replacing("kind = \"chat\"", with: "kind = \"completions\"")
        _ = try Configuration.read(text, reading())
    }
}
