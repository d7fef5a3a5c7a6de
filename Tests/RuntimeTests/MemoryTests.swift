import Runtime
import Testing

struct MemoryTests {
    @Test func `giving back takes nothing from code and data in use`() async {
        // How much less is resident then, the load test shows: in here other tests run at the same time.
        let isRight = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 {
                group.addTask {
                    (0..<50).allSatisfy { round in
                        let text = (0..<200).map { "\($0 * number)" }.joined(separator: ",")
                        if round % 10 == number { Memory.giveBack() }
                        return text.split(separator: ",").map { Int($0) } == (0..<200).map { $0 * number }
                    }
                }
            }
            return await group.allSatisfy { $0 }
        }
        #expect(isRight)
        #expect(Memory.resident > 1 << 20)
    }

    @Test func `the first time is always worthwhile, and later only what is well above the least`() {
        var policy = MemoryPolicy()
        #expect(policy.isWorthwhile(resident: 1))
        policy.gaveBack(leaving: 10 << 20)
        #expect(!policy.isWorthwhile(resident: (10 << 20) + MemoryPolicy.excess))
        #expect(policy.isWorthwhile(resident: (10 << 20) + MemoryPolicy.excess + 1))
        policy.gaveBack(leaving: 40 << 20)
        #expect(policy.isWorthwhile(resident: 30 << 20))
        policy.gaveBack(leaving: 5 << 20)
        #expect(policy.isWorthwhile(resident: (6 << 20) + MemoryPolicy.excess))
    }
}
