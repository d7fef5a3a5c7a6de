import Domain
import Synchronization
import TestKit
import Testing

@testable import Dialogue

@Suite struct ReadingsTests {
    private let connection = ConnectionID(network: NetworkName("test"), epoch: 1)

    private func visit(_ number: UInt64) -> VisitID { VisitID(connection: connection, number: number) }

    @Test func `a later HISTORY takes the place of the one before, whose end ends nothing`() {
        var readings = Readings()
        let one = readings.begin(by: visit(1))
        let two = readings.begin(by: visit(1))
        #expect(!readings.isCurrent(one, of: visit(1)) && readings.isCurrent(two, of: visit(1)))
        readings.end(one, of: visit(1))
        #expect(readings.isCurrent(two, of: visit(1)))
        readings.end(two, of: visit(1))
        let isStopped = readings.stop(by: visit(1))
        #expect(!isStopped)
    }

    @Test func `STOP ends the HISTORY of its visit alone, and takes back what is being said of it`() {
        var readings = Readings()
        let taken = Mutex<[Int]>([])
        let (mine, theirs) = (readings.begin(by: visit(1)), readings.begin(by: visit(2)))
        readings.beginSaying(of: mine) { taken.withLock { $0.append(1) } }
        readings.beginSaying(of: theirs) { taken.withLock { $0.append(2) } }
        var isStopped = readings.stop(by: visit(1))
        #expect(isStopped)
        #expect(taken.withLock { $0 } == [1])
        #expect(!readings.isCurrent(mine, of: visit(1)) && readings.isCurrent(theirs, of: visit(2)))
        readings.endSaying(of: theirs)
        isStopped = readings.stop(by: visit(2))
        #expect(isStopped)
        #expect(taken.withLock { $0 } == [1])
    }

    @Test(arguments: 0..<30) func `pages of an account come one after the other, in order, and no more than so many`(
        seed: UInt64
    ) {
        var random = SeededGenerator(seed: seed)
        var readings = Readings()
        var waiting: [AccountID: [Int?]] = [:]
        for number in 0..<400 {
            let account = AccountID(Int64.random(in: 1...3, using: &random))
            if Bool.random(using: &random) {
                let page = Bool.random(using: &random) ? number : nil
                let begins = readings.add(page: page, of: account)
                #expect(begins == (waiting[account] == nil))
                if waiting[account, default: []].count < Readings.maxPages {
                    waiting[account, default: []].append(page)
                }
            } else if let next = readings.page(of: account) {
                #expect(next == waiting[account]?.first)
                readings.turnPage(of: account)
                waiting[account]?.removeFirst()
                if waiting[account]?.isEmpty == true { waiting[account] = nil }
            } else {
                #expect(waiting[account] == nil)
            }
        }
    }
}
