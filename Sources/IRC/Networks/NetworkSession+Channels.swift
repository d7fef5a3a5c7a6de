import Domain
import IRCProtocol
import Network
import Runtime

/// Where the network's session is and is to be, and what becomes of it.
extension NetworkSession {
    func follow(_ kind: ChatEvent.Kind) {
        guard let relay else { return }
        switch kind {
        case .entered(let channel):
            guard plan.contains(channel, relay.mapping) else {
                return leave(channel)
            }
            if plan.isInside(channel, relay.mapping) {
                beginAnew("the bot joined \(channel), where it was", inside: channel)
            } else {
                plan.entered(channel, relay.mapping)
            }
            log.info("joined", ["network": settings.name, "channel": channel])
        case .members(let channel, _):
            guard plan.contains(channel, relay.mapping) else { return }
            relay.inquire(about: channel)
        default: break
        }
        tell(kind)
    }

    /// Forwarded or forced: the bot is only where its operator wants it. Nobody is heard in other channels, so that there is time
    /// to leave: a server may force the bot into more of them than there is room for lines.
    private func leave(_ channel: ChannelName) {
        guard unwanted.count < Self.maxUnwanted else { return }
        unwanted.append(channel.spelling)
        if unwanted.count == 1 { leaveNext() }
    }

    private func leaveNext() {
        guard let relay, let channel = unwanted.first else { return }
        log.warning("leaves a channel it was not meant for", ["network": settings.name, "channel": channel])
        relay.send(.part(channel: channel))
        leaving.set(after: Self.leavingPause) { [weak self] in
            guard let self else { return }
            if !unwanted.isEmpty { unwanted.removeFirst() }
            leaveNext()
        }
    }

    func joinDue() {
        guard let relay, relay.stage == .online else { return }
        for channel in plan.due(at: time.now()) {
            relay.send(.join(channel: channel.name, key: channel.key?.reveal()))
        }
        guard let next = plan.next else { return }
        retries.set(after: next - time.now()) { [weak self] in self?.joinDue() }
    }

    /// Asks once more who is in the channels, not for every sign of doubt.
    func countAgain() {
        guard !isRecounting else { return }
        isRecounting = true
        recount.set(after: .seconds(5)) { [weak self] in
            guard let self, let relay else { return }
            isRecounting = false
            for channel in plan.entered { relay.send(.whole("NAMES \(channel)")) }
        }
    }

    func removed(from channel: ChannelName, _ how: String, _ reason: String) {
        // Not so where the bot left a channel by itself.
        guard let relay, plan.contains(channel, relay.mapping) else { return }
        let consequence = plan.removed(from: channel, at: time.now(), relay.mapping)
        note(consequence, how, channel.spelling, reason)
        relay.outbox.discard(in: channel)
        tell(.expelled(channel, reason: reason))
        joinDue()
    }

    func invited(to channel: ChannelName, by person: Person) {
        guard let relay else { return }
        guard plan.invited(to: channel, at: time.now(), relay.mapping) else { return }
        log.info(
            "invited", ["network": settings.name, "channel": channel, "by": "\(person.nick)!\(person.address)"])
        joinDue()
    }

    /// The same people in the same place: the bot stays, by what its operator decided for the old name.
    func renamed(_ old: ChannelName, to new: ChannelName) {
        guard let relay, plan.renamed(old, to: new, relay.mapping) else { return }
        log.warning(
            "a channel has another name; the configuration has the old one",
            ["network": settings.name, "channel": old, "name": new])
        relay.outbox.retarget(in: old, to: new)
        relay.rename(old, to: new)
        tell(.channelRenamed(old, to: new))
    }

    func refused(_ target: String, _ numeric: Int, _ reason: String) {
        guard let relay else { return }
        let channel = relay.support.channel(of: target)
        if let channel,
            let consequence = plan.refused(channel, by: numeric, at: time.now(), relay.mapping)
        {
            note(consequence, "JOIN refused", target, reason)
            return joinDue()
        }
        // Where answers carry labels, one without is about nothing that was said.
        guard Relay.refusals.contains(numeric), !relay.outbox.isProofOffered else { return }
        undeliverable(relay.support.target(target), reason)
    }

    func undeliverable(_ target: Target, _ reason: String) {
        log.info("refused", ["network": settings.name, "target": target.spelling, "reason": reason])
        relay?.outbox.refuse(target, reason)
        tell(.refused(target, reason: reason))
    }

    private func note(_ consequence: ChannelPlan.Consequence?, _ what: String, _ channel: String, _ reason: String) {
        switch consequence {
        case .retry(let wait):
            log.warning(
                "kept out of a channel",
                [
                    "network": settings.name, "channel": channel, "why": what, "reason": reason,
                    "retry_s": wait.components.seconds,
                ])
        case .givenUp, nil:
            log.error(
                "kept out of a channel for good",
                ["network": settings.name, "channel": channel, "why": what, "reason": reason])
        }
    }
}
