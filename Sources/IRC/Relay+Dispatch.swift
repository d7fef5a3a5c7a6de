import Domain

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
        case .renamed: emit(.chat(.renamed(person(of: dispatch), to: Nick(dispatch.params[0], mapping))))
        case .numeric(let numeric): received(numeric, dispatch)
        case .other("ACCOUNT"):
            guard registration.isAccountTold else { return }
            let account = dispatch.params[0] == "*" ? nil : dispatch.params[0]
            emit(.chat(.servicesAccount(person(of: dispatch, account: account))))
        case .other("CHGHOST"):
            emit(.chat(.moved(person(of: dispatch), user: dispatch.params[0], host: dispatch.params[1])))
        case .other: break
        }
    }

    /// Private or not is decided by the target and our own nick, never by which callback fired.
    private func heard(_ dispatch: Dispatch) {
        guard let own, dispatch.params.count == 2 else { return }
        let sender = person(of: dispatch)
        guard sender.nick != own.nick else { return }
        let place: Place
        if let channel = support.channel(of: dispatch.params[0]) {
            place = .channel(channel)
        } else if own.isSelf(dispatch.params[0], mapping) {
            place = .direct
        } else {
            return
        }
        let text = TextFormatting.stripped(dispatch.params[1])
        guard !text.isEmpty else { return }
        emit(.chat(.message(Message(sender: sender, place: place, text: text, isAction: dispatch.note.isAction))))
    }

    private func joined(_ dispatch: Dispatch) {
        guard let channel = support.channel(of: dispatch.params[0]) else { return }
        var person = person(of: dispatch)
        if dispatch.params.count > 1, registration.isAccountTold, registration.enabled.contains("extended-join") {
            person.servicesAccount = dispatch.params[1] == "*" ? nil : dispatch.params[1]
        }
        emit(.chat(isOwn(person) ? .entered(channel) : .joined(person, channel)))
    }

    private func parted(_ dispatch: Dispatch) {
        guard let channel = support.channel(of: dispatch.params[0]) else { return }
        let person = person(of: dispatch)
        let reason = dispatch.params.count > 1 ? dispatch.params[1] : ""
        emit(.chat(isOwn(person) ? .expelled(channel, reason: reason) : .left(person.nick, channel)))
    }

    private func kicked(_ dispatch: Dispatch) {
        guard dispatch.params.count > 1, let channel = support.channel(of: dispatch.params[0]) else { return }
        let nick = Nick(dispatch.params[1], mapping)
        guard nick == own?.nick else { return emit(.chat(.left(nick, channel))) }
        emit(.kicked(channel, reason: dispatch.params.count > 2 ? dispatch.params[2] : ""))
    }

    private func received(_ numeric: Int, _ dispatch: Dispatch) {
        let params = dispatch.params
        switch numeric {
        case 353:
            guard params.count >= 3, let channel = support.channel(of: params[params.count - 2]) else { return }
            names.add(params[params.count - 1], to: channel, marks: support.memberMarks, mapping)
        case 366:
            guard params.count >= 2, let channel = support.channel(of: params[1]) else { return }
            let others = names.finish(channel).filter { $0 != own?.nick }
            emit(.chat(.members(channel, others)))
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
