import Domain
import IRCProtocol

/// What the library's callbacks mean, in the words of the house.
extension Relay {
    func take(_ dispatch: Dispatch) {
        switch dispatch.kind {
        case .connected: greeted()
        case .message: heard(dispatch)
        case .joined: joined(dispatch)
        case .parted: parted(dispatch)
        case .kicked: kicked(dispatch)
        case .quit: emit(.chat(.quit(person(of: dispatch).nick)))
        case .invited: invited(dispatch)
        case .renamed: emit(.chat(.renamed(person(of: dispatch), to: Nick(dispatch.params[0], mapping))))
        case .numeric(let numeric): received(numeric, dispatch)
        case .other("ACCOUNT"):
            guard registration.isAccountTold else { return }
            let account = ServicesAccount.name(dispatch.params.first)
            emit(.chat(.servicesAccount(person(of: dispatch, account: account))))
        case .other("CHGHOST"):
            emit(.chat(.moved(person(of: dispatch), user: dispatch.params[0], host: dispatch.params[1])))
        case .other("RENAME"):
            guard let old = support.channel(of: dispatch.params[0]), let new = support.channel(of: dispatch.params[1])
            else { return }
            emit(.channelRenamed(old, to: new))
        case .other: break
        }
    }

    /// Private or not is decided by the target and our own nick, never by which callback fired.
    private func heard(_ dispatch: Dispatch) {
        guard let own, dispatch.params.count == 2 else { return }
        let sender = person(of: dispatch)
        guard sender.nick != own.nick else { return }
        let place: Place
        if let shared = support.place(of: dispatch.params[0]) {
            place = shared
        } else if own.isSelf(dispatch.params[0], mapping) {
            place = .direct
        } else {
            return
        }
        let words = dispatch.note.text ?? TextFormatting.words(of: dispatch.params[1])
        let text = TextFormatting.trimmed(words.utf8[...])
        guard !text.isEmpty else { return }
        let note = dispatch.note
        let message = Message(
            sender: sender, place: place, text: text, isAction: note.isAction, isGarbled: note.isGarbled,
            isFull: note.isFull, indentation: words.utf8.prefix { $0 == 0x20 }.count,
            endsInBlank: words.utf8.last == 0x20)
        emit(.chat(.message(message)))
    }

    private func joined(_ dispatch: Dispatch) {
        guard let channel = support.channel(of: dispatch.params[0]) else { return }
        var person = person(of: dispatch)
        // Without the account what stands behind the channel is the real name.
        if dispatch.params.count > 2, registration.isAccountTold, registration.enabled.contains("extended-join") {
            person.servicesAccount = ServicesAccount.name(dispatch.params[1])
        }
        emit(.chat(isOwn(person) ? .entered(channel) : .joined(person, channel)))
    }

    private func parted(_ dispatch: Dispatch) {
        guard let channel = support.channel(of: dispatch.params[0]) else { return }
        let person = person(of: dispatch)
        let reason = dispatch.params.count > 1 ? dispatch.params[1] : ""
        emit(isOwn(person) ? .removed(channel, how: "parted", reason: reason) : .chat(.left(person.nick, channel)))
    }

    private func invited(_ dispatch: Dispatch) {
        guard dispatch.params.count > 1, let own, own.isSelf(dispatch.params[0], mapping),
            let channel = support.channel(of: dispatch.params[1])
        else { return }
        emit(.invited(channel, by: person(of: dispatch)))
    }

    private func kicked(_ dispatch: Dispatch) {
        guard dispatch.params.count > 1, let channel = support.channel(of: dispatch.params[0]) else { return }
        let nick = Nick(dispatch.params[1], mapping)
        guard nick == own?.nick else { return emit(.chat(.left(nick, channel))) }
        emit(.removed(channel, how: "kicked", reason: dispatch.params.count > 2 ? dispatch.params[2] : ""))
    }

    private func received(_ numeric: Int, _ dispatch: Dispatch) {
        let params = dispatch.params
        switch numeric {
        case _ where isAboutMembers(numeric, params): break
        case 376, 422: break
        default:
            guard params.count >= 2 else { return }
            emit(.refused(target: params[1], numeric: numeric, reason: params.last ?? ""))
        }
    }

    private func isOwn(_ person: Person) -> Bool { person.nick == own?.nick }

    private func person(of dispatch: Dispatch) -> Person {
        person(of: dispatch, account: dispatch.note.servicesAccount)
    }

    private func person(of dispatch: Dispatch, account: String?) -> Person {
        Person(mask: dispatch.origin, mapping, servicesAccount: account)
    }
}
