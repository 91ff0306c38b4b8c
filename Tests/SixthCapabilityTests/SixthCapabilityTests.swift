import AsyncHTTPClient
import BillfoldServer
import BillfoldStorage
import Foundation
import NIOCore
import NIOHTTP1
import Testing

@testable import billfold

/// What the map says of adding a capability: one type, and no shared file but the list, the manifest and the arrows. Here the list is the
/// process's own copy.
@Suite struct SixthCapabilityTests {
    private struct Installation: Sendable {
        let folder: String
        let ports: [Int]

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "billfold-cups-\(UUID())").path
            ports = try FreePorts.find(2)
        }

        var cups: String { "http://127.0.0.1:\(ports[0])/cups" }
        var console: String { "http://127.0.0.1:\(ports[1])" }

        /// Serves while `body` runs.
        func serve(_ body: @escaping @Sendable () async throws -> Void) async throws {
            var options = try ServeCommand.options(from: [
                "--roles", "console", "--data", folder, "--listen", "127.0.0.1:\(ports[0])", "--console", "127.0.0.1:\(ports[1])",
                "--log-level", "error",
            ])
            options.capabilities.append(CupsCapability())
            options.configuration.roles.insert(CupsCapability.role)
            options.addresses[CupsCapability.role] = CapabilityAddress("http://127.0.0.1:\(ports[0])")
            let composition = ServeComposition(options: options, isWholeProcess: false)
            try await withThrowingTaskGroup { group in
                group.addTask {
                    try await composition.run()
                    if !Task.isCancelled { Issue.record("the server ended by itself") }
                }
                group.addTask {
                    try await Self.eventually { try await send(.GET, "\(console)/readyz").status == 200 }
                    try await body()
                }
                // Whichever ends first: the body, or a server that could not begin.
                defer { group.cancelAll() }
                try await group.next()
            }
        }

        static func eventually(_ condition: () async throws -> Bool) async throws {
            let end = ContinuousClock.now.advanced(by: .seconds(30))
            while ContinuousClock.now < end {
                if (try? await condition()) == true { return }
                try await Task.sleep(for: .milliseconds(50))
            }
            Issue.record("it did not come to it in half a minute")
        }

        func send(_ method: HTTPMethod, _ url: String, _ body: String? = nil) async throws -> (status: Int, text: String) {
            var request = HTTPClientRequest(url: url)
            request.method = method
            if let body {
                request.headers.add(name: "Content-Type", value: "application/json")
                request.body = .bytes(ByteBuffer(string: body))
            }
            let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(10))
            return (Int(answer.status.code), String(buffer: try await answer.body.collect(upTo: 1 << 20)))
        }
    }

    @Test func aCapabilityBringsItsRoutesTableWorkerJourneyPageAndAction() async throws {
        let here = try Installation()
        defer { try? FileManager.default.removeItem(atPath: here.folder) }
        try await here.serve {
            #expect(try await here.send(.POST, "\(here.cups)/oolong").status == 201)
            #expect(try await here.send(.POST, "\(here.cups)/%3Cb%3E").status == 201)
            try await Installation.eventually { try await here.send(.GET, "\(here.console)/cups").text.contains("oolong: filled") }
            let page = try await here.send(.GET, "\(here.console)/cups").text
            #expect(page.contains("&lt;b&gt;") && !page.contains("<b>"))
            #expect(page.contains("href=\"/cups\""), "the head of the page links to it")
            let cup = try await here.send(.GET, "\(here.console)/cups/oolong")
            #expect(cup.status == 200 && cup.text.contains("oolong is filled.") && cup.text.contains(">Cup</p>"))
            #expect(try await here.send(.GET, "\(here.console)/cups/none").status == 404)
            #expect(try await here.send(.GET, "\(here.console)/").text.contains("href=\"/journeys/cups\""))
            #expect(try await here.send(.GET, "\(here.console)/journeys/cups").text.contains("Fill a cup"))
        }
        // The table is a store of its own, which the next process finds.
        try await here.serve {
            #expect(try await here.send(.GET, "\(here.console)/cups").text.contains("oolong: filled"))
            let asked = try await here.send(.POST, "\(here.console)/api/approvals", #"{"kind":"cup-emptying","subject":"oolong"}"#)
            #expect(asked.status == 202, "\(asked.text)")
            let id = try #require(asked.text.firstMatch(of: /"id":"([^"]+)"/)?.1)
            #expect(try await here.send(.GET, "\(here.console)/approvals").text.contains("oolong"))
            #expect(try await here.send(.POST, "\(here.console)/api/approvals/\(id)/approval").status == 200)
            try await Installation.eventually { try await !here.send(.GET, "\(here.console)/cups").text.contains("oolong") }
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: here.folder)
        #expect(names.contains("cups.sqlite"))
    }

    @Test func theListKnowsEveryCapabilityOnce() throws {
        let all = try ServeCommand.options(from: []).capabilities.map { type(of: $0).role }
        #expect(all == Capabilities.types.map { $0.role } && Set(all).count == all.count)
        // Parties of the sandbox share a kind, and then all of it.
        for kinds in Dictionary(grouping: Capabilities.types.flatMap { $0.stores }, by: \.name).values {
            #expect(Set(kinds.map { $0.migrations.map(\.name) }).count == 1)
        }
    }
}
