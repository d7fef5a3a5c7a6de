import Domain
import IRCProtocol
import Synchronization

/// Leaves out what the bot said it need not hear, by the rules of the real link: so every test of the bot shows that nothing
/// else is missed by it.
final class Overlooking: Sendable {
    private struct State {
        var bystanders: [ConnectionID: Bystanders] = [:]
        /// Of the event that the bot is dealing with.
        var number: UInt64 = 0
        var count = 0
    }

    private let state = Mutex(State())
    private let now: @Sendable () -> Duration

    init(now: @escaping @Sendable () -> Duration) { self.now = now }

    /// Lines that were left out.
    var count: Int { state.withLock { $0.count } }

    func add(_ bystander: Bystander, on connection: ConnectionID) {
        let now = now()
        state.withLock { $0.bystanders[connection, default: Bystanders()].add(bystander, heard: $0.number, at: now) }
    }

    /// Whether the bot hears of this; to be asked when it is ready for it.
    func tells(_ event: ChatEvent) -> Bool {
        let now = now()
        return state.withLock { state in
            let isLeftOut = Self.line(of: event).map { line in
                state.bystanders[event.connection]?.leaveOut(Array(line.utf8)[...], at: now) ?? false
            }
            if isLeftOut == true {
                state.count += 1
                return false
            }
            state.number += 1
            state.bystanders[event.connection]?.take(event.kind, number: state.number, handled: state.number)
            return true
        }
    }

    /// As a server writes it; nil for what is no plain line in a channel.
    private static func line(of event: ChatEvent) -> String? {
        guard case .message(let message) = event.kind, case .channel(let channel) = message.place, !message.isAction,
            !message.isGarbled, !message.text.contains("\n")
        else { return nil }
        let sender = message.sender
        let tags = sender.servicesAccount.map { "@account=\($0) " } ?? ""
        return "\(tags):\(sender.nick.spelling)!\(sender.address) PRIVMSG \(channel.spelling) :\(message.text)"
    }
}
