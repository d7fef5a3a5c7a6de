import IRCProtocol
import Runtime

/// Asks whether the server is still there, and how long it takes to answer.
extension Relay {
    func startWatch() {
        watchdog.heard(at: time.now())
        checkWatch()
    }

    private func checkWatch() {
        // Nothing can be heard while reading is paused.
        if isPaused { watchdog.heard(at: time.now()) }
        switch watchdog.step(at: time.now()) {
        case .ping:
            write("PING :\(Self.pingToken)")
            checkWatch()
        case .dead: end(.lost("the server has fallen silent"))
        case .wait(let left): watch.set(after: left) { [weak self] in self?.checkWatch() }
        }
    }

    /// To be called with the server's PONG.
    func answered() { watchdog.answered(at: time.now()) }

    /// How long the server takes to answer; nil while it is not known.
    var lag: Duration? { watchdog.lag(at: time.now()) }
}
