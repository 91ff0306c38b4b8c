import ApplePayApp
import BillfoldTrace
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

@testable import BillfoldSandbox

/// Plans of one's own orders: how they are set, which message they befall, and that nothing else is touched.
@Suite struct OrderFaultsTests {
    /// What stands behind the plans: servers that answer, and count what reaches them.
    private struct Server: Sendable {
        let faults: OrderFaults
        let setting: PartySetting
        let client: any TestClientProtocol
        let served: @Sendable () -> Int

        func set(_ order: String, to plan: String, key: String? = nil) async throws {
            let answer = try await PartyClient(client: client, credential: key).send(.put, "/faults/orders/\(order)", plan)
            #expect(answer.status == 204)
        }

        func ask(
            _ path: String, posting body: String? = nil, key: String? = nil
        ) async throws -> (status: Int, text: String, headers: HTTPFields) {
            var headers: HTTPFields = [:]
            if let key { headers[.authorization] = "Bearer \(key)" }
            let answer = try await client.execute(
                uri: path, method: body == nil ? .get : .post, headers: headers, body: body.map { ByteBuffer(string: $0) })
            return (Int(answer.status.code), String(buffer: answer.body), answer.headers)
        }

        func fate(_ body: String, to path: String = "/hook", method: String = "POST", headers: [(String, String)] = []) async
            -> OutgoingFate
        {
            await faults.fate(of: Self.message(body, to: path, method: method, headers: headers))
        }

        static func message(
            _ body: String, to path: String, method: String = "POST", headers: [(String, String)] = []
        ) -> OutgoingMessage {
            OutgoingMessage(
                method: method, url: "http://127.0.0.1:9\(path)", headers: headers.map { (name: $0.0, value: $0.1) }, body: Array(body.utf8)
            )
        }
    }

    /// A server that knows some keys, and is away for one.
    private struct KeyedServer: MerchantConnection {
        let known: [String]

        func send(_ question: HTTPQuestion) async throws -> HTTPAnswer {
            let key = question.headers.first { $0.name == "Authorization" }?.value ?? ""
            if key == "Bearer nobody-answers" { throw CancellationError() }
            return HTTPAnswer(status: known.contains { "Bearer \($0)" == key } ? 200 : 401, body: Data())
        }
    }

    private static let keys = ProgramKeys(merchants: KeyedServer(known: ["mine", "theirs"]), banks: KeyedServer(known: ["bank"]))

    private static let page = """
        <div data-outcome="9000"></div><form data-result hidden>
        <input type="hidden" name="resultStatus" value="9000"><input type="hidden" name="memo" value="Paid">
        <input type="hidden" name="result" value="{&quot;out_trade_no&quot;:&quot;MINE-1&quot;}"></form>
        <a class="button" href="shop://safepay/?%7B%22memo%22:%7B%22memo%22:%22Paid%22,%22ResultStatus%22:%229000%22,%22result%22:\
        %22x%22%7D,%22requestType%22:%22safepay%22%7D" data-way-back>Back</a>
        """

    private func run(_ body: @escaping @Sendable (Server) async throws -> Void) async throws {
        try await PartySetting.with { setting in
            let faults = try await OrderFaults(setting.surroundings, keys: Self.keys)
            let count = Mutex(0)
            let router = Router()
            faults.addRoutes(to: router)
            faults.stand(before: router)
            @Sendable func answer(_ text: String, _ headers: HTTPFields = [:], status: HTTPResponse.Status = .ok) -> Response {
                count.withLock { $0 += 1 }
                return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
            }
            router.get("/gateway.do") { _, _ in answer(#"{"alipay_trade_query_response":{"code":"10000"},"sign":"QUJD"}"#) }
            router.post("/cashier") { _, _ in answer("", [.location: "/cashier/f00d"], status: .created) }
            router.get("/cashier/{token}") { _, _ in answer(Self.page) }
            router.get("/cashier/{token}/result") { _, _ in answer(#"{"memo":"Paid","result":"x","resultStatus":"9000"}"#) }
            router.post("/v1/orders") { _, _ in answer(#"{"id":"0a1b","reference":"r-1"}"#, status: .created) }
            router.get("/v1/orders/{id}") { _, context in answer(#"{"id":"\#(context.parameters.get("id") ?? "")"}"#) }
            try await Application(router: router, logger: setting.surroundings.logger).test(.ahc(.http)) { client in
                try await body(Server(faults: faults, setting: setting, client: client, served: { count.withLock { $0 } }))
            }
        }
    }

    private static func notification(_ order: String, app: String = "2026") -> String {
        "app_id=\(app)&notify_id=n1&notify_type=trade_status_sync&out_trade_no=\(order)&sign_type=RSA2&sign=AbC%2Bd%3D"
    }

    // MARK: Setting

    @Test func aPlanIsSetToldListedAndTakenAway() async throws {
        try await run { (server) async throws in
            let party = PartyClient(client: server.client)
            #expect(try await party.refusal(.get, "/faults/orders/express-order/MINE-1") == "not-found")
            try await server.set("express-order/MINE-1", to: #"{"faults":["result-8000","notification-lost"],"times":3}"#)
            let told = try await party.send(.get, "/faults/orders/express-order/MINE-1").json
            #expect(told["faults"] as? [String] == ["result-8000", "notification-lost"])
            #expect(told["times"] as? Int == 3 && told["delayMilliseconds"] as? Int == 2_000)
            let listed = try await party.send(.get, "/faults/orders").json
            #expect((listed["plans"] as? [[String: Any]])?.count == 1)
            #expect((listed["journeys"] as? [String: Any])?.count == 5)
            #expect(try await party.send(.delete, "/faults/orders/express-order/MINE-1").status == 204)
            #expect(try await party.refusal(.get, "/faults/orders/express-order/MINE-1") == "not-found")
            try await server.set("express-order/MINE-1", to: #"{"faults":["reply-lost"]}"#)
            try await server.set("express-order/MINE-1", to: "{}")
            #expect(try await party.refusal(.delete, "/faults/orders/express-order/MINE-1") == "not-found")
        }
    }

    @Test(arguments: [
        ("express-order", "X", #"{"faults":["notification-eaten"]}"#, "body-malformed"),
        ("express-order", "X", #"{"fault":["reply-lost"]}"#, "body-malformed"),
        ("express-order", "X", #"{"faults":["reply-lost"],"times":0}"#, "body-malformed"),
        ("express-order", "X", #"{"faults":["reply-late"],"delayMilliseconds":30001}"#, "body-malformed"),
        ("express-order", "X", #"{"faults":["result-8000","result-6004"]}"#, "body-malformed"),
        ("payment-sheet", "X", #"{"faults":["result-8000"]}"#, "fault-not-here"),
        ("mini-program", "X", #"{"faults":["notification-lost"]}"#, "fault-not-here"),
        ("tea", "X", #"{"faults":["reply-lost"]}"#, "no-such-journey"),
        ("express-order", "%C3%A4", #"{"faults":["reply-lost"]}"#, "order-malformed"),
    ]) func whatIsNoPlanIsRefused(journey: String, order: String, plan: String, code: String) async throws {
        try await run { (server) async throws in
            let told = try await PartyClient(client: server.client).refusal(.put, "/faults/orders/\(journey)/\(order)", plan)
            #expect(told == code)
            #expect(server.faults.book.isEmpty)
        }
    }

    @Test(arguments: [(HTTPRequest.Method.get, ""), (.get, String(repeating: "o", count: 65)), (.delete, "")])
    func anOwnerWithoutANameIsRefused(method: HTTPRequest.Method, owner: String) async throws {
        try await run { (server) async throws in
            try await server.set("express-order/MINE-1", to: #"{"faults":["notification-lost"]}"#)
            let told = try await PartyClient(client: server.client).refusal(method, "/faults/orders/express-order/MINE-1?owner=\(owner)")
            #expect(told == "owner-malformed")
            #expect(!server.faults.book.isEmpty)
        }
    }

    @Test func aPlanOutlivesAStart() async throws {
        try await run { (server) async throws in
            try await server.set("express-order/MINE-1", to: #"{"faults":["notification-lost","notification-doubled"]}"#)
            _ = await server.fate(Self.notification("MINE-1"))
            let again = try await OrderFaults(server.setting.surroundings, keys: Self.keys)
            guard case .doubled = await again.fate(of: Server.message(Self.notification("MINE-1"), to: "/hook")) else {
                Issue.record("the next fault befalls the next message")
                return
            }
        }
    }

    // MARK: Notifications

    @Test func faultsBefallNotificationsOneAfterTheOtherAndThenNone() async throws {
        try await run { (server) async throws in
            let bare = #""notification-unsigned""#
            try await server.set(
                "express-order/MINE-1",
                to: #"{"faults":["notification-lost","notification-doubled","notification-late","notification-corrupt",\#(bare)]}"#)
            let mine = Self.notification("MINE-1")
            guard case .arrives = await server.fate(Self.notification("OTHER")) else {
                Issue.record("another order's")
                return
            }
            guard case .lost = await server.fate(mine) else {
                Issue.record("lost")
                return
            }
            guard case .doubled = await server.fate(mine) else {
                Issue.record("doubled")
                return
            }
            guard case .late(let wait) = await server.fate(mine), wait == .seconds(2) else {
                Issue.record("late")
                return
            }
            guard case .changed(let corrupt) = await server.fate(mine) else {
                Issue.record("corrupt")
                return
            }
            #expect(String(decoding: corrupt.body, as: UTF8.self) == mine.replacing("sign=AbC", with: "sign=abC"))
            guard case .changed(let bare) = await server.fate(mine) else {
                Issue.record("unsigned")
                return
            }
            #expect(String(decoding: bare.body, as: UTF8.self) == mine.replacing("&sign=AbC%2Bd%3D", with: ""))
            guard case .arrives = await server.fate(mine) else {
                Issue.record("then none")
                return
            }
            let noted = server.setting.sink.entries.filter { $0.correlation["alipay.order"] == "MINE-1" }.compactMap(\.problem)
            #expect(noted.count == 5 && noted.first == "notification-lost")
        }
    }

    @Test func anotherOwnersOrderOfTheSameNameIsLeftAlone() async throws {
        try await run { (server) async throws in
            try await server.set("express-order/MINE-1", to: #"{"faults":["notification-lost"],"owner":"2027"}"#)
            guard case .arrives = await server.fate(Self.notification("MINE-1", app: "2026")) else {
                Issue.record("another's")
                return
            }
            guard case .lost = await server.fate(Self.notification("MINE-1", app: "2027")) else {
                Issue.record("his own")
                return
            }
        }
    }

    @Test func webhooksAndSheetsAreKnownByWhatTheyCarry() async throws {
        try await run { (server) async throws in
            try await server.set("apple-pay-unionpay/0a1b", to: #"{"faults":["notification-corrupt"]}"#)
            let event = #"{"data":{"id":"p-1","order":"0a1b"},"type":"payment.succeeded"}"#
            guard
                case .changed(let hook) = await server.fate(
                    event, headers: [("webhook-id", "evt_1"), ("webhook-signature", "v1,Abc v1,1bc")])
            else {
                Issue.record("a webhook")
                return
            }
            #expect(hook.headers.last?.value == "v1,abc v1,2bc" && hook.body == Array(event.utf8))
            try await server.set("payment-sheet/PR-1", to: #"{"faults":["notification-unsigned"]}"#)
            let sheet = #"{"acquirerId":"1","paymentRequestId":"PR-1","paymentResult":{"resultStatus":"S"}}"#
            let headers = [("Client-Id", "C"), ("Signature", "algorithm=RSA256,keyVersion=1,signature=abc")]
            guard case .changed(let told) = await server.fate(sheet, headers: headers) else {
                Issue.record("a sheet's")
                return
            }
            #expect(told.headers.map(\.name) == ["Client-Id"])
            // A wallet is no program of the order's owner.
            let asked = #"{"paymentRequestId":"PR-1"}"#
            guard case .arrives = await server.fate(asked, to: "/aps/api/v1/payments/pay", headers: headers) else {
                Issue.record("a wallet's")
                return
            }
        }
    }

    // MARK: Requests and replies

    @Test func repliesAreDamagedAndLostForTheOrderThatIsNamed() async throws {
        try await run { (server) async throws in
            let sound = try await server.ask("/gateway.do?out_trade_no=MINE-1").text
            try await server.set(
                "express-order/MINE-1", to: #"{"faults":["reply-corrupt","reply-unsigned","request-refused","reply-lost"]}"#)
            let query = "/gateway.do?method=alipay.trade.query&biz_content=%7B%22out_trade_no%22%3A%22MINE-1%22%7D"
            #expect(try await server.ask("/gateway.do?out_trade_no=OTHER").text == sound)
            let served = server.served()
            let refused = try await server.ask(query)
            #expect(refused.status == 503 && refused.text.contains("unavailable") && server.served() == served)
            #expect(try await server.ask(query).text == sound.replacing("QUJD", with: "aUJD"))
            #expect(try await server.ask(query).text == sound.replacing(#","sign":"QUJD""#, with: ""))
            await #expect(throws: (any Error).self) { try await server.ask(query) }
            #expect(server.served() == served + 3)
            #expect(try await server.ask(query).text == sound)
        }
    }

    @Test func theNextOrderOfAKeyIsBegunByThatKeyAndKnownByItsId() async throws {
        try await run { (server) async throws in
            try await server.set("apple-pay-unionpay/next", to: #"{"faults":["notification-lost"]}"#, key: "mine")
            let theirs = PartyClient(client: server.client, credential: "theirs")
            #expect(try await theirs.refusal(.get, "/faults/orders/apple-pay-unionpay/next") == "not-found")
            #expect(try await (theirs.send(.get, "/faults/orders").json["plans"] as? [Any])?.isEmpty == true)
            _ = try await server.ask("/v1/orders", posting: #"{"reference":"r-0"}"#, key: "theirs")
            _ = try await server.ask("/v1/orders", posting: #"{"reference":"r-1"}"#, key: "mine")
            let mine = PartyClient(client: server.client, credential: "mine")
            #expect(try await mine.refusal(.get, "/faults/orders/apple-pay-unionpay/next") == "not-found")
            let plan = try await mine.send(.get, "/faults/orders/apple-pay-unionpay/r-1").json
            #expect(plan["order"] as? String == "r-1" && plan["owner"] == nil)
            let event = #"{"data":{"id":"p-1","order":"0a1b"},"type":"payment.succeeded"}"#
            guard case .lost = await server.fate(event, headers: [("webhook-id", "evt_1")]) else {
                Issue.record("by its id")
                return
            }
        }
    }

    /// A plan under a key that nobody has befalls nothing, so it is not taken.
    @Test(arguments: [
        ("apple-pay-unionpay", "nope", "unauthorized", 401), ("apple-pay-unionpay", "bank", "unauthorized", 401),
        ("provision-card", "mine", "unauthorized", 401), ("provision-card", "", "unauthorized", 401),
        ("apple-pay-unionpay", "nobody-answers", "unavailable", 503),
    ])
    func aKeyThatNoProgramHasIsRefused(journey: String, key: String, code: String, status: Int) async throws {
        try await run { (server) async throws in
            let party = PartyClient(client: server.client, credential: key)
            let path = "/faults/orders/\(journey)/MINE-1"
            for (method, body) in [(HTTPRequest.Method.put, #"{"faults":["reply-lost"]}"# as String?), (.get, nil), (.delete, nil)] {
                let answer = try await party.send(method, path, body)
                #expect(answer.status == status && (answer.json["error"] as? [String: Any])?["code"] as? String == code)
            }
            #expect(server.faults.book.isEmpty)
        }
    }

    @Test func aKeyOfEitherServerSeesItsPlansAndJourneysWithoutKeysAskForNone() async throws {
        try await run { (server) async throws in
            try await server.set("provision-card/c-1", to: #"{"faults":["reply-lost"]}"#, key: "bank")
            let bank = try await PartyClient(client: server.client, credential: "bank").send(.get, "/faults/orders").json
            #expect((bank["plans"] as? [Any])?.count == 1)
            #expect(try await PartyClient(client: server.client, credential: "nope").refusal(.get, "/faults/orders") == "unauthorized")
            try await server.set("express-order/MINE-1", to: #"{"faults":["reply-lost"]}"#, key: "nope")
        }
    }

    // MARK: Results

    @Test func thePayersAppIsToldWhatThePlanSays() async throws {
        try await run { (server) async throws in
            try await server.set("express-order/next", to: #"{"faults":["result-6004"]}"#)
            let order =
                "order="
                + (#"app_id=2026&biz_content={"out_trade_no":"MINE-1"}"#.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            #expect(try await server.ask("/cashier", posting: order).headers[.location] == "/cashier/f00d")
            let told = try await server.ask("/cashier/f00d/result").text
            #expect(told == #"{"memo":"","result":"","resultStatus":"6004"}"#)
            // The app asks again, and hears the same: it is one result.
            #expect(try await server.ask("/cashier/f00d/result").text == told)
            let page = try await server.ask("/cashier/f00d").text
            #expect(!page.contains("9000") && page.contains(#"name="resultStatus" value="6004""#))
            #expect(page.contains("shop://safepay/?") && !page.contains("MINE-1"))
            #expect(try await server.ask("/cashier/beef/result").text.contains("9000"))
        }
    }

    @Test func aPaymentIsRefusedOnceBetweenWalletAndGateway() async throws {
        try await run { (server) async throws in
            try await server.set("express-order/MINE-1", to: #"{"faults":["result-4000"]}"#)
            let opened = Server.message(#"{"order":"app_id=1&biz_content=%7B%22out_trade_no%22%3A%22MINE-1%22%7D"}"#, to: "/link/v1/orders")
            await server.faults.heard(Array(#"{"ref":"ref-1"}"#.utf8), to: opened)
            await server.faults.heard(Array(#"{"tradeNo":"2026T"}"#.utf8), to: Server.message(#"{"ref":"ref-1"}"#, to: "/link/v1/trades"))
            let pay = #"{"requestId":"q","tradeNo":"2026T"}"#
            guard case .answered(409, _) = await server.fate(pay, to: "/link/v1/payments") else {
                Issue.record("refused")
                return
            }
            guard case .arrives = await server.fate(pay, to: "/link/v1/payments") else {
                Issue.record("once")
                return
            }
            guard case .arrives = await server.fate(#"{"tradeNo":"OTHER"}"#, to: "/link/v1/payments") else {
                Issue.record("other")
                return
            }
        }
    }

    // MARK: Parts

    @Test func namesAreFoundWhereverTheyStand() {
        let app = MessageNames(
            path: "/wallet/pay?%7B%22dataString%22%3A%22out_trade_no%3D%5C%22OLD-1%5C%22%26partner%3D%5C%222088%5C%22%22%7D")
        #expect(app["out_trade_no"] == ["OLD-1"] && app["partner"] == ["2088"])
        #expect(MessageNames(path: "/v1/orders/0a/payments")["order"] == ["0a"])
        #expect(MessageNames(body: Array(#"{"a":[{"paymentId":"P"}]}"#.utf8))["paymentId"] == ["P"])
        #expect(MessageNames(body: Array(repeating: UInt8(ascii: "{"), count: 100_000)).fields.isEmpty)
        #expect(MessageNames(body: [0xFF, 0x3D, 0xFF]).fields.count <= 1)
    }

    @Test(arguments: [
        (#"{"sign":"QQ","r":{}}"#, #"{"sign":"aQ","r":{}}"#, #"{"r":{}}"#),
        ("<alipay><a>1</a><sign>1f</sign></alipay>", "<alipay><a>1</a><sign>2f</sign></alipay>", "<alipay><a>1</a></alipay>"),
        ("sign=%2Ba&x=1", "sign=%2Bb&x=1", "x=1"),
    ]) func aSignatureIsDamagedWhereItStands(sound: String, corrupt: String, bare: String) throws {
        func done(_ damage: SignatureDamage) throws -> String {
            String(decoding: try #require(damage.done(to: [], Array(sound.utf8))).body, as: UTF8.self)
        }
        #expect(try done(.corrupt) == corrupt)
        #expect(try done(.missing) == bare)
        #expect(SignatureDamage.corrupt.done(to: [], Array("nothing".utf8)) == nil)
    }
}
