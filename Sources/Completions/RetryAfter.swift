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
        return moment(text).flatMap { seconds(Double($0) - Double(now.milliseconds) / 1000) }
    }

    /// Seconds since 1970 of a date like `Sun, 06 Nov 1994 08:49:37 GMT`, the one form servers may still send.
    private static func moment(_ text: String) -> Int? {
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        let parts = text.split(separator: " ").map(String.init)
        guard parts.count == 6, let day = Int(parts[1]), let month = months.firstIndex(of: parts[2]),
            let year = Int(parts[3]), (1970...9999).contains(year), (1...31).contains(day)
        else { return nil }
        let clock = parts[4].split(separator: ":").compactMap { Int($0) }
        guard clock.count == 3, clock.allSatisfy({ (0...60).contains($0) }) else { return nil }
        // Years begin in March here, so that the leap day is their last.
        let marchYear = month < 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 10) % 12) + 2) / 5 + day - 1
        let days = marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear - 719_468
        return days * 86_400 + clock[0] * 3600 + clock[1] * 60 + clock[2]
    }

    /// Never negative and never beyond a day: nobody waits longer, and a `Duration` cannot hold just any number.
    private static func seconds(_ number: Double) -> Duration? {
        number.isFinite ? .milliseconds(Int64(min(max(number, 0), 86_400) * 1000)) : nil
    }
}
