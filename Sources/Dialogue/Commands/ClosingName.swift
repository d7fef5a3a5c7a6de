import Domain

/// The bot's name where people put it last: `what is 2+2, bot?`, `thanks, bot!`, `what do you think @bot`.
///
/// A comma or an `@` must stand before it. A sentence that happens to end with the name (`I like bot`) is not for the bot.
enum ClosingName {
    /// What the line says without the name, its closing signs kept; nil where it does not end with the name.
    static func text(before nick: Nick, in line: Substring, _ mapping: CaseMapping) -> String? {
        let named = line.dropLast(while: { $0.isWhitespace || "?!.…？！。".contains($0) })
        let signs = line[named.endIndex...].filter { !$0.isWhitespace }
        guard let name = String(named.utf8.suffix(nick.folded.utf8.count)), mapping.fold(name) == nick.folded else {
            return nil
        }
        var rest = named[..<(named.utf8.index(named.endIndex, offsetBy: -name.utf8.count))]
        let isMention = rest.last == "@"
        if isMention { rest = rest.dropLast() }
        let before = rest.dropLast(while: { $0.isWhitespace })
        let isApart = before.endIndex != rest.endIndex
        // Commas of scripts that put no space behind them stand alone.
        guard isMention ? isApart : before.last.map({ $0 == "," ? isApart : ",，、،".contains($0) }) ?? false else {
            return nil
        }
        let said = before.dropLast(while: { $0.isWhitespace || ",，、،".contains($0) })
        return said.contains(where: { $0.isLetter || $0.isNumber }) ? String(said) + signs : nil
    }
}

extension Substring {
    /// Looks at no more of it than is dropped.
    fileprivate func dropLast(while isDropped: (Character) -> Bool) -> Substring {
        var rest = self
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
