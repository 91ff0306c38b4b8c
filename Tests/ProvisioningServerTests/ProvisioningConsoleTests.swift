import BillfoldServer
import BillfoldServerTestSupport
import BillfoldTestSupport
import BillfoldTrace
import BillfoldWeb
import Foundation
import ProvisioningServer
import Synchronization
import Testing

/// Keeps what was done, for one card and one token.
private final class RecordingDesk: ProvisioningDesk {
    private let log = Mutex<[String]>([])
    var deeds: [String] { log.withLock { $0 } }
    private func note(_ deed: String) { log.withLock { $0.append(deed) } }

    private let row = ProvisioningOverview.Card(
        id: "card 1", displayName: "Card", network: "Visa", suffix: "4242", cardholderName: "Mei Lin", status: "active", isSwitchedOn: true,
        tokenCount: 0)

    func overview() -> ProvisioningOverview { ProvisioningOverview(programmes: [], cards: [row]) }
    func card(_ id: String) -> ProvisioningCardView? {
        id == row.id ? ProvisioningCardView(card: row, cardSwitch: .init(isOn: true)) : nil
    }
    func switchProgramme(_ id: String, on: Bool, remark: String, by person: String) -> Bool {
        note("programme \(on) \(remark) \(person)")
        return id == "visa"
    }
    func switchCard(_ id: String, on: Bool, remark: String, by person: String) -> Bool {
        note("card \(on) \(remark) \(person)")
        return id == row.id
    }
    func allow(_ isAllowed: Bool, card: String, secureElement: String, remark: String, by person: String) -> Bool {
        note("allow \(isAllowed) \(secureElement) \(person)")
        return card == row.id
    }
    func act(_ action: ProvisioningAction, on token: String, reason: ProvisioningActionReason, by person: String) -> Bool {
        note("\(action) \(reason.rawValue) \(person)")
        return token == "token-1"
    }
    func replaceCard(_ id: String, remark: String, by person: String) -> Bool { id == row.id }
    func failedStops() -> [ProvisioningOverview.Stop] {
        [
            .init(
                id: "stop-1", card: row.id, cardName: "Card", tokenReference: "token-1", device: "Mei's phone (phone)", action: "suspend",
                outcome: "token-busy", isRefused: true, askedBy: "lin", at: 0, tokenState: "active")
        ]
    }
    func resolveStop(_ id: String, retry: Bool, remark: String, by person: String) -> Bool {
        note("stop \(retry) \(remark) \(person)")
        return id == "stop-1"
    }
    func reportLost(secureElement: String, by person: String) -> Int { secureElement.hasPrefix("0a") ? 2 : 0 }
    func reportFound(secureElement: String, remark: String, by person: String) -> Bool {
        note("found \(remark) \(person)")
        return secureElement.hasPrefix("0a")
    }
}

@Suite(.serialized) struct ProvisioningConsoleTests {
    private static let element = String(repeating: "0A1b", count: 12)

    private func console(_ desk: RecordingDesk) -> Console {
        var console = Console(store: TraceStore(), pages: WebConsolePages(), assets: [:])
        console.desks = [ProvisioningConsole(desk)]
        return console
    }

    private func serve(_ desk: RecordingDesk, body: (RunningServer) async throws -> Void) async throws {
        try await RunningServer.serve(console(desk), body: body)
    }

    @Test func cardsHaveTheirPages() async throws {
        try await serve(RecordingDesk()) { server in
            let overview = try await Answer.get(server.url("console", "/provisioning"))
            #expect(overview.status == 200 && overview.body.contains(#"href="/provisioning/cards/card%201""#))
            #expect(try await Answer.get(server.url("console", "/provisioning/cards/card%201")).body.contains("held by Mei Lin"))
            #expect(try await Answer.get(server.url("console", "/provisioning/cards/none")).status == 404)
        }
    }

    /// The console of this test has no file of its own.
    @Test func whatADesksPagesLoadIsServed() async throws {
        try await serve(RecordingDesk()) { server in
            let sheet = try await Answer.get(server.url("console", "/assets/console/provisioning.css"))
            #expect(sheet.status == 200 && sheet.headers["content-type"] == "text/css; charset=utf-8")
            #expect(try await Answer.get(server.url("console", "/assets/billfold.css")).status == 404)
        }
    }

    @Test func whatANetworkDidNotStopIsAnAlarm() async throws {
        try await serve(RecordingDesk()) { server in
            let alarms = try await Answer.get(server.url("console", "/alarms"))
            #expect(alarms.status == 200 && alarms.body.contains(#"data-path="/api/provisioning/stops/stop-1""#))
            #expect(alarms.body.contains("token-busy") && !alarms.body.contains("card payments"))
        }
    }

    @Test(arguments: [
        ("POST", "stops/stop-1", #"{"do":"retry","remark":"called them"}"#, 204, "stop true called them local"),
        ("POST", "stops/stop-1", #"{"do":"resolve","remark":"card is gone"}"#, 204, "stop false card is gone local"),
        ("POST", "stops/stop-2", #"{"do":"retry","remark":"x"}"#, 404, "stop true x local"),
        ("POST", "stops/stop-1", #"{"do":"forget","remark":"x"}"#, 400, nil),
        ("POST", "stops/stop-1", #"{"do":"retry","remark":" "}"#, 422, nil),
        ("PUT", "programmes/visa/switch", #"{"on":false,"remark":" fire drill "}"#, 204, "programme false fire drill local"),
        ("PUT", "programmes/visa/switch", #"{"on":false,"remark":" "}"#, 422, nil),
        ("PUT", "programmes/visa/switch", #"{"on":"no","remark":"x"}"#, 400, nil),
        ("PUT", "programmes/visa/switch", #"{"on":true,"remark":"x","until":"noon"}"#, 400, nil),
        ("PUT", "programmes/none/switch", #"{"on":true,"remark":"x"}"#, 404, "programme true x local"),
        ("PUT", "cards/card%201/switch", #"{"on":true,"remark":"again"}"#, 204, "card true again local"),
        ("PUT", "cards/none/switch", #"{"on":true,"remark":"again"}"#, 404, "card true again local"),
        ("POST", "cards/card%201/replacement", #"{"remark":"worn out"}"#, 204, nil),
        ("POST", "cards/none/replacement", #"{"remark":"worn out"}"#, 404, nil),
        (
            "POST", "allow-list", #"{"card":"card 1","secureElement":"\#(element)","allowed":true}"#, 204,
            "allow true \(element.lowercased()) local"
        ),
        ("POST", "allow-list", #"{"card":"card 1","secureElement":"0a","allowed":true}"#, 422, nil),
        ("POST", "tokens/token-1/actions", #"{"action":"suspend","reason":"L"}"#, 204, "suspend L local"),
        ("POST", "tokens/token-1/actions", #"{"action":"burn","reason":"L"}"#, 400, nil),
        ("POST", "tokens/token-1/actions", #"{"action":"suspend","reason":"Q"}"#, 400, nil),
        ("POST", "tokens/token-2/actions", #"{"action":"delete","reason":"Z"}"#, 404, "delete Z local"),
        ("POST", "lost-devices", #"{"secureElement":"0a"}"#, 422, nil),
        ("POST", "found-devices", #"{"secureElement":"\#(element)","remark":"in her bag"}"#, 204, "found in her bag local"),
        (
            "POST", "found-devices", #"{"secureElement":"\#(String(repeating: "bb", count: 24))","remark":"x"}"#, 404, "found x local"
        ),
        ("POST", "found-devices", #"{"secureElement":"\#(element)","remark":" "}"#, 422, nil),
        ("POST", "found-devices", #"{"secureElement":"\#(element)"}"#, 400, nil),
    ])
    func whatOperatorsDoReachesTheDesk(method: String, path: String, body: String, status: Int, deed: String?) async throws {
        let desk = RecordingDesk()
        try await serve(desk) { server in
            let answer = try await Answer.send(method, server.url("console", "/api/provisioning/\(path)"), body: body)
            #expect(answer.status == status, "\(answer.body)")
            #expect(desk.deeds == [deed].compactMap(\.self))
        }
    }

    /// The report counts whether the device holds a token or not.
    @Test(arguments: [(element, 2), (String(repeating: "bb", count: 24), 0)])
    func aLostDeviceIsAnsweredWithHowManyTokensStop(element: String, tokens: Int) async throws {
        try await serve(RecordingDesk()) { server in
            let answer = try await Answer.send(
                "POST", server.url("console", "/api/provisioning/lost-devices"), body: #"{"secureElement":"\#(element)"}"#)
            #expect(answer.status == 200 && answer.body == #"{"tokens":\#(tokens)}"#, "\(answer.body)")
        }
    }

    @Test func whoMayOnlyLookChangesNothing() async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            let desk = RecordingDesk()
            var console = console(desk)
            console.directory = fixture.directory
            try await RunningServer.serve(console, configuration: .networkConsole) { (server: RunningServer) async throws in
                let url = server.url("console", "/api/provisioning/programmes/visa/switch")
                #expect(try await Answer.send("PUT", url, body: #"{"on":false,"remark":"x"}"#).errorCode == "sign-in-required")
                #expect(desk.deeds.isEmpty)
            }
        }
    }
}
