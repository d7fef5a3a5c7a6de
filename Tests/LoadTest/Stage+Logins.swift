import Runtime
import TestKit

/// What a wrong password tells of who has an account.
extension Stage {
    /// Wrong passwords for names that have an account and for names that have none, in turns, each guesser from a host of
    /// their own. The medians are to be alike, within 10 %: whoever guesses must not learn from the time which names there
    /// are.
    func measureWrongLogins(of people: Int, rounds: Int) async throws {
        var known: [Duration] = []
        var unknown: [Duration] = []
        for round in 0..<rounds {
            network.send(":g\(round)!g@guess\(round).test JOIN #load")
            let names = [("p\(round % people)", true), ("stranger\(round)", false)]
            for (name, isKnown) in round % 2 == 0 ? names : names.reversed() {
                let took = try await guess(at: name, by: round)
                if isKnown { known.append(took) } else { unknown.append(took) }
            }
        }
        let medians = (known: known.sorted()[rounds / 2], unknown: unknown.sorted()[rounds / 2])
        report("a wrong password for a known name:   \(spread(known))")
        report("a wrong password for an unknown one: \(spread(unknown))")
        report("the medians differ by \(Int((medians.known / medians.unknown - 1) * 1000)) thousandths")
    }

    private func guess(at name: String, by guesser: Int) async throws -> Duration {
        let start = Time.system.now()
        network.send(":g\(guesser)!g@guess\(guesser).test PRIVMSG confab :LOGIN \(name) wrong-horse")
        let line = try await network.expect("the answer to the guess at \(name)") {
            $0.command == "NOTICE" && $0.target == "g\(guesser)"
                && $0.text.contains("Wrong account or password.")
        }
        return line.receivedAt - start
    }
}
