import Domain
import Testing

@testable import Completions

struct RetryAfterTests {
    @Test(arguments: Self.waits)
    func `how long to wait`(headers: [String: String], milliseconds: Int64?) {
        // 1994-11-06 08:49:00 UTC
        let now = Timestamp(milliseconds: 784_111_740_000)
        #expect(RetryAfter.wait(in: headers, now: now) == milliseconds.map { .milliseconds($0) })
    }

    private static let waits: [([String: String], Int64?)] = [
        (["retry-after": "2"], 2000),
        (["retry-after": "1.5"], 1500),
        (["retry-after": "30", "retry-after-ms": "29376"], 29_376),
        (["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"], 37_000),
        (["retry-after": "Sun, 06 Nov 1994 08:48:00 GMT"], 0),
        (["retry-after": "-5"], 0),
        (["retry-after": "1e300"], 86_400_000),
        (["retry-after": "nan"], nil),
        (["retry-after": "soon"], nil),
        (["retry-after": "Sun, 06 Nov 1994 99999999999999999:0:0 GMT"], nil),
        ([:], nil),
    ]
}
