import Foundation
import Testing

@testable import billfold

/// One card into one device, as a user runs it. One at a time, for each is a process with every party.
@Suite(.serialized) struct ProvisioningSimulateTests {
    private struct Report: Decodable {
        struct Message: Decodable {
            var from: String
            var to: String
            var title: String
            var problem: String?
        }
        struct Unmet: Decodable {
            var code: String
            var reason: String
        }
        var outcome: String
        var colour: String?
        var error: Unmet?
        var messages: [Message]
    }

    /// The report, or what was said instead of one.
    private static func report(of ending: Program.Ending) throws -> Report {
        try #require(try? JSONDecoder().decode(Report.self, from: Data(ending.output.utf8)), "\(ending.status): \(ending.output)")
    }

    @Test(arguments: [("green", "active"), ("yellow", "active"), ("orange", "pending"), ("red", "failed")])
    func theAccountsHistoryLeadsToTheColour(colour: String, outcome: String) async throws {
        let ending = try await Program.run(["provisioning", "simulate", "--colour", colour, "--network", "mastercard", "--verify"])
        #expect(ending.status == 0, "\(ending.output)")
        let report = try Self.report(of: ending)
        #expect(report.colour == colour && report.outcome == outcome)
        #expect(Set(["device", "broker", "network", "issuer"]).isSubset(of: Set(report.messages.flatMap { [$0.from, $0.to] })))
        #expect(report.messages.contains { $0.problem != nil } == (colour == "red"))
    }

    @Test func aLostAnswerIsSeenByTheDevice() async throws {
        let ending = try await Program.run(["provisioning", "simulate", "--fault", "broker:cards:reply-lost"])
        let report = try Self.report(of: ending)
        #expect(report.outcome == "failed")
        #expect(report.messages.contains { $0.problem == "the answer was lost (fault plan)" })
    }

    @Test func aNetworkThatDoesNotHearTheBankMakesNoToken() async throws {
        let ending = try await Program.run(["provisioning", "simulate", "--fault", "card-network:decision:request-lost"])
        #expect(ending.status == 0, "\(ending.output)")
        let report = try Self.report(of: ending)
        #expect(report.outcome == "failed" && report.colour == nil)
        #expect(report.messages.contains { $0.from == "network" && $0.problem == "the question was lost (fault plan)" })
    }

    @Test(arguments: [
        (["--colour", "green", "--fault", "broker:cards:request-lost"], "colour-not-met", "green was asked for, and nobody came to vote"),
        (
            ["--colour", "green", "--network", "unionPay"], "colour-not-met",
            "green was asked for, and the parties decided yellow (issuer yellow"
        ),
        (
            ["--fault", "broker:verification:request-refused"], "fault-not-met",
            "request-refused befell nothing: no verification came by at broker"
        ),
    ]) func whatWasAskedInVainIsSaid(arguments: [String], code: String, reason: String) async throws {
        let ending = try await Program.run(["provisioning", "simulate"] + arguments)
        #expect(ending.status == 1)
        let report = try Self.report(of: ending)
        #expect(report.error?.code == code && report.error?.reason.hasPrefix(reason) == true, "\(ending.output)")
        #expect(!report.outcome.isEmpty && !report.messages.isEmpty)
    }

    @Test(arguments: [
        ["--fault", "broker:cards:request-lost", "--fault", "broker:cards:request-refused"], ["--fault", "broker:tea:request-lost"],
        ["--fault", "request-lost"],
        ["--colour", "blue"], ["--colour", "red", "--account", "trusted"],
    ])
    func whatDoesNotExistIsWrongUsage(arguments: [String]) async throws {
        #expect(try await Program.run(["provisioning", "simulate"] + arguments).status == 64)
    }
}
