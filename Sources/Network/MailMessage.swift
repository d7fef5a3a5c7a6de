import Domain

/// A letter as it is sent: headers, an empty line, text, each line ending in CR LF (RFC 5322).
struct MailMessage: Sendable {
    let bytes: [UInt8]

    /// `Auto-Submitted` keeps vacation programs from answering (RFC 3834 section 5).
    init(_ letter: Letter, from: EmailAddress, at time: Timestamp) {
        let domain = from.spelling.split(separator: "@").last.map(String.init) ?? "localhost"
        let number = UInt64.random(in: 0 ... .max)
        var lines = [
            "Date: \(Self.date(time))",
            "From: Confab <\(from.spelling)>",
            "To: <\(letter.to.spelling)>",
            "Subject: \(Self.header(letter.subject))",
            "Message-ID: <\(time.milliseconds).\(String(number, radix: 36))@\(domain)>",
            "Auto-Submitted: auto-generated",
            "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8",
            "Content-Transfer-Encoding: 8bit",
            "",
        ]
        // A line end inside of a line would make a header, or another line.
        lines += letter.lines.map { line in
            String(String.UnicodeScalarView(line.unicodeScalars.filter { $0 != "\r" && $0 != "\n" && $0 != "\0" }))
        }
        bytes = Array(lines.map { $0 + "\r\n" }.joined().utf8)
    }

    /// ASCII without control characters: what a header may hold unencoded.
    private static func header(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.filter { (0x20..<0x7F).contains($0.value) }))
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// `Mon, 30 Nov 2026 05:48:00 +0000`. 1970-01-01 was a Thursday.
    /// A clock that was never set may stand before 1970, which no mail is from.
    static func date(_ time: Timestamp) -> String {
        let time = max(time, Timestamp(milliseconds: 0))
        let text = time.rfc3339
        let date = text.prefix(10).split(separator: "-")
        let clock = text.dropFirst(11).prefix(8)
        let weekday = weekdays[Int((time.milliseconds / 86_400_000 + 4) % 7)]
        let month = months[(Int(date[1]) ?? 1) - 1]
        return "\(weekday), \(date[2]) \(month) \(date[0]) \(clock) +0000"
    }
}
