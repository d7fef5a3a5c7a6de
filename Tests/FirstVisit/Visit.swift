/// What alice and bob do, step by step, and what must come of it.
struct Visit {
    /// Of `xylophone`, which a model may also begin a sentence with.
    private static let word = "ylophone"

    let port: Int
    let channel: String
    let bot: String

    func play() async throws {
        let alice = try await Person(nick: "alice", port: port)
        let bob = try await Person(nick: "bob", port: port)
        try await arrive(alice, bob)
        try await register(alice, bob)
        try await ask(alice, bob)
        try await converse(alice, bob)
        try await leave(alice, bob)
    }

    /// A stranger is told how to start, privately.
    private func arrive(_ alice: Person, _ bob: Person) async throws {
        title("They come in")
        try await alice.join(channel)
        try await bob.join(channel)
        alice.say("\(bot): hello?", in: channel)
        try await alice.awaitNotice(from: bot, containing: "/msg \(bot) REGISTER")
        alice.tell(bot, "HELP")
        try await alice.awaitNotice(from: bot, containing: "HELP HISTORY")
    }

    /// Whoever registers in sight of the bot is logged in at once; bob leaves and comes back by his e-mail address.
    private func register(_ alice: Person, _ bob: Person) async throws {
        title("They register and log in")
        alice.tell(bot, "REGISTER first-visit-1 alice@example.com Alice")
        try await alice.awaitNotice(from: bot, containing: "your account is alice, and you are logged in")
        bob.tell(bot, "register bob@example.com first-visit-2 Bob Builder")
        try await bob.awaitNotice(from: bot, containing: "your account is bob, and you are logged in")
        bob.tell(bot, "logout")
        try await bob.awaitNotice(from: bot, containing: "You are logged out")
        bob.tell(bot, "login bob@example.com first-visit-2")
        try await bob.awaitNotice(from: bot, containing: "You are logged in as bob")
    }

    /// Two questions at once in the channel, then one in private; each reads back their own exchanges.
    private func ask(_ alice: Person, _ bob: Person) async throws {
        title("They ask")
        alice.say("What is a good name for a cat?", in: channel)
        bob.say("Tell me something about the moon.", in: channel)
        let cat = try await alice.awaitAnswer(from: bot, in: channel)
        let moon = try await bob.awaitAnswer(from: bot, in: channel)
        alice.tell(bot, "And for a dog?")
        let dog = try await alice.awaitAnswer(from: bot, in: alice.nick)

        title("They read back")
        alice.tell(bot, "HISTORY")
        try await awaitExchange("What is a good name for a cat?", cat, on: alice)
        try await awaitExchange("And for a dog?", dog, on: alice)
        bob.tell(bot, "HISTORY 5")
        try await awaitExchange("Tell me something about the moon.", moon, on: bob)
        for person in [alice, bob] { try await person.awaitNotice(from: bot, containing: "End of history") }
    }

    /// The answer is compared by its opening: HISTORY has other room on its lines.
    private func awaitExchange(_ question: String, _ answer: String, on person: Person) async throws {
        try await person.awaitNotice(from: bot, containing: "Q: \(question)")
        try await person.awaitNotice(from: bot, containing: "A: \(answer.prefix(24))")
    }

    /// The model is told what this person said in this place before, and nothing else: not what was said before NEW, in
    /// another place, or by another person.
    private func converse(_ alice: Person, _ bob: Person) async throws {
        title("They converse")
        try await startAfresh(alice)
        _ = try await answer(to: "Say the word x\(Self.word).", alice, in: channel)
        let question = "Please say that word again."
        // A small model does not always listen.
        var isRemembered = false
        for _ in 0..<3 where !isRemembered {
            isRemembered = try await answer(to: question, alice, in: channel).contains(Self.word)
        }
        guard isRemembered else { throw Disappointment(description: "what was said before is not remembered") }
        let others = [
            try await answer(to: question, alice, in: alice.nick), try await answer(to: question, bob, in: channel),
        ]
        try await startAfresh(alice)
        for answer in others + [try await answer(to: question, alice, in: channel)] where answer.contains(Self.word) {
            throw Disappointment(description: "what was said elsewhere is remembered: \(answer)")
        }

        title("They stop an answer and ask again")
        for person in [alice, bob] { try await comeToRest(person) }
        alice.say("Tell me the story of the violet.", in: channel)
        alice.say("\(bot): STOP", in: channel)
        try await alice.awaitNotice(from: bot, containing: "Stopped.")
        try await comeToRest(alice)
        alice.tell(bot, "HISTORY 1")
        try await alice.awaitNotice(from: bot, containing: "Q: Tell me the story of the violet.")
        try await alice.awaitNotice(from: bot, containing: "(you stopped this answer)")
        bob.say("Is the moon made of cheese?", in: channel)
        _ = try await bob.awaitAnswer(from: bot, in: channel)
        alice.say("\(bot): RETRY", in: channel)
        let story = try await alice.awaitAnswer(from: bot, in: channel)
        alice.tell(bot, "HISTORY 1")
        try await awaitExchange("Tell me the story of the violet.", story, on: alice)
    }

    /// An answer may still be coming in when its first line is there; STOP would mean that one.
    private func comeToRest(_ person: Person) async throws {
        var notice = ""
        while !notice.hasPrefix("You have no question under way") {
            person.tell(bot, "STOP")
            notice = try await person.awaitNotice(from: bot, containing: "stop")
        }
    }

    private func startAfresh(_ person: Person) async throws {
        person.say("\(bot): NEW", in: channel)
        try await person.awaitNotice(from: bot, containing: "A new conversation in \(channel)")
    }

    /// The first line of it. `place` is the channel, or the person's own nick for what is said in private.
    private func answer(to question: String, _ person: Person, in place: String) async throws -> String {
        if place == channel { person.say(question, in: channel) } else { person.tell(bot, question) }
        return try await person.awaitAnswer(from: bot, in: place)
    }

    private func leave(_ alice: Person, _ bob: Person) async throws {
        title("They leave")
        for person in [alice, bob] {
            person.tell(bot, "LOGOUT")
            try await person.awaitNotice(from: bot, containing: "You are logged out of \(person.nick)")
        }
        try expectNothing(of: "Tell me something about the moon.", on: alice)
        try expectNothing(of: "And for a dog?", on: bob)
        for person in [alice, bob] {
            try expectNothing(of: "first-visit-", on: person)
            try expectNothing(of: "(there was no answer)", on: person)
            try expectNothing(of: "(the answer broke off here)", on: person)
        }
        alice.quit()
        bob.quit()
    }

    private func title(_ text: String) { print("\n\(text)") }

    /// The bot never said these words to that person alone.
    private func expectNothing(of words: String, on person: Person) throws {
        guard person.heard(from: bot).contains(where: { $0.contains(words) }) else { return }
        throw Disappointment(description: "\(person.nick) read '\(words)' from \(bot)")
    }
}

/// What should not have been.
struct Disappointment: Error, CustomStringConvertible {
    let description: String
}
