import ArgumentParser
import AsyncHTTPClient
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldServer
import Foundation
import NIOCore

/// `billfold listen`: prints events as they happen, and hands them to a program that nobody can call from outside.
struct ListenCommand: AsyncParsableCommand {
    enum Source: String, ExpressibleByArgument, CaseIterable {
        case merchant, bank
    }

    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Print events as they happen, and forward them to a program of your own.",
        discussion: """
            Follows GET /v1/events/stream with your key and comes again by itself where it left off. A forwarded event is signed as webhooks \
            are, by a secret that is kept in the data folder and printed once at the start: give it to your receiver's verifier. An answer of \
            2xx takes an event; others are tried three times more, then the next one goes.
            """)

    @Option(help: "Where your program takes them, such as http://localhost:3000/hook.") var forwardTo: String?
    @Option(help: "Types of events with commas between them; default: all.") var only: String?
    @Option(help: "Whose events: merchant (card payments) or bank (tokens and reviews).") var of = Source.merchant
    @Option(help: "The file of your API key, a merchant's or a bank's. Default: the sandbox's shop's or bank's in the data folder.")
    var keyFile: String?
    @Option(help: "A file with the secret that forwarded events are signed by, whsec_…. Default: one in the data folder.") var secretFile:
        String?
    @Option(help: "The cursor of an event: those after it come first. Default: from now on.") var after: String?
    @Option(help: "End after so many events, 1 or more.") var count: Int?
    @OptionGroup var place: SandboxPlace
    @Flag(help: "Print each event as one line of JSON.") var json = false

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--count is 1 or more.") }
    }

    func run() async throws {
        do { try await follow() } catch { throw CommandFailure.ended(error, asJSON: json) }
    }

    private func follow() async throws {
        if let forwardTo { try WebhookForwarding.check(address: forwardTo) }
        let ownKey = try keyFile.map { try CommandFile.key($0) }
        if let ownKey, let keyFile { try Self.check(ownKey, in: keyFile) }
        let addresses = try await place.running()
        let url =
            switch of {
            case .merchant: try addresses.origin(of: .cardPayments) + "/v1/events/stream"
            case .bank: try addresses.origin(of: .provisioning) + "/provisioning/v1/events/stream"
            }
        let key =
            if let ownKey { ownKey } else { try place.bearer(of == .merchant ? "api.key" : "bank.key") }
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.clientConfiguration)
        let result = await Result {
            let forwarding = try forwardTo.map { try WebhookForwarding(to: $0, secret: secret(), client: client) }
            let types = only.map { "?type=" + ($0.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "") } ?? ""
            var following = EventFollowing(url: url + types, key: key, client: client, last: after)
            // From here on nothing is missed.
            do { try await following.open() } catch let failure as CommandFailure { throw named(failure) }
            say("listening at \(url)")
            var left = count ?? .max
            while left > 0, let event = try await following.next() {
                left -= 1
                try await tell(event, forwarding)
            }
        }
        try? await client.shutdown()
        try result.get()
    }

    /// A refusal that is about a header, as one about the option that it was made from.
    private func named(_ failure: CommandFailure) -> CommandFailure {
        guard let after, failure.reason.hasPrefix("Last-Event-ID") else { return failure }
        var failure = failure
        failure.reason =
            "--after \(after) is no cursor: take what stands in brackets at the end of a line that listen prints, or next of GET /v1/events"
        return failure
    }

    /// Refuses with `key-not-taken` the key of an acquirer's space, whose owner has no events: the gateway calls it.
    private static func check(_ key: String, in file: String) throws(CommandFailure) {
        guard key.hasPrefix(OwnPartyRegistration.spaceKeyPrefix) else { return }
        throw CommandFailure(
            .usage, code: "key-not-taken",
            reason:
                "\(file) is the key of an acquirer's space, and an acquirer has no events to listen to: the gateway notifies its program at "
                + "ALIPAY_PLUS_NOTIFY_URL. billfold trigger payment-sheet.paid --key-file \(OwnPartyFolder.quoted(file)) has that happen, "
                + "and billfold logs --party acquirer shows what is said. Events are a merchant's (its api.key) and a bank's (--of bank)")
    }

    /// For the stream and for what is forwarded.
    static var clientConfiguration: HTTPClient.Configuration {
        // Redirects are answers like others: an event goes where its receiver said, and nowhere else.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        // Whoever does not listen is told at once, and not when connecting was tried for ten seconds.
        configuration.connectionPool.retryConnectionEstablishment = false
        // A silent stream says that it is alive more often.
        configuration.timeout.read = .seconds(60)
        return configuration
    }

    private func tell(_ event: EventStreamReader.Event, _ forwarding: WebhookForwarding?) async throws {
        let object = try? JSONReader.readObject(Array(event.data.utf8))
        let id = object?["id"]?.string ?? event.id
        print(json ? event.data : DiagnosisText.printable(Self.line(event, object)))
        fflush(nil)
        try await forwarding?.forward(id: id, body: Array(event.data.utf8), now: { Int64(Date().timeIntervalSince1970) }, say: { say($0) })
    }

    /// Time, type, object and id, and the cursor that --after takes.
    private static func line(_ event: EventStreamReader.Event, _ object: JSONObject?) -> String {
        let named = object?["object"]?.object
        let subject = [named?["kind"]?.string, named?["id"]?.string].compactMap(\.self).joined(separator: " ")
        return [object?["timestamp"]?.string ?? "", event.type, subject, object?["id"]?.string ?? "", "(\(event.id))"].filter {
            !$0.isEmpty
        }
        .joined(separator: "  ")
    }

    /// Lines for people, beside what programs read.
    private func say(_ line: String) { FileHandle.standardError.write(Data((DiagnosisText.printable(line) + "\n").utf8)) }

    /// Kept in the data folder, so that a receiver's setting holds from one day to the next.
    private func secret() throws -> String {
        if let secretFile {
            return try CommandFile.key(secretFile)
        }
        let held = try DataFolder(place.data).secret("listen.secret") { Array(WebhookForwarding.secret(SystemRandomness.bytes(32)).utf8) }
        let secret = String(decoding: held.reveal(), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        say("events are signed by \(secret)")
        return secret
    }
}
