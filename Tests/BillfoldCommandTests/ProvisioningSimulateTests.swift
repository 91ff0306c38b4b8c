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
        var outcome: String
        var colour: String?
        var messages: [Message]
    }

    @Test(arguments: [("green", "active"), ("yellow", "active"), ("orange", "pending"), ("red", "failed")])
    func theAccountsHistoryLeadsToTheColour(colour: String, outcome: String) async throws {
        let ending = try await Program.run(["provisioning", "simulate", "--colour", colour, "--network", "mastercard", "--verify"])
        #expect(ending.status == 0, "\(ending.output)")
        let report = try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8))
        #expect(report.colour == colour && report.outcome == outcome)
        #expect(Set(["device", "broker", "network", "issuer"]).isSubset(of: Set(report.messages.flatMap { [$0.from, $0.to] })))
        #expect(report.messages.contains { $0.problem != nil } == (colour == "red"))
    }

    @Test func aLostAnswerIsSeenByTheDevice() async throws {
        let ending = try await Program.run(["provisioning", "simulate", "--fault", "broker:cards:loseReply"])
        let report = try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8))
        #expect(report.outcome == "failed")
        #expect(report.messages.contains { $0.problem == "the answer was lost (fault plan)" })
    }

    @Test(arguments: [
        ["--fault", "broker:tea:drop"], ["--fault", "drop"], ["--colour", "blue"], ["--colour", "red", "--account", "trusted"],
    ])
    func whatDoesNotExistIsWrongUsage(arguments: [String]) async throws {
        #expect(try await Program.run(["provisioning", "simulate"] + arguments).status == 64)
    }
}
