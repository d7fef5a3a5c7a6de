import Domain

extension AccountCommand {
    /// Understands the words after `confab account`.
    init(_ options: inout Options) throws(Invocation.UsageError) {
        let verb = try options.word("what to do with accounts")
        switch verb {
        case "list": self = .list
        case "show": self = .show(try Self.name(&options))
        case "disable": self = .disable(try Self.name(&options))
        case "enable": self = .enable(try Self.name(&options))
        case "set-password": self = .setPassword(try Self.name(&options))
        case "delete":
            let isSure = options.flag("--yes")
            self = .delete(try Self.name(&options), isSure: isSure)
        case "admin":
            let name = try Self.name(&options)
            let isOn = try options.word("on or off")
            guard ["on", "off"].contains(isOn) else { throw Invocation.UsageError(words: "\(isOn): say on or off.") }
            self = .admin(name, isOn: isOn == "on")
        default: throw Invocation.UsageError(words: "nothing called \(verb) can be done with accounts.")
        }
    }

    private static func name(_ options: inout Options) throws(Invocation.UsageError) -> AccountName {
        let word = try options.word("the account")
        guard let name = AccountName(word) else { throw Invocation.UsageError(words: "\(word) is no account name.") }
        return name
    }
}
