import BillfoldTrace
import Testing

@testable import AlipayServer

/// A timestamp of another time zone is taken, and the story says so (alipay.md#limits).
struct ClockWarningTests {
    @Test(
        arguments: [
            (28_800, ["28800 s behind", "8 h"]), (86_000, ["86000 s behind"]), (1_801, ["1801 s behind"]), (1_800, []), (0, []),
        ] as [(Int64, [String])])
    func aTimestampThatIsHoursOffIsAWarning(_ seconds: Int64, says: [String]) async throws {
        try await OrderGatewayHarness.open { gateway in
            let order = try await gateway.modernOrder("W_1")
            gateway.clock.advance(by: .seconds(seconds))
            #expect(try await gateway.show(order)["state"] == "new")
            let told = gateway.recorder.entries.filter { $0.title == "order verified" }.flatMap(\.fields)
            let warnings = told.filter { "\($0)".contains("timestamp") }.map { "\($0)" }
            #expect(warnings.count == (says.isEmpty ? 0 : 1), "\(warnings)")
            for text in says { #expect(warnings.first?.contains(text) == true, "\(warnings)") }
            // What is hours off by no whole number of them names no zone.
            if seconds == 86_000 { #expect(warnings.first?.contains(" h") == false, "\(warnings)") }
        }
    }
}
