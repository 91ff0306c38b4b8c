import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Testing

@testable import billfold

/// How `listen` reads a stream and signs what it forwards.
@Suite struct ListenTests {
    private typealias Event = EventStreamReader.Event

    @Test(arguments: [1, 2, 3, 7, 1_000])
    func eventsAreTheSameHoweverTheStreamIsCut(size: Int) throws {
        let text =
            ": alive\n\nid: evc_1\nevent: payment.succeeded\ndata: {\"a\":1}\n\nid: evc_2\r\ndata: x\r\ndata:y\r\n\r\nretry: 10\n\ndata: z\r\rdata: cut"
        var reader = EventStreamReader()
        var events: [Event] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            events += try reader.read(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        #expect(
            events == [
                Event(id: "evc_1", type: "payment.succeeded", data: #"{"a":1}"#), Event(id: "evc_2", type: "message", data: "x\ny"),
                Event(id: "evc_2", type: "message", data: "z"),
            ])
    }

    @Test func anEventWithoutEndIsNotWaitedFor() throws {
        var reader = EventStreamReader()
        #expect(throws: CommandFailure.self) {
            for _ in 0...EventStreamReader.mostBytes / 65_536 { _ = try reader.read(Array(repeating: UInt8(ascii: "a"), count: 65_536)) }
        }
        // Comments count for nothing, however many there are.
        var quiet = EventStreamReader()
        for _ in 0..<100_000 { #expect(try quiet.read(Array(": alive, and for a long time still\n\n".utf8)).isEmpty) }
    }

    /// Computed by another program: HMAC-SHA256 over `evt_1.1700000000.` and the body, with the bytes 0 to 31 as its key.
    @Test func whatIsForwardedIsSignedAsWebhooksAre() throws {
        let forwarding = try WebhookForwarding(
            to: "http://localhost:3000/hook", secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", client: .shared)
        let fields = forwarding.fields(id: "evt_1", at: 1_700_000_000, body: Array(#"{"type":"payment.succeeded"}"#.utf8))
        #expect(fields.first(name: "webhook-id") == "evt_1" && fields.first(name: "webhook-timestamp") == "1700000000")
        #expect(fields.first(name: "webhook-signature") == "v1,AxK5yVzVhVOCfx/iGQ4mt0n0VI4s6XmgheYFuIM5NO8=")
        #expect(fields.first(name: "content-type") == "application/json")
    }

    /// Told without another try, in the word that the server's own record of a delivery has.
    @Test func nobodyWhoListensIsToldAsSuch() async throws {
        let port = try #require(FreePorts.find(1).first)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: ListenCommand.clientConfiguration)
        let forwarding = try WebhookForwarding(
            to: "http://127.0.0.1:\(port)/hook", secret: "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", client: client)
        let outcome = await Result { try await forwarding.attempt(id: "evt_1", body: [], at: 1_700_000_000) }
        try await client.shutdown()
        let told = try outcome.get()
        #expect(!told.isTaken && told.text.hasPrefix("not-connected: 127.0.0.1:\(port) did not take a connection"), "\(told.text)")
    }

    @Test(arguments: [
        ("ftp://localhost/", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ("http://user@localhost/", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ("hook", "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="),
        ("http://localhost/", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="), ("http://localhost/", "whsec_AAEC"),
        ("http://localhost/", "whsec_!"),
    ])
    func whatCannotBeForwardedIsWrongUsage(url: String, secret: String) {
        #expect(throws: CommandFailure.self) { try WebhookForwarding(to: url, secret: secret, client: .shared) }
    }
}
