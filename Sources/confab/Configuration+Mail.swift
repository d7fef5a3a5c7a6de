import Domain
import Network

extension MailServer {
    /// `[mail]`: a server that takes mail, TLS but to this machine itself.
    init(_ table: TableReader) {
        let url = table.required("url", example: "smtps://mail.example.org:465", where: Self.urlProblem)
        let from = table.required("from", example: "confab@example.org") {
            EmailAddress($0) == nil ? "no e-mail address. Write e.g. \"confab@example.org\"." : nil
        }
        let username: String? = table.optional("username", where: Checks.line)
        let password = table.secret("password_file")
        if username != nil && !table.isPresent("password_file") {
            table.refuse("password_file", "a user name needs a password. Name the file that holds it.")
        }
        if username == nil && table.isPresent("password_file") {
            table.refuse("username", "a password without its user name. Add it, or take password_file out.")
        }
        guard let sender = EmailAddress(from) ?? EmailAddress("confab@example.org") else {
            preconditionFailure("the example is no address")
        }
        let host = WebAddress(url)?.host ?? ""
        self.init(
            url: url, from: sender, username: username, password: password, caFile: table.file("ca_file"),
            isTLSRequired: !Checks.isLoopback(host))
    }

    private static func urlProblem(_ text: String) -> String? {
        guard let url = WebAddress(text), ["smtp", "smtps"].contains(url.scheme) else {
            return
                "no URL of a mail server. Write e.g. \"smtps://mail.example.org:465\" or \"smtp://mail.example.org:587\"."
        }
        if url.hasUser { return "holds a user name. Keep it in username, and the password in password_file." }
        if !url.path.isEmpty { return "holds a path. End it after host and port." }
        return Checks.host(url.host)
    }
}
