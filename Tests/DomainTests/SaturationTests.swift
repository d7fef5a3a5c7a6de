import Domain
import Testing

struct SaturationTests {
    @Test func `what would leave the range of a number ends at its end`() {
        #expect(Int.max.addingSaturated(1) == .max && Int.min.addingSaturated(-1) == .min)
        #expect(Int.max.addingSaturated(.min) == -1 && 2.addingSaturated(3) == 5)
        #expect(Int.min.subtractingSaturated(1) == .min && Int.max.subtractingSaturated(-1) == .max)
        #expect(5.subtractingSaturated(7) == -2)
        #expect(Int.max.multipliedSaturated(by: 2) == .max && Int.max.multipliedSaturated(by: -2) == .min)
        #expect(Int.min.multipliedSaturated(by: -1) == .max && (-3).multipliedSaturated(by: 4) == -12)
    }
}
