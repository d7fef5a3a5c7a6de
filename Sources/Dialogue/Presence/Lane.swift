import Domain

/// A nick on a connection, whoever has it.
struct Lane: Hashable, Sendable {
    let connection: ConnectionID
    let nick: Nick
}
