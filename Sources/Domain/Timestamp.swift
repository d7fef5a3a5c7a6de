/// A moment of the wall clock: milliseconds since 1970-01-01 00:00 UTC.
///
/// For what is stored and shown only; deadlines are measured on a monotonic clock.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let milliseconds: Int64

    public init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// A date of the proleptic Gregorian calendar, UTC; `month` is 1 to 12. A day, hour or second beyond its month, day or minute
    /// runs on into the next. Nil for a year that nobody writes in four digits, and a month there is not.
    public init?(year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, millisecond: Int = 0)
    {
        guard (0...9999).contains(year), (1...12).contains(month),
            [day, hour, minute, second, millisecond].allSatisfy({ (0...999).contains($0) })
        else { return nil }
        // The year is taken to begin in March, so that a leap day ends it.
        let marchYear = month <= 2 ? year - 1 : year
        let era = marchYear >= 0 ? marchYear / 400 : -1
        let yearOfEra = marchYear - era * 400
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        self.init(
            milliseconds: Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000 + Int64(millisecond))
    }

    public static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    /// `2026-11-30 04:12 UTC`, what people read in HISTORY.
    public var description: String {
        let (year, month, day) = civilDate
        return "\(year)-\(Self.pad(month))-\(Self.pad(day)) \(Self.pad(hour)):\(Self.pad(minute)) UTC"
    }

    /// `2026-11-30T04:12:07.250Z`, what logs carry (RFC 3339).
    public var rfc3339: String {
        let (year, month, day) = civilDate
        let time = "\(Self.pad(hour)):\(Self.pad(minute)):\(Self.pad(second)).\(Self.pad(millisecond, to: 3))"
        return "\(year)-\(Self.pad(month))-\(Self.pad(day))T\(time)Z"
    }

    /// Rounded down, also before 1970, without a step beyond what a number can hold.
    private var day: Int64 { milliseconds / 86_400_000 - (milliseconds % 86_400_000 < 0 ? 1 : 0) }
    private var millisecondOfDay: Int64 {
        let rest = milliseconds % 86_400_000
        return rest < 0 ? rest + 86_400_000 : rest
    }
    private var hour: Int { Int(millisecondOfDay / 3_600_000) }
    private var minute: Int { Int(millisecondOfDay / 60_000 % 60) }
    private var second: Int { Int(millisecondOfDay / 1000 % 60) }
    private var millisecond: Int { Int(millisecondOfDay % 1000) }

    /// The proleptic Gregorian date, by counting eras of 400 years that begin on 1 March: leap days then end a year.
    private var civilDate: (year: Int, month: Int, day: Int) {
        let days = Int(day) + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (
            yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        )
    }

    private static func pad(_ number: Int, to width: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
