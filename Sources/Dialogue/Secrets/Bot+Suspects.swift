import Accounts
import Domain
import Passwords
import Runtime
import Storage

/// A line that may have the password of its speaker in it.
struct SuspectLine: Sendable {
    let message: Message
    let speaker: Speaker
    let visit: VisitID
    let account: Account
    /// What of it may be the password.
    let candidates: [Secret]
    /// Its form alone keeps it from everyone; it is only open whether the password is to be closed.
    let isWithheld: Bool
}

/// Passwords that no form gives away: `anmelden alice …`, the password alone, or in the midst of a sentence.
///
/// Of whoever logged in with a password a few bits of it are known, so every word they say is held to these for next to
/// nothing. What passes is tried against the account before the line goes anywhere, and what the person says meanwhile
/// waits. Whoever was logged in otherwise is asked about by the form of the line only.
extension Bot {
    /// Words of a line that are tried; each costs a hash.
    private static let maxTried = 2

    // MARK: Deciding

    /// What has to be looked into before this line is heard; nil where nothing has.
    func suspect(
        _ message: Message, _ speaker: Speaker, _ finding: SecretFinding?
    ) -> [Work]? {
        guard let login = speaker.login, let visit = speaker.visit, !turns.isWindingDown else { return nil }
        let candidates: [String]
        if let fingerprint = login.fingerprint {
            candidates = PasswordSearch.words(
                in: message.text, shortest: settings.minPasswordLength, most: Self.maxTried, where: fingerprint.mayBe)
        } else {
            candidates = Array((finding?.lines ?? []).flatMap { Self.lastWords(of: $0) }.prefix(Self.maxTried))
                .filter { $0.count >= settings.minPasswordLength }
        }
        guard !candidates.isEmpty else { return nil }
        deferred.hold(visit)
        let line = SuspectLine(
            message: message, speaker: speaker, visit: visit, account: login.account,
            candidates: candidates.map { Secret($0) }, isWithheld: finding?.secrecy == .certain)
        suspects[visit] = line
        return [.suspect(line)]
    }

    /// The last word first: that is where commands have their passwords.
    private static func lastWords(of line: String) -> [String] {
        TypedLine.words(of: line).dropFirst().suffix(maxTried).reversed().map(String.init)
    }

    // MARK: Doing

    /// Tries the words, and hears the line where none is the password. Where that cannot be found out just now, the line
    /// is not passed on either.
    func look(into line: SuspectLine) async {
        var works: [Work] = []
        defer { suspects[line.visit] = nil }
        do {
            if try await desk.logins.isPassword(ofAny: line.candidates, of: line.account, from: line.speaker.origin) {
                guard let channel = line.speaker.place.channel else {
                    let lines = Phrases.ownPasswordInPrivate(ownNick(on: line.visit.connection))
                    await perform(notice(lines, to: line.speaker.addressee))
                    return await release(line.visit)
                }
                if !line.isWithheld { await perform(warn(of: channel, line.speaker)) }
                try await expose(line.account, line.speaker)
            } else if !line.isWithheld, let person = roster.visit(line.visit)?.person {
                works = hear(
                    line.message.said(by: person, in: line.message.place), on: line.visit.connection, isCleared: true)
            }
        } catch {
            log.warning(
                "A line could not be looked into for a password", ["account": line.account.name, "error": "\(error)"])
            works = notice(Phrases.couldNotLook, to: line.speaker.addressee)
            // What others read is looked into all the same, later.
            if line.speaker.place.channel != nil { works += exposed(line.candidates, by: line.speaker, line.account) }
        }
        if !works.isEmpty { await perform(works) }
        await release(line.visit)
    }
}
