/// What the command line asks for.
enum Invocation: Equatable {
    /// The file is nil where the default ones are to be looked for.
    case run(file: String?)
    case check(file: String?, isConnecting: Bool)
    case status(file: String?)
    case account(AccountCommand, file: String?)
    case ignore(IgnoreCommand, file: String?)
    case version
    case help

    /// Why a command line is not understood.
    struct UsageError: Error, Equatable { let words: String }

    /// Understands the arguments after the program's name.
    init(arguments: [String]) throws(UsageError) {
        guard let command = arguments.first else { throw UsageError(words: "no command.") }
        var options = Options(rest: arguments.dropFirst())
        switch command {
        case "run":
            let file = try options.value(of: "--config")
            self = .run(file: file)
        case "check":
            let file = try options.value(of: "--config")
            self = .check(file: file, isConnecting: options.flag("--connect"))
        case "status":
            let file = try options.value(of: "--config")
            self = .status(file: file)
        case "account":
            let file = try options.value(of: "--config")
            self = .account(try AccountCommand(&options), file: file)
        case "ignore":
            let file = try options.value(of: "--config")
            self = .ignore(try IgnoreCommand(&options), file: file)
        case "help", "--help", "-h": self = .help
        case "version", "--version": self = .version
        default: throw UsageError(words: "no command called \(command).")
        }
        try options.finish()
    }
}

/// The options after a command, each taken out by whoever knows it.
struct Options {
    var rest: ArraySlice<String>

    /// The value of `name VALUE` or `name=VALUE`.
    mutating func value(of name: String) throws(Invocation.UsageError) -> String? {
        guard let index = rest.firstIndex(where: { $0 == name || $0.hasPrefix(name + "=") }) else { return nil }
        let option = rest.remove(at: index)
        if option != name { return String(option.dropFirst(name.count + 1)) }
        guard index < rest.endIndex else { throw Invocation.UsageError(words: "\(name) needs a value.") }
        return rest.remove(at: index)
    }

    mutating func flag(_ name: String) -> Bool {
        guard let index = rest.firstIndex(of: name) else { return false }
        rest.remove(at: index)
        return true
    }

    /// The next word that is no option; `what` says what it should have been.
    mutating func word(_ what: String) throws(Invocation.UsageError) -> String {
        guard let word = rest.popFirst(), !word.hasPrefix("--") else {
            throw Invocation.UsageError(words: "\(what) is missing.")
        }
        return word
    }

    func finish() throws(Invocation.UsageError) {
        if let stranger = rest.first { throw Invocation.UsageError(words: "unknown option \(stranger).") }
    }
}
