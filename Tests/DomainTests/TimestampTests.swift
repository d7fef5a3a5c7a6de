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
            let made = Timestamp(year: expected.year, month: expected.month, day: expected.day)
            guard made?.milliseconds == day * 86_400_000 else {
                Issue.record("\(expected) makes \(made?.rfc3339 ?? "nothing")")
                return
            }
            expected = Self.day(after: expected)
        }
    }

    @Test
    func `a date makes the moment it names, what is beyond an hour or day runs on, and what nobody writes is none`() {
        let moment = Timestamp(year: 2026, month: 11, day: 30, hour: 4, minute: 12, second: 7, millisecond: 250)
        #expect(moment?.milliseconds == 1_796_011_927_250)
        #expect(
            Timestamp(year: 2016, month: 12, day: 31, hour: 23, minute: 59, second: 60)
                == Timestamp(year: 2017, month: 1, day: 1))
        #expect(Timestamp(year: 0, month: 1, day: 1)?.rfc3339.hasPrefix("0-01-01T") == true)
        #expect(Timestamp(year: 9999, month: 99, day: 99) == nil && Timestamp(year: 2026, month: 0, day: 1) == nil)
        #expect(Timestamp(year: 2026, month: 1, day: -1) == nil && Timestamp(year: -1, month: 1, day: 1) == nil)
        #expect(Timestamp(year: .max, month: 1, day: 1) == nil && Timestamp(year: 1, month: 1, day: .max) == nil)
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
