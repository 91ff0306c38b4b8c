import AsyncHTTPClient
import BillfoldSandbox
import BillfoldServer
import BillfoldStorage
import Foundation
import Logging
import Testing

@testable import billfold

/// The tour as a user runs it: processes, sockets, two sets of books. One at a time, for each is seven processes.
@Suite(.serialized) struct TourTests {
    private struct Report: Decodable {
        struct Step: Decodable {
            var name: String
            var outcome: String
            var passed: Bool
        }
        var steps: [Step]
        var passed: Bool
        var flipped: Int?
    }

    private func tour(_ arguments: [String]) async throws -> (Report, status: Int32) {
        let ending = try await Program.run(["tour", "--json"] + arguments)
        let report = try JSONDecoder().decode(Report.self, from: Data(ending.output.utf8))
        return (report, ending.status)
    }

    @Test func aSoundTourPassesAndTheBooksAgree() async throws {
        let (report, status) = try await tour([])
        #expect(status == 0)
        #expect(report.passed)
        #expect(report.steps.map(\.name).contains("books"))
        #expect(report.steps.map(\.name).contains("provision: books"))
        for step in report.steps { #expect(step.passed, "\(step.name): \(step.outcome)") }
    }

    /// A few that are noticed in different ways; `make soak` damages every message in turn.
    @Test(arguments: [
        "certificates:certificate", "phone:payment", "unionpay:query", "merchant:acknowledgement", "merchant:report-correlation",
        "issuer:pass-data", "network:event",
    ])
    func oneChangedByteFailsTheTour(message: String) async throws {
        let (report, status) = try await tour(["--flip", message])
        #expect(report.flipped == 1, "no \(message) passed by")
        #expect(!report.passed)
        #expect(status == 1)
    }

    @Test func aMessageThatDoesNotExistIsWrongUsage() async throws {
        let ending = try await Program.run(["tour", "--flip", "bank:everything", "--json"])
        #expect(ending.status == 64)
        #expect(ending.output.contains(#""code":"unknown-message""#))
    }
}

@Suite(.serialized) struct ServeTests {
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("billfold-serve-\(UUID())").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    private func arguments(_ ports: [Int], _ folder: String) -> [String] {
        [
            "serve", "--listen", "127.0.0.1:\(ports[0])", "--console", "127.0.0.1:\(ports[1])", "--sandbox", "127.0.0.1:\(ports[2])",
            "--data",
            folder,
        ]
    }

    @Test func oneProcessServesEveryPartyAndStopsWhenAsked() async throws {
        try await withFolder { folder in
            let ports = try FreePorts.find(3)
            let errors = folder + ".log"
            defer { try? FileManager.default.removeItem(atPath: errors) }
            let process = try PartyProcess(
                name: "all", executable: Program.path, arguments: arguments(ports, folder), address: "http://127.0.0.1:\(ports[0])",
                errors: errors)
            try await process.untilReady(within: .seconds(300))
            for (port, path) in [(1, "/"), (1, "/stories"), (1, "/metrics"), (2, "/shop/"), (2, "/certificates/root")] {
                let answer = try await TourClient.get("http://127.0.0.1:\(ports[port])\(path)")
                #expect(answer.status == 200, "\(path)")
            }
            // What the sandbox's author does by itself takes what a person reads off no screen.
            let author = "/mini-programs/v1/author/"
            var hasPublished = false
            for _ in 0..<600 where !hasPublished {
                let metrics = try await TourClient.get("http://127.0.0.1:\(ports[1])/metrics")
                hasPublished = String(decoding: metrics.body, as: UTF8.self).contains(author)
                if !hasPublished { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(hasPublished)
            await process.stop()
            #expect(!process.isRunning)
            let log = String(decoding: FileManager.default.contents(atPath: errors) ?? Data(), as: UTF8.self)
            let key = String(decoding: FileManager.default.contents(atPath: folder + "/api.key") ?? Data(), as: UTF8.self)
            #expect(key.count > 24 && !log.contains(key))
            #expect(!log.contains("PRIVATE KEY"))
            #expect(log.contains("info billfold") && !log.contains(author))
        }
    }

    private struct Story: Decodable {
        struct Entry: Decodable {
            var from: String
            var to: String
            var kind: String
            var title: String
            var problem: String?
        }
        var entries: [Entry]
    }

    @Test func aStoryHoldsEachMessageOfAPaymentOnce() async throws {
        try await withFolder { folder in
            let ports = try FreePorts.find(3)
            let process = try PartyProcess(
                name: "all", executable: Program.path, arguments: arguments(ports, folder), address: "http://127.0.0.1:\(ports[0])",
                errors: folder + ".log")
            defer { try? FileManager.default.removeItem(atPath: folder + ".log") }
            try await process.untilReady(within: .seconds(300))
            let script = TourSteps.purchases[0].script
            let connection = HTTPMerchantConnection(origin: "http://127.0.0.1:\(ports[2])", client: .shared, limitSeconds: 60)
            let phone = try await RemotePhone(opening: script.model, lines: script.lines, over: connection)
            let result = try await script.run(on: phone)
            let payment = try #require(result.screen.outcome?.paymentID)
            var entries: [Story.Entry] = []
            for _ in 0..<600 where !entries.contains(where: { $0.title == "acknowledgement" }) {
                try await Task.sleep(for: .milliseconds(50))
                entries = try await TourClient.get("http://127.0.0.1:\(ports[1])/api/stories/payment:\(payment)").read(Story.self).entries
            }
            let drawn = entries.map { "\($0.from) \($0.kind) \($0.title)" }
            for once in [
                "phone request checkout", "shop response checkout", "shop request create order", "merchant response create order",
                "phone request authorize", "wallet response token", "phone request pay", "merchant note token accepted",
                "merchant request consume", "unionpay response consume", "unionpay notification consume notification",
                "merchant response acknowledgement",
            ] {
                #expect(drawn.count { $0 == once } == 1, "\(once) in \(drawn)")
            }
            // Whatever is asked more than once is asked again only after it was answered.
            for pair in Set(entries.map { [$0.from, $0.to].sorted() + [$0.title] }) {
                let kinds = entries.filter { [$0.from, $0.to].sorted() + [$0.title] == pair }.map(\.kind)
                for (first, second) in zip(kinds, kinds.dropFirst()) { #expect(first != second, "\(pair) in \(drawn)") }
            }
            #expect(entries.allSatisfy { $0.problem == nil })
            await process.stop()
        }
    }

    @Test func aPortThatIsTakenEndsTheProcessWithItsCode() async throws {
        try await withFolder { folder in
            let ports = try FreePorts.find(3)
            let holder = try PartyProcess(
                name: "holder", executable: Program.path,
                arguments: ["serve", "--roles", "console", "--console", "127.0.0.1:\(ports[1])", "--data", folder + "-holder"],
                address: "http://127.0.0.1:\(ports[1])", errors: folder + "-holder.log")
            defer { for path in [folder + "-holder", folder + "-holder.log"] { try? FileManager.default.removeItem(atPath: path) } }
            try await holder.untilReady(within: .seconds(300))
            let ending = try await Program.run(arguments(ports, folder) + ["--roles", "console"])
            #expect(ending.status == 1)
            #expect(ending.errors.contains("port-taken"))
            await holder.stop()
        }
    }

    @Test func aDatabaseThatRefusesEndsTheProcessWithItsCode() async throws {
        try await withFolder { folder in
            let ports = try FreePorts.find(3)
            let ending = try await Program.run(arguments(ports, folder) + ["--log", "json", "--database", "host=/nonexistent dbname=none"])
            #expect(ending.status == 1)
            #expect(ending.errors.contains(#""code":"database-unavailable""#))
        }
    }

    @Test func aStoreKeepsItsMode() async throws {
        try await withFolder { folder in
            let file = try DataFolder(folder).path("billfold.sqlite")
            let database = try await StoreOpening.open(
                file, mode: .test, kind: .cards, clock: StandingTime(), logger: .init(label: "test"))
            try await database.close()
            let error = await #expect(throws: (any Error).self) {
                _ = try await StoreOpening.open(
                    file, mode: .production, kind: .cards, clock: StandingTime(), logger: .init(label: "test"))
            }
            #expect(CommandFailure(try #require(error)).code == "database-mode-mismatch")
        }
    }
}
