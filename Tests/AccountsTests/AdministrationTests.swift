import Domain
import Storage
import TestKit
import Testing

@testable import Accounts

@Suite struct AdministrationTests {
    @Test func `whoever is no administrator any more is none at the next word, and what was done is on record`()
        async throws
    {
        let scene = try DeskScene()
        let (root, alice) = (try await scene.account("root"), try await scene.account("alice"))
        let administration = scene.desk.administration
        #expect(try await !administration.isAdministrator(root.name))
        _ = try await scene.store.setAdministrator(true, root.name)
        #expect(try await administration.isAdministrator(root.name))
        guard case .disabled(let closed) = try await administration.perform(.disable(alice.name), by: root.name) else {
            return #expect(Bool(false), "not disabled")
        }
        #expect(closed.id == alice.id)
        try await administration.audit(.disable(alice.name), by: root.name)
        let record = try #require(try await scene.store.auditRecords(last: 1).first)
        #expect([record.actor, record.action, record.subject] == ["account root", "DISABLE", "alice"])
        _ = try await scene.store.setAdministrator(false, root.name)
        #expect(try await !administration.isAdministrator(root.name))
    }

    @Test func `nobody closes their own account, and a login made before it was closed changes nothing`() async throws {
        let scene = try DeskScene()
        let (root, alice) = (try await scene.account("root"), try await scene.account("alice"))
        guard case .isOneself = try await scene.desk.administration.perform(.disable(root.name), by: root.name) else {
            return #expect(Bool(false), "closed")
        }
        _ = try await scene.desk.administration.perform(.disable(alice.name), by: root.name)
        _ = try await scene.desk.administration.perform(.enable(alice.name), by: root.name)
        let authorization = try await scene.desk.authorize(
            .names(first: "A", last: nil), of: alice, from: Origin(user: "alice", host: "home"))
        guard case .outdated = authorization else { return #expect(Bool(false), "the login holds still") }
    }
}
