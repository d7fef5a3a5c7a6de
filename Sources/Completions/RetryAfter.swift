import Domain

/// How long a server asks to be left alone.
enum RetryAfter {
    /// From `retry-after-ms`, which is the more exact one, or `retry-after` in seconds or as a date (RFC 9110, 10.2.3).
    static func wait(in headers: [String: String], now: Timestamp) -> Duration? {
        if let text = headers["retry-after-ms"], let milliseconds = Double(text) {
            return seconds(milliseconds / 1000)
        }
        guard let text = headers["retry-after"] else { return nil }
        if let number = Double(text) { return seconds(number) }
        return moment(text).flatMap { seconds(Double($0.milliseconds) / 1000 - Double(now.milliseconds) / 1000) }
    }

    /// A date like `Sun, 06 Nov 1994 08:49:37 GMT`, the one form servers may still send.
    private static func moment(_ text: String) -> Timestamp? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 6, let day = Int(parts[1]), let month = months.firstIndex(of: parts[2]),
            let year = Int(parts[3]), (1970...9999).contains(year), (1...31).contains(day)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
        return Timestamp(
            year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
    }

    /// Never negative and never beyond a day: nobody waits longer, and a `Duration` cannot hold just any number.
    private static func seconds(_ number: Double) -> Duration? {
        number.isFinite ? .milliseconds(Int64(min(max(number, 0), 86_400) * 1000)) : nil
    }
}
