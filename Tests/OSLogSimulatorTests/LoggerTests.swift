import Foundation
import OSLogSimulator
import Testing

struct LoggerTests {
    private struct Failure: Error, CustomStringConvertible { var description: String { "no network" } }

    private func said(_ body: () -> Void) -> [SimulatedLog.Entry] {
        let log = SimulatedLog()
        SimulatedLog.$bound.withValue(log) { body() }
        return log.entries
    }

    @Test func textsAreHiddenAndNumbersShownWhereNothingIsSaid() {
        let logger = Logger(subsystem: "com.example.shop", category: "pay")
        let (order, code, url) = ("A-1", 9_000, URL(fileURLWithPath: "/receipt"))
        let entries = said {
            logger.info("order \(order) ended with \(code) of \(true), \(url)")
            logger.error("order \(order, privacy: .public) ended with \(code, privacy: .private): \(Failure() as any Error)")
        }
        #expect(
            entries.map(\.message) == [
                "order <private> ended with 9000 of true, <private>", "order A-1 ended with <private>: <private>",
            ])
        #expect(entries.map(\.level) == [.info, .error] && Set(entries.map(\.subsystem)) == ["com.example.shop"])
    }

    @Test func aMaskTellsEqualValuesFromOthersAndNotWhatTheyAre() {
        let logger = Logger()
        let entries = said {
            for card in ["4055", "4055", "5204"] { logger.notice("\(card, privacy: .private(mask: .hash))") }
        }
        #expect(entries[0] == entries[1] && entries[1] != entries[2] && !entries[0].message.contains("4055"))
    }

    @Test func columnsAreFilledUp() {
        #expect(
            said { Logger().debug("\(7, align: .right(columns: 3))|\("a", align: .left(columns: 2), privacy: .public)|") }[0].message
                == "  7|a |")
    }

    @Test func theOlderFormReadsItsFormat() {
        let part = OSLog(subsystem: "com.example.shop", category: "pay")
        let entries = said {
            os_log("paid %{public}@ by %@, %d of %.2f, 100%%", log: part, type: .fault, "A-1" as NSString, "Mei" as NSString, 3, 1.5)
            os_log("nothing", log: .disabled)
            os_log(.debug, log: part, "new \("form", privacy: .public)")
        }
        #expect(entries.map(\.message) == ["paid A-1 by <private>, 3 of 1.50, 100%", "new form"])
        #expect(entries.map(\.level) == [.fault, .debug] && entries.map(\.category) == ["pay", "pay"])
    }

    @Test func aLockKeepsOthersOut() async {
        let count = OSAllocatedUnfairLock(initialState: 0)
        await withTaskGroup { group in
            for _ in 0..<64 { group.addTask { count.withLock { $0 += 1 } } }
        }
        #expect(count.withLock { $0 } == 64)
    }
}
