import Domain
import Runtime
import Storage
import TestKit
import Testing

@testable import Accounts
@testable import Passwords

/// Random people who register, in the way that works and in all others.
@Suite struct AccountDeskRegistrationTests {
    private enum Made: Equatable { case account, nothing, refused }

    @Test(arguments: 1...4)
    func `a registration that made no account gives its share back`(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let scene = try DeskScene()
        try await scene.account("taken")
        let hosts = ["one", "two", "three"].map { Origin(user: "u", host: $0) }
        var made: [Origin: [Duration]] = [:]
        var refusals = 0
        for number in 1...120 {
            scene.clock.advance(by: .seconds(Int.random(in: 60...240, using: &random)))
            let now = scene.clock.time.now()
            let origin = hosts[Int.random(in: 0..<hosts.count, using: &random)]
            let isFull = made[origin, default: []].count { now - $0 < .seconds(3600) } >= 3
            let applicant =
                switch Int.random(in: 0...5, using: &random) {
                case 0: try scene.applicant("taken")
                case 1: try scene.applicant("new\(number)", email: "taken@example.org")
                case 2: try scene.applicant("new\(number)", String(repeating: "x", count: 513))
                case 3: try scene.applicant("new\(number)", "zero\u{200B}width")
                default: try scene.applicant("new\(number)")
                }
            let came = await result(of: applicant, from: origin, scene)
            #expect((came == .refused) == isFull)
            if came == .account { made[origin, default: []].append(now) }
            if came == .refused { refusals += 1 }
        }
        #expect(refusals > 0)
        #expect(try await scene.store.accountRecords().count == made.values.reduce(1) { $0 + $1.count })
    }

    private func result(of applicant: Applicant, from origin: Origin, _ scene: DeskScene) async -> Made {
        switch try? await scene.desk.register(applicant, from: origin) {
        case .created: .account
        case .tooMany: .refused
        case .nameTaken, .emailTaken, nil: .nothing
        }
    }

    @Test func `a name that is taken costs no hash, and of two who want one at once one gets it`() async throws {
        let scene = try DeskScene()
        try await scene.account("taken")
        let before = await scene.passwords.runs
        let outcome = try await scene.desk.register(try scene.applicant("TAKEN"), from: Origin(user: "a", host: "a"))
        #expect(outcome == .nameTaken)
        #expect(await scene.passwords.runs == before)
        let applicant = try scene.applicant("alice")
        async let one = result(of: applicant, from: Origin(user: "b", host: "b"), scene)
        async let two = result(of: applicant, from: Origin(user: "c", host: "c"), scene)
        #expect(await [one, two].count { $0 == .account } == 1)
    }
}
