import Glibc

extension Configuration {
    /// Reads the file that was named, else the first default one that is there, and says which it was. Nil where that is not
    /// possible, which the operator is then told with every problem.
    static func loadOrComplain(
        named file: String?, withSecrets: Bool = true
    ) -> (file: String, configuration: Configuration)? {
        do {
            return try load(named: file, withSecrets: withSecrets)
        } catch {
            complain(error.description)
            return nil
        }
    }

    private static func load(
        named file: String?, withSecrets: Bool
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
