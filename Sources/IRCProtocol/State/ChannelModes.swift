/// Which members of a channel have an operator's rank, as NAMES and MODE tell it, and where only plain text is taken.
///
/// `PREFIX=(qaohv)~&@%+` names ranks from the highest down; whoever has `o` or one above it may do what operators do.
/// https://modern.ircdocs.horse/#prefix-parameter
extension ISupport {
    /// A member was given a rank, or lost it.
    package struct RankChange: Equatable, Sendable {
        package let nick: String
        package let rank: Character
        package let isHeld: Bool
    }

    /// The rank that a mark before a nick stands for; nil for one below operators.
    package func operatorRank(of mark: Character) -> Character? {
        let (letters, marks) = prefix
        guard let place = marks.firstIndex(of: mark) else { return nil }
        let letter = letters.dropFirst(marks.distance(from: marks.startIndex, to: place)).first
        return letter.flatMap { operatorRanks.contains($0) ? $0 : nil }
    }

    /// The letters of the ranks that make an operator; empty where there is no `o`.
    package var operatorRanks: Substring {
        let letters = prefix.letters
        return letters.firstIndex(of: "o").map { letters[...$0] } ?? ""
    }

    /// What a MODE line changes about operators; `params` are the modes and their parameters, without the channel.
    ///
    /// A letter takes a parameter by its kind (`CHANMODES`); one the server never announced is taken to have none.
    package func rankChanges(_ params: [String]) -> [RankChange] {
        let ranks = operatorRanks
        return modeChanges(params).compactMap { change in
            guard ranks.contains(change.letter), let nick = change.argument else { return nil }
            return RankChange(nick: nick, rank: change.letter, isHeld: change.isSet)
        }
    }

    /// The modes by which text with formatting codes is refused, or loses them: `c` on every server that has it, `S` on
    /// InspIRCd and UnrealIRCd; only where the letter is a plain switch.
    package var plainTextModes: Set<Character> { Set(channelModes.dropFirst(3).first ?? "").intersection("cS") }

    /// What a MODE line, or the list of a channel's modes (324), says about those modes.
    package func plainTextChanges(_ params: [String]) -> [Character: Bool] {
        let modes = plainTextModes
        let changes = modeChanges(params).filter { modes.contains($0.letter) }
        return Dictionary(changes.map { ($0.letter, $0.isSet) }) { $1 }
    }

    private func modeChanges(_ params: [String]) -> [(letter: Character, argument: String?, isSet: Bool)] {
        var changes: [(letter: Character, argument: String?, isSet: Bool)] = []
        var arguments = params.dropFirst()
        var isAdding = true
        let ranks = prefix.letters
        let kinds = channelModes
        for letter in params.first ?? "" {
            switch letter {
            case "+": isAdding = true
            case "-": isAdding = false
            case _ where ranks.contains(letter):
                guard let nick = arguments.popFirst() else { return changes }
                changes.append((letter, nick, isAdding))
            default:
                let kind = kinds.firstIndex { $0.contains(letter) } ?? 3
                let hasArgument = kind < 2 || kind == 2 && isAdding
                changes.append((letter, hasArgument ? arguments.popFirst() : nil, isAdding))
            }
        }
        return changes
    }
}
