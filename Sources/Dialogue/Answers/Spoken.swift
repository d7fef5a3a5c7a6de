import Domain

/// An answer that is being said or was lately, in case the server turns out not to take it.
struct Spoken: Sendable {
    let exchange: ExchangeID
    let number: Int
    let turn: Turn
    /// The place in it where what is being said begins.
    var start = 0
    /// When its last line was written; nil while lines wait.
    var saidAt: Duration?
    var isRefused = false
    /// Some of it carries formatting codes.
    var isFormatted = false
    /// It is about to be said without them.
    var isSaidAgain = false
}
