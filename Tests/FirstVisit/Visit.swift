/// What alice and bob do, step by step, and what must come of it.
struct Visit {
    let port: Int
    let channel: String
    let bot: String

    func play() async throws {
        let alice = try await Person(nick: "alice", port: port)
        let bob = try await Person(nick: "bob", port: port)
        try await arrive(alice, bob)
        try await register(alice, bob)
        try await ask(alice, bob)
        try await readBack(alice, bob)
        try await leave(alice, bob)
    }

    /// A stranger is told how to start, privately.
    private func arrive(_ alice: Person, _ bob: Person) async throws {
        try await alice.join(channel)
        try await bob.join(channel)
        alice.say("\(bot): hello?", in: channel)
        try await alice.awaitNotice(from: bot, containing: "register")
        alice.tell(bot, "HELP")
        try await alice.awaitNotice(from: bot, containing: "history")
    }

    private func register(_ alice: Person, _ bob: Person) async throws {
        alice.tell(bot, "REGISTER first-visit-1 alice@example.com Alice")
        try await alice.awaitNotice(from: bot, containing: "alice")
        alice.tell(bot, "LOGIN first-visit-1")
        try await alice.awaitNotice(from: bot, containing: "logged in")
        // E-mail and password in the other order, a name in two parts, and a login by e-mail.
        bob.tell(bot, "register bob@example.com first-visit-2 Bob Builder")
        try await bob.awaitNotice(from: bot, containing: "bob")
        bob.tell(bot, "login bob@example.com first-visit-2")
        try await bob.awaitNotice(from: bot, containing: "logged in")
    }

    /// Two questions at once in the channel, heard by both; then one in private, heard by one.
    private func ask(_ alice: Person, _ bob: Person) async throws {
        alice.say("What is a good name for a cat?", in: channel)
        bob.say("Tell me something about the moon.", in: channel)
        try await alice.awaitAnswer(from: bot, to: alice.nick, in: channel)
        try await bob.awaitAnswer(from: bot, to: bob.nick, in: channel)
        alice.tell(bot, "And for a dog?")
        try await alice.awaitPrivateAnswer(from: bot)
    }

    /// Each reads back their own exchanges and nobody else's.
    private func readBack(_ alice: Person, _ bob: Person) async throws {
        alice.tell(bot, "HISTORY")
        try await alice.awaitNotice(from: bot, containing: "name for a cat")
        try await alice.awaitNotice(from: bot, containing: "for a dog")
        bob.tell(bot, "HISTORY 5")
        try await bob.awaitNotice(from: bot, containing: "about the moon")
    }

    private func leave(_ alice: Person, _ bob: Person) async throws {
        for person in [alice, bob] {
            person.tell(bot, "LOGOUT")
            try await person.awaitNotice(from: bot, containing: "logged out")
        }
        try expectSecrecy(alice, of: "about the moon", "first-visit-")
        try expectSecrecy(bob, of: "for a dog", "first-visit-")
        alice.quit()
        bob.quit()
    }

    /// The bot never said any of these words to that person.
    private func expectSecrecy(_ person: Person, of secrets: String...) throws {
        for secret in secrets where person.heard(from: bot).contains(where: { $0.contains(secret) }) {
            throw Disappointment(description: "\(person.nick) read '\(secret)' from \(bot)")
        }
    }
}

/// What should not have been.
struct Disappointment: Error, CustomStringConvertible {
    let description: String
}
