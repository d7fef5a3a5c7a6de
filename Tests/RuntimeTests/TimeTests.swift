import Domain
import Runtime
import Testing

struct TimeTests {
    @Test(
        arguments: [
            (.milliseconds(1500), 1500), (.microseconds(-1999), -1), (.seconds(Int64.max), .max),
            (.seconds(Int64.min), .min), (.zero, 0),
        ] as [(Duration, Int64)])
    func `a time in milliseconds is cut off, and ends where numbers end`(time: Duration, milliseconds: Int64) {
        #expect(time.wholeMilliseconds == milliseconds)
    }

    @Test func `no moment is beyond the last`() {
        #expect(Timestamp(milliseconds: .max - 5) + .seconds(1) == Timestamp(milliseconds: .max))
        #expect(Timestamp(milliseconds: .min) + .seconds(-1) == Timestamp(milliseconds: .min))
        #expect(Timestamp(milliseconds: 0) + .seconds(Int64.max) == Timestamp(milliseconds: .max))
        #expect(Timestamp(milliseconds: 5) + .milliseconds(-6) == Timestamp(milliseconds: -1))
    }
}
