import Domain
import Testing

struct TimestampTests {
    /// Each as `date -u -d @<seconds>` gives it.
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"),
            (-1, "1969-12-31T23:59:59.999Z"),
            (-86_400_000, "1969-12-31T00:00:00.000Z"),
            (-86_400_001, "1969-12-30T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"),
            (951_868_800_000, "2000-03-01T00:00:00.000Z"),
            (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (1_709_251_199_999, "2024-02-29T23:59:59.999Z"),
            (1_709_251_200_000, "2024-03-01T00:00:00.000Z"),
            (1_735_689_599_000, "2024-12-31T23:59:59.000Z"),
            (1_740_787_200_000, "2025-03-01T00:00:00.000Z"),
            (1_796_011_927_250, "2026-11-30T04:12:07.250Z"),
            (4_107_456_000_000, "2100-02-28T00:00:00.000Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
            (-2_203_977_600_000, "1900-02-28T00:00:00.000Z"),
            (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (-11_644_473_600_000, "1601-01-01T00:00:00.000Z"),
            (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (.max, "292278994-08-17T07:12:55.807Z"),
            (.min, "-292275055-05-16T16:47:04.192Z"),
        ] as [(Int64, String)])
    func `a moment is the date and time it was`(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).rfc3339 == text)
    }

    @Test func `people read minutes and the time zone`() {
        #expect(Timestamp(milliseconds: 1_796_011_927_250).description == "2026-11-30 04:12 UTC")
    }

    @Test func `every day of 400 years follows the one before`() {
        var expected = (year: 1900, month: 1, day: 1)
        for day in Int64(-25_567)..<(-25_567 + 146_097) {
            let text = Timestamp(milliseconds: day * 86_400_000).rfc3339
            let fields = text.prefix(10).split(separator: "-").compactMap { Int($0) }
            guard fields == [expected.year, expected.month, expected.day] else {
                Issue.record("\(text) where \(expected) was due")
                return
            }
            expected = Self.day(after: expected)
        }
    }

    @Test func `moments are ordered`() {
        #expect(Timestamp(milliseconds: -1) < Timestamp(milliseconds: 0))
        #expect(Timestamp(milliseconds: 5) == Timestamp(milliseconds: 5))
    }

    private static func day(after date: (year: Int, month: Int, day: Int)) -> (year: Int, month: Int, day: Int) {
        let isLeap = date.year % 4 == 0 && (date.year % 100 != 0 || date.year % 400 == 0)
        let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        if date.day < lengths[date.month - 1] { return (date.year, date.month, date.day + 1) }
        return date.month < 12 ? (date.year, date.month + 1, 1) : (date.year + 1, 1, 1)
    }
}
