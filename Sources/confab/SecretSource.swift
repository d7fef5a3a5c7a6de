import Domain
import Glibc

/// Where secrets come from: a file nobody else may read, a credential of systemd, or an environment variable.
struct SecretSource: Sendable {
    /// Why a file or a secret cannot be had, and the cure; holds nothing of the secret.
    struct Refusal: Error, Equatable {
        let words: String
    }

    /// Relative paths start here: the directory of the configuration.
    let directory: String
    let environment: @Sendable (String) -> String?
    /// False where nobody needs what is in them: every place is then as good as another.
    let isReading: Bool

    init(
        directory: String, isReading: Bool = true,
        environment: @escaping @Sendable (String) -> String? = Self.variable
    ) {
        self.directory = directory
        self.environment = environment
        self.isReading = isReading
    }

    /// A variable of this process.
    @Sendable static func variable(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Whether a text is plainly a place and not the secret itself: only then may it show.
    static func isReference(_ text: String) -> Bool {
        ["/", "./", "../", "credential:", "env:"].contains { text.hasPrefix($0) }
    }

    func resolve(_ path: String) -> String { path.hasPrefix("/") ? path : "\(directory)/\(path)" }

    /// The secret at a place: `PATH`, `credential:NAME` (a file of `$CREDENTIALS_DIRECTORY`, see systemd.exec(5)
    /// `LoadCredential=`), or `env:NAME`. Line ends after it are taken off.
    func read(_ reference: String) throws(Refusal) -> Secret {
        guard isReading else { return Secret("") }
        let bytes: [UInt8]
        if reference.hasPrefix("env:") {
            let name = String(reference.dropFirst("env:".count))
            guard let value = environment(name) else {
                throw Refusal(words: "the environment variable \(name) is not set. Set it where the bot is started.")
            }
            bytes = Array(value.utf8)
        } else if reference.hasPrefix("credential:") {
            let name = reference.dropFirst("credential:".count)
            guard let credentials = environment("CREDENTIALS_DIRECTORY") else {
                throw Refusal(
                    words: "systemd gave the bot no credentials. Put LoadCredential=\(name):PATH into its unit.")
            }
            guard !name.isEmpty, !name.contains("/") else {
                throw Refusal(words: "no name of a credential. Write credential:NAME.")
            }
            // systemd sees to its mode, by an access list where the mode alone would look too open.
            bytes = try contents(of: "\(credentials)/\(name)", isPrivate: false, limit: Self.largest)
        } else {
            bytes = try contents(of: resolve(reference), isPrivate: true, limit: Self.largest)
        }
        return try secret(in: bytes)
    }

    /// A file's bytes. With `isPrivate` it must belong to this user or root and be closed to everybody else.
    func contents(of path: String, isPrivate: Bool, limit: Int) throws(Refusal) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Refusal(words: "cannot be read: \(Self.words(for: errno)). Look at the path and its owner.")
        }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Refusal(words: "not a file. Name a file.")
        }
        if isPrivate {
            guard status.st_uid == geteuid() || status.st_uid == 0 else {
                throw Refusal(words: "belongs to another user. Type: chown \(geteuid()) \(path)")
            }
            guard status.st_mode & 0o077 == 0 else {
                throw Refusal(words: "others on this machine may read it. Type: chmod 600 \(path)")
            }
        }
        guard status.st_size <= limit else { throw Refusal(words: "larger than \(limit) bytes. Is it the right file?") }
        return Self.readAll(descriptor, limit: limit)
    }

    /// No password or key is longer.
    private static let largest = 16 << 10

    private func secret(in bytes: [UInt8]) throws(Refusal) -> Secret {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Refusal(words: "holds bytes that are not UTF-8. Save it as plain text.")
        }
        let trimmed = text.unicodeScalars.reversed().drop { $0 == "\n" || $0 == "\r" }.reversed()
        guard !trimmed.isEmpty else { throw Refusal(words: "empty. Put the secret into it, on one line.") }
        guard trimmed.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
            throw Refusal(words: "more than one line, or a control character in it. Put the secret alone on one line.")
        }
        var view = String.UnicodeScalarView()
        view.append(contentsOf: trimmed)
        return Secret(String(view))
    }

    private static func readAll(_ descriptor: Int32, limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count <= limit {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private static func words(for error: Int32) -> String { unsafe String(cString: strerror(error)) }
}
