import BillfoldMoney
import BillfoldServer
import BillfoldServerTestSupport
import BillfoldTestSupport
import BillfoldTrace
import BillfoldWeb
import Synchronization
import Testing
import WalletServer

@Suite(.serialized) struct WalletConsoleTests {
    /// A wallet with one payment that is not judged and one contradiction.
    private final class TwoAlarms: WalletAlarms {
        let cleared = Mutex<[String]>([])
        func alarms() async throws -> [WalletPaymentAlarm] {
            let amount = Amount(minorUnits: 912, currency: try Currency("CNY"))
            return [
                .init(kind: .contradiction, id: "w-2", trade: "t-2", state: "released", amount: amount, note: "", startedAt: 0),
                .init(kind: .unsettled, id: "w-1", trade: "t-1", state: "held", amount: amount, note: "403 forbidden", startedAt: 0),
            ]
        }
        func clearContradiction(of payment: String, remark: String, by person: String) async throws -> Bool {
            cleared.withLock { $0.append("\(payment) \(remark) \(person)") }
            return payment == "w-2"
        }
    }

    @Test func alarmsAreShownAndContradictionsCleared() async throws {
        try await OperatorFixture.with(.sqlite) { fixture in
            let wallet = TwoAlarms()
            var console = Console(
                store: TraceStore(), pages: WebConsolePages(), assets: [:], directory: fixture.directory,
                approvals: try fixture.queue(actions: [:]))
            console.desks = [WalletConsole(wallet)]
            #expect(console.links.contains(PageFrame.alarmsLink))
            try await RunningServer.serve(console, configuration: .networkConsole) { (server: RunningServer) async throws in
                let (ann, eve) = (try await server.signIn("ann"), try await server.signIn("eve"))
                let page = try await Answer.get(server.url("console", "/alarms"), headers: ann)
                #expect(page.body.contains(#"data-ask="wallet-settle-payment" data-subject="w-1""#))
                #expect(page.body.contains(#"data-clear="wallet-contradiction" data-payment="w-2""#))
                #expect(page.body.contains("403 forbidden") && !page.body.contains("card payments"))
                let looking = try await Answer.get(server.url("console", "/alarms"), headers: eve)
                #expect(looking.body.contains("w-1") && !looking.body.contains("data-ask") && !looking.body.contains("data-clear"))
                let url = server.url("console", "/api/alarms/clearances")
                func body(_ payment: String, _ alarm: String = "wallet-contradiction") -> String {
                    #"{"payment":"\#(payment)","alarm":"\#(alarm)","remark":"spoken to the gateway"}"#
                }
                #expect(try await Answer.send("POST", url, headers: eve, body: body("w-2")).errorCode == "role-required")
                #expect(try await Answer.send("POST", url, headers: ann, body: body("w-2", "contradiction")).errorCode == "not-found")
                #expect(try await Answer.send("POST", url, headers: ann, body: body("w-1")).errorCode == "not-found")
                #expect(try await Answer.send("POST", url, headers: ann, body: body("w-2")).status == 204)
                #expect(wallet.cleared.withLock { $0 } == ["w-1 spoken to the gateway ann", "w-2 spoken to the gateway ann"])
            }
        }
    }
}
