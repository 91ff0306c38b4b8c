import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Foundation
import Testing

@testable import billfold

/// The clock that all parties of an installation live at, over HTTP, without waiting.
@Suite(.serialized) struct ClockTests {
    private struct Reading: Decodable {
        var now: String
        var offsetSeconds: Int64
    }

    private func offset(_ served: ServedSandbox) async throws -> Int64 {
        try await TourClient.get("\(served.sandbox)/clock").read(Reading.self).offsetSeconds
    }

    private func advance(_ served: ServedSandbox, seconds: Int64) async throws {
        #expect(try await TourClient.put("\(served.sandbox)/clock", ["advanceSeconds": seconds]).status == 200)
    }

    /// No notification comes and queries say "in progress" for twenty minutes: only time settles such a payment.
    @Test func aPaymentLeftUnknownIsSettledByQueriesOnceTheClockIsAdvanced() async throws {
        try await ServedSandbox.run { served in
            var faults = FaultPlan()
            faults.replyCode = "05"
            faults.notification = .never
            faults.lateSuccessSeconds = 1_200
            #expect(try await TourClient.put("\(served.sandbox)/unionpay/control/plans/next", faults).status == 204)
            func payments() async throws -> [MerchantPayment] {
                try await MerchantBooks.read(from: served.merchant, key: served.apiKey()).payments
            }
            async let bought = served.buy()
            // The token is spent before time passes, or it would be stale.
            while try await served.booked() == 0 { try await Task.sleep(for: .milliseconds(20)) }
            #expect(try await payments().allSatisfy { $0.state != "succeeded" })
            var minutes = 0
            while minutes < 300, try await payments().first?.state != "succeeded" {
                try await advance(served, seconds: 60)
                minutes += 1
            }
            #expect(try await bought.screen.outcome?.kind == "succeeded")
            #expect((20..<300).contains(minutes))
        }
    }

    @Test func aTokenMadeBeforeTheClockIsAdvancedIsStale() async throws {
        try await ServedSandbox.run { served in
            #expect(try await served.buy().screen.outcome?.kind == "succeeded")
            var knobs = WalletKnobs()
            knobs.replaysLastToken = true
            try await served.tell(knobs)
            try await advance(served, seconds: 600)
            #expect(try await served.buy().screen.outcome?.kind == "failed")
            #expect(try await served.refusals() == ["token-stale": 1])
            try await served.tell(WalletKnobs())
            #expect(try await served.buy().screen.outcome?.kind == "succeeded")
        }
    }

    @Test func theClockGoesForwardUntilItIsReset() async throws {
        try await ServedSandbox.run { (served: ServedSandbox) async throws in
            let url = "\(served.sandbox)/clock"
            #expect(try await offset(served) == 0)
            #expect(try await TourClient.put(url, ["offsetSeconds": 100]).status == 200)
            #expect(try await offset(served) == 100)
            #expect(try await TourClient.put(url, ["advanceSeconds": 20]).status == 200)
            #expect(try await offset(served) == 120)
            #expect(try await TourClient.put(url, ["offsetSeconds": 119]).status == 409)
            #expect(try await TourClient.put(url, ["offsetSeconds": 315_360_001]).status == 400)
            #expect(try await TourClient.put(url, ["advanceSeconds": 315_360_000]).status == 409)
            for body in [["advanceSeconds": -1], ["seconds": 5], ["advanceSeconds": 1, "offsetSeconds": 200], [:]] {
                #expect(try await TourClient.put(url, body).status == 400, "\(body)")
            }
            #expect(try await TourClient.put(url, ["reset": false]).status == 400)
            #expect(try await offset(served) == 120)
            #expect(try await TourClient.put(url, ["reset": true]).status == 200)
            #expect(try await offset(served) == 0)
        }
    }

    /// Two clocks on one folder are two processes of one installation.
    @Test func anotherProcessOfTheFolderFollows() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-clock-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let folder = try DataFolder(path)
        let mine = try await MovableClock(base: StandingTime(), offset: FolderClockOffset(folder))
        let theirs = try await MovableClock(base: StandingTime(), offset: FolderClockOffset(folder))
        try await mine.advance(by: .seconds(600))
        try await theirs.advance(by: .seconds(-599))
        try await mine.refresh()
        #expect(mine.offsetMicroseconds == 1_000_000)
        #expect(mine.now() == theirs.now())
        let late = try await MovableClock(base: StandingTime(), offset: FolderClockOffset(folder))
        #expect(late.offsetMicroseconds == 1_000_000)
    }

    @Test func productionHasNoClockToMove() throws {
        #expect(throws: (any Error).self) {
            _ = try ServeCommand.options(from: ["--mode", "production", "--roles", "card-payments,phone"])
        }
    }
}
