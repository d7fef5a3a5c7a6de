import TestKit

/// The real ircds that a test of ordinary life runs on, each in clear text.
enum Ircd: String, CaseIterable {
    case ngircd, inspircd, hybrid

    /// A running one; it ends with the value.
    struct Running: Sendable {
        let port: Int
        let program: Program
        /// Keeps the server; its type does not matter here.
        fileprivate let owner: any Sendable
    }

    /// Port 0 takes a free one. A patient one takes lines as fast as they come, and slows down nobody.
    func start(in scratch: Scratch, port: Int = 0, isPatient: Bool = false) async throws -> Running {
        switch self {
        case .ngircd:
            let server = try await NGIRCd(in: scratch, port: port, isPatient: isPatient)
            return Running(port: server.port, program: server.program, owner: server)
        case .inspircd:
            let certificates = try await Certificates(in: scratch.path)
            let server = try await InspIRCd(
                in: scratch, certificates: certificates, withServices: false, port: port, isPatient: isPatient)
            return Running(port: server.port, program: server.program, owner: server)
        case .hybrid:
            let certificates = try await Certificates(in: scratch.path)
            let server = try await IRCDHybrid(
                in: scratch, certificates: certificates, port: port, isPatient: isPatient)
            return Running(port: server.port, program: server.program, owner: server)
        }
    }
}
