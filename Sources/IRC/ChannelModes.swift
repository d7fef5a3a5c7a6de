/// Which members of a channel have an operator's rank, as NAMES and MODE tell it.
///
/// `PREFIX=(qaohv)~&@%+` names ranks from the highest down; whoever has `o` or one above it may do what operators do.
/// https://modern.ircdocs.horse/#prefix-parameter
extension ISupport {
    /// A member was given a rank, or lost it.
    struct RankChange: Equatable, Sendable {
        let nick: String
        let rank: Character
        let isHeld: Bool
    }

    /// The rank that a mark before a nick stands for; nil for one below operators.
    func operatorRank(of mark: Character) -> Character? {
        let (letters, marks) = prefix
        guard let place = marks.firstIndex(of: mark) else { return nil }
        let letter = letters.dropFirst(marks.distance(from: marks.startIndex, to: place)).first
        return letter.flatMap { operatorRanks.contains($0) ? $0 : nil }
    }

    /// The letters of the ranks that make an operator; empty where there is no `o`.
    var operatorRanks: Substring {
        let letters = prefix.letters
        return letters.firstIndex(of: "o").map { letters[...$0] } ?? ""
    }

    /// What a MODE line changes about operators; `params` are the modes and their parameters, without the channel.
    ///
    /// A letter takes a parameter by its kind (`CHANMODES`); one the server never announced is taken to have none.
    func rankChanges(_ params: [String]) -> [RankChange] {
        var changes: [RankChange] = []
        var arguments = params.dropFirst()
        var isAdding = true
        let kinds = channelModes
        for letter in params.first ?? "" {
            switch letter {
            case "+": isAdding = true
            case "-": isAdding = false
            case _ where prefix.letters.contains(letter):
                guard let nick = arguments.popFirst() else { return changes }
                guard operatorRanks.contains(letter) else { continue }
                changes.append(RankChange(nick: nick, rank: letter, isHeld: isAdding))
            default:
                let kind = kinds.firstIndex { $0.contains(letter) } ?? 3
                if kind < 2 || kind == 2 && isAdding { _ = arguments.popFirst() }
            }
        }
        return changes
    }

    private var prefix: (letters: Substring, marks: Substring) {
        guard let prefix = prefixToken else { return ("ov", "@+") }
        guard prefix.first == "(", let end = prefix.firstIndex(of: ")") else { return ("", "") }
        return (prefix[..<end].dropFirst(), prefix[end...].dropFirst())
    }
}
