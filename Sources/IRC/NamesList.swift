import Domain

/// Collects the NAMES of channels until each list is complete (353 … 366).
struct NamesList: Sendable {
    private var open: [ChannelName: [Nick]] = [:]

    /// Takes a 353: `me = #channel :@alice +bob`; with userhost-in-names the nicks come as masks.
    mutating func add(_ names: String, to channel: ChannelName, marks: String, _ mapping: CaseMapping) {
        let nicks = names.split(separator: " ").map { name in
            Nick(String(name.drop { marks.contains($0) }.prefix { $0 != "!" }), mapping)
        }
        open[channel, default: []] += nicks
    }

    /// Takes a 366: the whole list, and it is forgotten here.
    mutating func finish(_ channel: ChannelName) -> [Nick] { open.removeValue(forKey: channel) ?? [] }
}
