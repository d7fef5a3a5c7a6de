import Domain
import IRCProtocol
import Network
import Runtime

/// What is said on the connection that there is, to where people are by now.
extension NetworkSession {
    /// `heard` is the number of the last event the speaker knew.
    func speak(_ utterance: Utterance, by clearance: Clearance?, heard: UInt64) async -> Delivery {
        guard let relay = relay(on: utterance.connection), relay.stage == .online else {
            return .undelivered(.offline)
        }
        var utterance = utterance
        utterance.target = utterance.target.folded(by: relay.mapping)
        if case .nick(let nick) = utterance.target {
            guard let recipient = departures.recipient(nick, at: utterance.recipient, heard: heard) else {
                return .undelivered(.discarded)
            }
            utterance.target = .nick(recipient)
        }
        utterance.target = current(utterance.target, relay)
        if let channel = utterance.target.channel, !plan.isInside(channel, relay.mapping) {
            return .undelivered(.discarded)
        }
        let texts = relay.splitter.texts(of: plain(utterance))
        return await relay.outbox.say(
            texts, as: utterance.form, to: utterance.target, at: utterance.recipient, urgency: utterance.urgency,
            by: clearance)
    }

    func showTyping(in target: Target, on connection: ConnectionID) -> Bool {
        guard let relay = relay(on: connection) else { return false }
        return relay.showTyping(in: current(target.folded(by: relay.mapping), relay))
    }

    /// Where it is now: a channel may have another name since the speaker heard of it.
    private func current(_ target: Target, _ relay: Relay) -> Target {
        target.channel.map { target.moved(to: plan.current($0, relay.mapping)) } ?? target
    }

    func watch(_ nick: Nick, on connection: ConnectionID) -> Bool {
        guard let relay = relay(on: connection) else { return false }
        return relay.watch(Nick(nick.spelling, relay.mapping))
    }

    func unwatch(_ nick: Nick, on connection: ConnectionID) {
        guard let relay = relay(on: connection) else { return }
        relay.unwatch(Nick(nick.spelling, relay.mapping))
    }

    /// How far an utterance would get on its connection; nil when that is over.
    func extent(of utterance: Utterance) -> Extent? {
        guard let relay = relay(on: utterance.connection) else { return nil }
        let utterance = plain(utterance)
        var extent = relay.splitter.extent(of: utterance)
        let texts = relay.splitter.texts(of: utterance)
        extent.atOnce = relay.outbox.atOnce(of: texts, as: utterance.form, to: utterance.target)
        return extent
    }

    /// Without formatting where the channel wants none: lines are cut elsewhere then.
    private func plain(_ utterance: Utterance) -> Utterance {
        guard let relay, utterance.isFormatted,
            relay.isPlain(current(utterance.target.folded(by: relay.mapping), relay))
        else { return utterance }
        var plain = utterance
        plain.isFormatted = false
        return plain
    }

    /// `heard` is the number of the last event the bot knew.
    func overlook(_ bystander: Bystander, on connection: ConnectionID, heard: UInt64) {
        relay(on: connection)?.bystanders.add(bystander, heard: heard, at: time.now())
    }

    func discard(for nick: Nick, on connection: ConnectionID) {
        relay(on: connection)?.outbox.discard(for: .nick(nick))
    }

    /// What was decided for one connection is not for the next.
    private func relay(on connection: ConnectionID) -> Relay? { connection == self.connection ? relay : nil }
}
