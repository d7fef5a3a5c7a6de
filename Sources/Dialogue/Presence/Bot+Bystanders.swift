import Domain
import Runtime

/// People whose talk in a channel is none of the bot's business: the link is told so, and tells of them again when it may be.
extension Bot {
    /// To be called with a line that led to nothing. `channel` is as the server spelled it.
    ///
    /// Now and then each is heard all the same: a login ends when its owner was silent for long.
    func overlook(_ message: Message, in channel: ChannelName, _ speaker: Speaker, _ presence: Presence) {
        guard let visit = speaker.visit, rules(for: channel, on: speaker.connection)?.listen != .all,
            !gathering.isUnderWay(from: Gathering.Source(visit: visit, place: message.place), at: time.now())
        else { return }
        let names = settings.ownNicks.map(presence.mapping.fold) + [presence.ownNick.folded]
        let overhearing = Overhearing(
            presence.mapping, names: Set(names), fingerprint: speaker.login?.fingerprint,
            shortestPassword: settings.minPasswordLength)
        // What it said may have changed what is to be expected of the next line.
        guard !overhearing.isOfConcern(Array(message.text.utf8)[...]) else { return }
        let bystander = Bystander(
            message.sender, in: channel, for: min(.seconds(60), roster.limits.idle / 60),
            concerns: overhearing.isOfConcern)
        link.overlook(bystander, on: speaker.connection)
    }
}
