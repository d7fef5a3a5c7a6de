import Domain

/// Who said a line, and what is known of them at that moment.
struct Speaker: Sendable {
    let connection: ConnectionID
    let person: Person
    /// Where it was said.
    let place: Place
    /// To whom goes what is said in return.
    let addressee: Addressee
    let login: Login?

    var nick: Nick { person.nick }

    /// Nil where the bot would not see them leave: they share no channel with it, and no server watches them.
    var visit: VisitID? {
        guard case .visit(let visit) = addressee else { return nil }
        return visit
    }
}
