import BillfoldServer
import BillfoldServerTestSupport
import BillfoldTrace
import BillfoldWeb
import Testing

/// Keys stand in the guides: they are for whoever may act, in test mode.
@Suite(.serialized) struct ConnectRoutesTests {
    private static let guide = ConnectGuide(
        slug: "merchant", title: .init("A merchant", "商户"), summary: .init("Sells", "销售"),
        values: [.init("KEY", "secret", meaning: .init("Its key", "密钥"))], steps: [])

    private func console() -> Console {
        var console = Console(store: TraceStore(), pages: PlainPages(), assets: [:])
        console.guides = [Self.guide]
        return console
    }

    @Test func aRoleIsToldInTheReadersLanguage() async throws {
        try await RunningServer.serve(console()) { (server: RunningServer) async throws in
            #expect(try await Answer.get(server.url("console", "/connect")).body == #"connect ["merchant"] en"#)
            #expect(try await Answer.get(server.url("console", "/connect/merchant?language=zh")).body == "connect merchant zh")
            #expect(try await Answer.get(server.url("console", "/connect/nobody")).status == 404)
            let file = try await Answer.get(server.url("console", "/connect/merchant/environment"))
            #expect(file.status == 200 && file.body == "KEY='secret'\n")
            #expect(try await Answer.get(server.url("console", "/connect/nobody/environment")).errorCode == "not-found")
        }
    }

    @Test func aConsoleWithoutGuidesHasNoPage() async throws {
        try await RunningServer.serve(Console(store: TraceStore(), pages: PlainPages(), assets: [:])) { (server: RunningServer) async throws in
            #expect(try await Answer.get(server.url("console", "/connect")).status == 404)
        }
    }
}
