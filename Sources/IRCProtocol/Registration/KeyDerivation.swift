package import Domain
import Runtime

/// The slow step of SCRAM as a piece of work: PBKDF2 over the password, at the server's salt and iteration count.
package struct KeyDerivation: Sendable, Equatable {
    package let hash: SHA2
    package let password: Secret
    package let salt: [UInt8]
    package let iterations: Int

    /// On a thread of its own, which ends with the work: neither the network nor anybody else waits for it.
    package func run() async -> [UInt8] { await DerivationThread().run(self) }

    /// The password does not count: there is one to an account, and secrets are not compared.
    package static func == (one: KeyDerivation, other: KeyDerivation) -> Bool {
        one.hash == other.hash && one.salt == other.salt && one.iterations == other.iterations
    }

    fileprivate func key() -> [UInt8] {
        hash.stretch(Array(password.reveal().utf8), salt: salt, iterations: iterations)
    }
}

private actor DerivationThread {
    private let executor = ThreadExecutor(name: "scram")

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe executor.asUnownedSerialExecutor() }

    deinit { executor.stop() }

    func run(_ work: KeyDerivation) -> [UInt8] { work.key() }
}
