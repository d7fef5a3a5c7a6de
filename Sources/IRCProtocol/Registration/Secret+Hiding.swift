package import Domain

extension Secret {
    /// A text of others, the secret in it replaced where they repeat it.
    package func hidden(in text: String) -> String { isEmpty ? text : text.replacing(reveal(), with: description) }
}
