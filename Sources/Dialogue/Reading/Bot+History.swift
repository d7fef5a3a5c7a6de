import Domain
import Formatting
import Runtime
import Storage

/// HISTORY: someone's own exchanges, to them alone.
///
/// It is said exchange by exchange, and before each it is seen to that the same person is still there and logged in to the
/// account it belongs to. The link lets everyone else's lines in between.
extension Bot {
    func history(_ speaker: Speaker, _ arguments: [String]) -> [Work] {
        guard let visit = speaker.visit else { return [] }
        let count = arguments.isEmpty ? Command.usualHistory : Int(arguments[0]) ?? 0
        guard (1...Command.maxHistoryCount).contains(count), arguments.count <= 1 else {
            return notice(Phrases.historyCount(Command.maxHistoryCount, ownNick(on: speaker.connection)), to: speaker)
        }
        return [.history(speaker, visit, count: count)]
    }

    /// Takes back what waits to be said of the HISTORY that somebody is reading; false where they read none.
    func endHistory(of speaker: Speaker) -> Bool {
        speaker.visit.map { readings.stop(by: $0) } ?? false
    }

    func showHistory(_ speaker: Speaker, _ visit: VisitID, _ count: Int) async {
        guard let account = speaker.login?.account else { return }
        let reading = readings.begin(by: visit)
        defer { readings.end(reading, of: visit) }
        guard await isStillGood(account) else { return }
        do {
            let exchanges = try await store.history(of: account.id, last: count)
            guard !exchanges.isEmpty else {
                await say(Phrases.noHistory, prefix: "", reading, visit, account)
                return
            }
            guard await say([Phrases.historyOpening(exchanges.count)], prefix: "", reading, visit, account) else {
                return
            }
            for exchange in exchanges {
                var lines = Self.lines(of: exchange)[...]
                while !lines.isEmpty {
                    let page = Array(lines.prefix(Self.page))
                    guard await say(page, prefix: "[\(exchange.number)] ", reading, visit, account) else { return }
                    lines = lines.dropFirst(page.count)
                }
            }
            await say([Phrases.historyEnd], prefix: "", reading, visit, account)
        } catch {
            log.storeFailed(error, during: "HISTORY", of: account.name)
            await say(Phrases.storeFailed, prefix: "", reading, visit, account)
        }
    }

    /// Lines that are handed to the link at once: what is pasted, or answered, may be longer than its queue for one person.
    private static let page = 50

    /// False where it must not go on: the person has gone, logged out or asked for another HISTORY, or the network did
    /// not take it.
    @discardableResult
    private func say(
        _ lines: [String], prefix: String, _ reading: Readings.ID, _ visit: VisitID, _ account: Account
    ) async -> Bool {
        guard readings.isCurrent(reading, of: visit), let nick = roster.visit(visit)?.nick else { return false }
        guard roster.login(of: visit, now: time.now())?.account.id == account.id else { return false }
        let lane = Lane(connection: visit.connection, nick: nick)
        let executor = Task.executorPreference
        let page = Task.immediate(executorPreference: executor) { await say(lines, to: lane, .listing, prefix: prefix) }
        readings.beginSaying(of: reading) { page.cancel() }
        defer { readings.endSaying(of: reading) }
        return await page.value == .sent
    }

    private static func lines(of exchange: Exchange) -> [String] {
        let place = exchange.channel.map { "\($0) on \(exchange.network)" } ?? "in private on \(exchange.network)"
        let question = exchange.question.split(separator: "\n").map(String.init)
        var lines = ["\(exchange.askedAt), \(place)"] + opened("Q", question)
        if let answer = exchange.answer { lines += opened("A", Markdown.plainLines(answer)) }
        if let state = Phrases.state(exchange) { lines.append(state) }
        return lines
    }

    /// Lines behind a letter that only the first of them shows.
    private static func opened(_ letter: String, _ lines: [String]) -> [String] {
        let visible = lines.filter(\.isVisible)
        guard !visible.isEmpty else { return ["\(letter): \(Phrases.nothingToShow)"] }
        return visible.enumerated().map { ($0.offset == 0 ? "\(letter): " : "   ") + $0.element }
    }
}
