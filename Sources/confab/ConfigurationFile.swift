import Glibc

extension Configuration {
    /// Reads the file that was named, else the first default one that is there; says which it was.
    static func load(
        named file: String?, withSecrets: Bool = true
    ) throws(ConfigurationProblems) -> (file: String, configuration: Configuration) {
        let found = file ?? defaultFiles.first { unsafe access($0, F_OK) == 0 }
        guard let found else {
            let words =
                "there is neither ./confab.toml nor /etc/confab/confab.toml. Copy deploy/confab.toml there, or name "
                + "one with --config FILE."
            throw ConfigurationProblems("confab", words)
        }
        return (found, try load(found, withSecrets: withSecrets))
    }
}
