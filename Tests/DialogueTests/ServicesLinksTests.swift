import Domain
import Storage
import TestKit
import Testing

@testable import Dialogue

/// LINK and UNLINK: logged in by an account at the network's services.
@Suite struct ServicesLinksTests {
    private func trusting(_ scratch: Scratch? = nil) async throws -> Scene {
        try await Scene(scratch: scratch) { $0.trustedNetworks = [Scene.network] }
    }

    private func linked(in scene: Scene) async throws -> Person {
        let alice = scene.arrives("alice", services: "Alice_S")
        try await scene.registers(alice)
        scene.says(alice, "LINK correct-horse")
        try await scene.sees(
            "-alice- Linked: whoever is logged in to services of testnet as Alice_S is logged in to alice")
        return alice
    }

    private let byServices = "You are logged in as alice, by your services account"

    @Test func `whoever joins with the linked services account is logged in, whatever the nick`() async throws {
        let scene = try await trusting()
        let alice = try await linked(in: scene)
        scene.happens(.quit(alice.nick))
        let back = scene.arrives("alice_at_work", at: "a@work.example", services: "alice_s")
        try await scene.sees("-alice_at_work- \(byServices)")
        scene.says(back, "hello again", in: "#confab")
        try await scene.sees("#confab <bot> alice_at_work: An answer.")
        let other = scene.arrives("alice", at: "mallory@elsewhere", services: "mallory_s")
        scene.says(other, "HISTORY")
        try await scene.sees("-alice- You are not logged in.")
    }

    @Test func `identifying to services later logs in, logging out of services logs out`() async throws {
        let scene = try await trusting()
        let alice = try await linked(in: scene)
        scene.happens(.quit(alice.nick))
        var back = scene.arrives("alice")
        scene.says(back, "WHOAMI")
        try await scene.sees("-alice- You are not logged in.")
        back.servicesAccount = "Alice_S"
        scene.happens(.servicesAccount(back))
        try await scene.sees("-alice- \(byServices)")
        back.servicesAccount = nil
        scene.happens(.servicesAccount(back))
        try await scene.sees("-alice- Your services account changed, so you are logged out of alice.")
        scene.says(back, "HISTORY")
        try await scene.sees("-alice- You are not logged in.")
    }

    @Test func `a line that carries the services account logs in first and is then answered`() async throws {
        let scene = try await trusting()
        let alice = try await linked(in: scene)
        scene.reconnect()
        scene.happens(.members(scene.channel("#confab"), [Member(scene.nick("bot")), Member(scene.nick("alice"))]))
        scene.says(alice, "first line after the split", in: "#confab")
        try await scene.sees("-alice- \(byServices)")
        try await scene.sees("#confab <bot> alice: An answer.")
        #expect(scene.questions == ["first line after the split"])
    }

    @Test func `a link is there after a restart of the bot`() async throws {
        let first = try await trusting()
        _ = try await linked(in: first)
        await first.ends()
        let second = try await trusting(first.scratch)
        _ = second.arrives("somebody", services: "alice_s")
        try await second.sees("-somebody- \(byServices)")
    }

    @Test func `whoever logs out stays out until the services say something new`() async throws {
        let scene = try await trusting()
        let alice = try await linked(in: scene)
        scene.says(alice, "LOGOUT")
        try await scene.sees("-alice- You are logged out of alice.")
        scene.says(alice, "am I out?", in: "#confab")
        scene.says(alice, "WHOAMI")
        try await scene.sees("-alice- You are not logged in.")
        #expect(scene.questions == [])
    }

    @Test func `UNLINK and DROP end it, and a disabled account is not let in`() async throws {
        let scene = try await trusting()
        let alice = try await linked(in: scene)
        _ = try await scene.store.setDisabled(true, try #require(AccountName("alice")))
        scene.happens(.quit(alice.nick))
        let closed = scene.arrives("alice", services: "Alice_S")
        scene.says(closed, "WHOAMI")
        try await scene.sees("-alice- You are not logged in.")
        _ = try await scene.store.setDisabled(false, try #require(AccountName("alice")))
        scene.happens(.servicesAccount(closed))
        try await scene.sees("-alice- \(byServices)")
        scene.says(closed, "UNLINK")
        try await scene.sees("-alice- Unlinked: on testnet you LOGIN with your password again.")
        scene.happens(.quit(alice.nick))
        let later = scene.arrives("alice", services: "Alice_S")
        scene.says(later, "WHOAMI")
        try await scene.sees("-alice- You are not logged in.")
    }

    @Test func `LINK says what is missing`() async throws {
        let scene = try await trusting()
        let alice = scene.arrives("alice")
        scene.says(alice, "LINK")
        try await scene.sees("-alice- You are not logged in.")
        try await scene.registers(alice)
        scene.says(alice, "LINK")
        try await scene.sees("-alice- testnet shows me no services account of yours.")

        let wary = try await Scene()
        let bob = wary.arrives("bob", services: "bob_s")
        try await wary.registers(bob)
        wary.says(bob, "LINK")
        try await wary.sees(
            "-bob- LINK is off here: the operator of this bot does not rely on the services of testnet.")
    }

    @Test(arguments: ["*", "0", ""]) func `a name that means nobody is no services account`(name: String) async throws {
        let scene = try await trusting()
        let alice = scene.arrives("alice", services: name)
        try await scene.registers(alice)
        scene.says(alice, "LINK correct-horse")
        try await scene.sees("-alice- testnet shows me no services account of yours.")
        let stranger = scene.arrives("stranger", services: name)
        scene.says(stranger, "WHOAMI")
        try await scene.sees("-stranger- You are not logged in.")
    }

    @Test func `LINK takes the account's password, and tells the other logins and the e-mail address`() async throws {
        let post = Postbox()
        let scene = try await Scene(post: post) { $0.trustedNetworks = [Scene.network] }
        let alice = scene.arrives("alice", services: "alice_s")
        try await scene.registers(alice)
        let phone = scene.arrives("phone", services: "mallory_s")
        try await scene.logsIn(phone, "alice")
        scene.says(phone, "LINK")
        try await scene.sees("-phone- LINK takes the password of your account here. Usage: /msg bot LINK <password>")
        scene.says(phone, "LINK wrong-horse")
        try await scene.sees("-phone- That is not your password.")
        #expect(try await scene.store.servicesLinks().isEmpty)
        scene.says(phone, "LINK correct-horse")
        try await scene.sees(
            "-alice- alice is linked from now on: whoever is logged in to services of testnet as mallory_s")
        try await scene.sees("-phone- Linked")
        #expect(await eventually { post.letters.count == 1 })
        let letter = try #require(post.letters.first)
        #expect(letter.to.spelling == "alice@example.org" && letter.lines.contains("    mallory_s"))
        #expect(letter.lines.allSatisfy { $0.count <= 72 })
    }

    @Test func `a login by services is told to the logins there are`() async throws {
        let scene = try await trusting()
        _ = try await linked(in: scene)
        _ = scene.arrives("thief", at: "t@elsewhere.example", services: "alice_s")
        try await scene.sees("-alice- alice is now also logged in as thief!t@elsewhere.example on testnet.")
    }

    @Test(arguments: ["SESSIONS END ALL", "PASSWORD correct-horse battery-staple", "RESET", "set-password"])
    func `what ends others' logins ends the links, and says so`(way: String) async throws {
        let post = Postbox()
        let scene = try await Scene(post: post) { $0.trustedNetworks = [Scene.network] }
        let alice = try await linked(in: scene)
        switch way {
        case "RESET":
            scene.says(alice, "RESET alice")
            #expect(await eventually { post.code != nil })
            scene.says(alice, "RESET alice \(post.code ?? "") battery-staple")
            let line = try await scene.sees("-alice- alice has a new password")
            #expect(line.hasSuffix("What LINK did is undone too."))
        case "set-password":
            let account = try #require(try await scene.store.credentials(for: "alice")?.account)
            #expect(try await scene.store.changePassword(hash: "none", of: account.id)?.endedLinks == 1)
        case "SESSIONS END ALL":
            scene.says(alice, way)
            try await scene.sees("-alice- There was no other login. What LINK did is undone. You stay logged in here.")
        default:
            scene.says(alice, way)
            let line = try await scene.sees("-alice- alice has a new password")
            #expect(line.hasSuffix("What LINK did is undone too."))
        }
        #expect(try await scene.store.servicesLinks().isEmpty)
        let thief = scene.arrives("thief", at: "t@elsewhere.example", services: "alice_s")
        scene.says(thief, "WHOAMI")
        try await scene.sees("-thief- You are not logged in.")
    }
}
