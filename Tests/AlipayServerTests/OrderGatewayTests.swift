import Alipay
import BillfoldArchive
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldStorage
import BillfoldTestSupport
import Foundation
import HTTPTypes
import PaymentCrypto
import Testing

@testable import AlipayServer

struct OrderGatewayTests {
    @Test(arguments: StoreEngine.available) func refundsAddUpAndAreKnownByTheirNumber(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("R_1"))
            func refund(_ amount: String, _ number: String?) async throws -> JSONValue {
                let part = number.map { #","out_request_no":"\#($0)""# } ?? ""
                return try await gateway.modern("alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"\#(amount)"\#(part)}"#)
            }
            #expect(try await refund("3.00", nil)["sub_code"]?.string == "ACQ.REFUND_AMT_NOT_EQUAL_TOTAL")
            let first = try await refund("3.00", "a")
            #expect(first["code"]?.string == "10000")
            #expect(first["fund_change"]?.string == "Y")
            let again = try await refund("3.00", "a")
            #expect(again["fund_change"]?.string == "N")
            #expect(again["refund_fee"]?.string == "3.00")
            #expect(try await refund("4.00", "a")["sub_code"]?.string == "ACQ.DISCORDANT_REPEAT_REQUEST")
            #expect(try await refund("7.01", "b")["sub_code"]?.string == "ACQ.REASON_TRADE_REFUND_FEE_ERR")
            let asked = try await gateway.modern(
                "alipay.trade.fastpay.refund.query", #"{"trade_no":"\#(tradeNo)","out_request_no":"a"}"#)
            #expect(asked["refund_status"]?.string == "REFUND_SUCCESS")
            #expect(asked["refund_amount"]?.string == "3.00")
            let unknown = try await gateway.modern(
                "alipay.trade.fastpay.refund.query", #"{"trade_no":"\#(tradeNo)","out_request_no":"z"}"#)
            #expect(unknown["code"]?.string == "10000")
            #expect(unknown["refund_status"] == nil)
            let last = try await refund("7.00", "b")
            #expect(last["refund_fee"]?.string == "10.00")
            #expect(
                try await gateway.modern("alipay.trade.query", #"{"trade_no":"\#(tradeNo)"}"#)["trade_status"]?.string == "TRADE_CLOSED")
            // A repeated number is known even when everything went back.
            #expect(try await refund("3.00", "a")["fund_change"]?.string == "N")
            #expect(try await refund("0.01", "c")["sub_code"]?.string == "ACQ.REASON_TRADE_REFUND_FEE_ERR")
            try await gateway.work()
            #expect(try await gateway.balance(OrderGatewayHarness.domestic) == [:])
            #expect(gateway.outside.credits.values.sorted() == ["3.00", "7.00"])
        }
    }

    @Test(arguments: StoreEngine.available) func equalRefundsAtOnceMoveMoneyOnce(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("R_2"))
            let answers = try await withThrowingTaskGroup(of: JSONValue.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await gateway.modern(
                            "alipay.trade.refund", #"{"trade_no":"\#(tradeNo)","refund_amount":"4.00","out_request_no":"same"}"#)
                    }
                }
                return try await group.reduce(into: [JSONValue]()) { $0.append($1) }
            }
            #expect(answers.allSatisfy { $0["code"]?.string == "10000" })
            #expect(answers.filter { $0["fund_change"]?.string == "Y" }.count == 1)
            try await gateway.work()
            #expect(try await gateway.balance(OrderGatewayHarness.domestic)["wallet:ALIPAY_CN CNY"] == "6.00")
            #expect(Array(gateway.outside.credits.values) == ["4.00"])
        }
    }

    @Test func closeAndCancelDoWhatTheStateAllows() async throws {
        try await OrderGatewayHarness.open { gateway in
            let open = try await gateway.begin(try await gateway.modernOrder("C_1"))
            let closed = try await gateway.modern("alipay.trade.close", #"{"out_trade_no":"C_1"}"#)
            #expect(closed["code"]?.string == "10000")
            #expect(closed["trade_no"]?.string == open.tradeNo)
            #expect(
                try await gateway.modern("alipay.trade.close", #"{"out_trade_no":"C_1"}"#)["sub_code"]?.string == "ACQ.TRADE_STATUS_ERROR")
            #expect(try await gateway.modern("alipay.trade.close", #"{"out_trade_no":"C_9"}"#)["sub_code"]?.string == "ACQ.TRADE_NOT_EXIST")
            #expect(try await gateway.pay(open.tradeNo, "10.00", request: "late").errorCode == "T8912")
            #expect(try await gateway.modern("alipay.trade.cancel", #"{"out_trade_no":"C_1"}"#)["action"]?.string == "close")
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("C_2"))
            for _ in 0..<2 {
                let cancelled = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(tradeNo)"}"#)
                #expect(cancelled["action"]?.string == "refund")
                #expect(cancelled["retry_flag"]?.string == "N")
            }
            try await gateway.work()
            #expect(gateway.outside.credits.count == 1)
            #expect(try await gateway.balance(OrderGatewayHarness.domestic) == [:])
            let unknown = try await gateway.modern("alipay.trade.cancel", #"{"out_trade_no":"C_9"}"#)
            #expect(unknown["sub_code"]?.string == "ACQ.TRADE_NOT_EXIST" && unknown["retry_flag"]?.string == "N")
            // Another merchant's trade is none.
            let other = try await gateway.modern("alipay.trade.query", #"{"trade_no":"2026112122000000000000000001"}"#)
            #expect(other["sub_code"]?.string == "ACQ.TRADE_NOT_EXIST")
        }
    }

    /// Cancelling gives back the whole: a trade that a refund touched, or that was paid a day ago, is refunded instead.
    @Test func whatIsNotCancelledAnyMoreSaysWhy() async throws {
        try await OrderGatewayHarness.open { gateway in
            func cancel(_ trade: String) async throws -> String? {
                let answer = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(trade)"}"#)
                #expect(answer["retry_flag"]?.string == "N")
                return answer["sub_code"]?.string ?? answer["action"]?.string
            }
            func refund(_ trade: String, _ amount: String, _ number: String) async throws {
                let answer = try await gateway.modern(
                    "alipay.trade.refund", #"{"trade_no":"\#(trade)","refund_amount":"\#(amount)","out_request_no":"\#(number)"}"#)
                #expect(answer["fund_change"]?.string == "Y")
            }
            let partly = try await gateway.paid(try await gateway.modernOrder("C_1"))
            try await refund(partly, "4.00", "a")
            #expect(try await cancel(partly) == "ACQ.REASON_TRADE_REFUND_FEE_ERR")
            try await refund(partly, "6.00", "b")
            #expect(try await cancel(partly) == "ACQ.REASON_TRADE_REFUND_FEE_ERR")
            let late = try await gateway.paid(try await gateway.modernOrder("C_2"))
            let cancelled = try await gateway.paid(try await gateway.modernOrder("C_3"))
            gateway.clock.advance(by: .seconds(86_399))
            #expect(try await cancel(cancelled) == "refund")
            gateway.clock.advance(by: .seconds(1))
            #expect(try await cancel(late) == "ACQ.TRADE_CANCEL_TIME_OUT")
            // What was cancelled in time stays so.
            #expect(try await cancel(cancelled) == "refund")
            try await refund(late, "10.00", "a")
            _ = try await gateway.store.database.write { tx in
                try tx.execute("UPDATE alipay_trades SET status = 'TRADE_PENDING' WHERE trade_no = ?", [.text(late)])
            }
            #expect(try await cancel(late) == "ACQ.CANCEL_NOT_ALLOWED")
            #expect(try await gateway.balance(OrderGatewayHarness.domestic) == [:])
        }
    }

    /// Whether it was cancelled is not known: the merchant is told to ask again.
    @Test func aCancelThatCannotBeAnsweredIsToBeRepeated() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("C_1"))
            func set(_ status: String) async throws {
                _ = try await gateway.store.database.write { try $0.execute("UPDATE alipay_trades SET status = ?", [.text(status)]) }
            }
            try await set("unreadable")
            let answer = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(tradeNo)"}"#)
            #expect(answer["code"]?.string == "20000" && answer["retry_flag"]?.string == "Y", "\(answer.text)")
            try await set("TRADE_SUCCESS")
            let again = try await gateway.modern("alipay.trade.cancel", #"{"trade_no":"\#(tradeNo)"}"#)
            #expect(again["action"]?.string == "refund" && again["retry_flag"]?.string == "N")
        }
    }

    @Test(
        arguments: [
            ("method", nil, "40001", "isv.missing-method"), ("method", "alipay.trade.nothing", "40002", "isv.invalid-method"),
            ("app_id", nil, "40001", "isv.missing-app-id"), ("app_id", "2021999999999999", "40002", "isv.invalid-app-id"),
            ("sign_type", nil, "40001", "isv.missing-signature-type"), ("sign_type", "DSA", "40002", "isv.invalid-signature-type"),
            ("sign", nil, "40001", "isv.missing-signature"), ("sign", "AAAA", "40002", "isv.invalid-signature"),
            ("charset", "latin1", "40002", "isv.invalid-charset"), ("biz_content", "{}", "40002", "isv.invalid-signature"),
        ] as [(String, String?, String, String)])
    func aWrongCallIsRefusedByItsCode(_ name: String, _ value: String?, _ code: String, _ subCode: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"Q_1"}"#)
            var pairs = text.split(separator: "&").map(String.init).filter { !$0.hasPrefix("\(name)=") }
            if let value { pairs.append("\(name)=\(value.replacing("{}", with: "%7B%7D"))") }
            let answer = try await gateway.send(.get, "/gateway.do?\(pairs.joined(separator: "&"))")
            #expect(answer.status == 200)
            let node = try #require(answer.json?["alipay_trade_query_response"] ?? answer.json?["error_response"], "\(answer.body)")
            #expect(node["code"]?.string == code, "\(answer.body)")
            #expect(node["sub_code"]?.string == subCode, "\(answer.body)")
            #expect(answer.json?["sign"] == nil)
        }
    }

    @Test(arguments: [
        ("timestamp", "2026-11-19 00:00:00", "isv.invalid-timestamp"), ("timestamp", "yesterday", "isv.invalid-timestamp"),
        ("version", "2.0", "isv.invalid-parameter"), ("format", "XML", "isv.invalid-format"),
        ("app_auth_token", "201611BBd2d4f6", "aop.invalid-auth-token"),
    ])
    func aSignedCallIsStillHeldToItsParameters(_ name: String, _ value: String, _ subCode: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            var parameters: [(name: String, value: String)] = [
                ("app_id", OrderGatewayHarness.appID), ("method", "alipay.trade.query"), ("format", "JSON"),
                ("timestamp", ChinaTime.text(gateway.clock.now())), ("version", "1.0"), ("biz_content", #"{"out_trade_no":"Q"}"#),
            ]
            parameters.removeAll { $0.name == name }
            parameters.append((name, value))
            let text = try await ModernRequest.signed(parameters, by: AlipayRSASigner.rsa2(gateway.keys.application)).text
            let answer = try await gateway.send(.get, "/gateway.do?\(text)")
            #expect(answer.json?["alipay_trade_query_response"]?["sub_code"]?.string == subCode, "\(answer.body)")
        }
    }

    @Test func theCharsetOfAPostStandsInTheQuery() async throws {
        try await OrderGatewayHarness.open { gateway in
            // The domestic merchant's contract is the documented one: a charset in the body alone is read as GBK.
            let text = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"茶"}"#)
            let body = try await gateway.send(.post, "/gateway.do", text, type: "application/x-www-form-urlencoded")
            #expect(body.json?["alipay_trade_query_response"]?["sub_code"]?.string == "isv.invalid-signature")
            let split = text.split(separator: "&").filter { !$0.hasPrefix("charset=") }.joined(separator: "&")
            let answer = try await gateway.send(.post, "/gateway.do?charset=utf-8", split, type: "application/x-www-form-urlencoded")
            #expect(answer.json?["alipay_trade_query_response"]?["sub_code"]?.string == "ACQ.TRADE_NOT_EXIST", "\(answer.body)")
            // Business outcomes are signed.
            let key = try await gateway.gatewayKey(OrderGatewayHarness.appID)
            let verified = try ModernAnswer(answer.bytes).verified(
                by: AlipayVerificationKeys(rsa2: key), answering: "alipay.trade.query")
            #expect(verified.failure?.subCode == "ACQ.TRADE_NOT_EXIST")
        }
    }

    @Test func anApplicationWithCertificatesNamesThem() async throws {
        try await OrderGatewayHarness.open { gateway in
            let application = try #require(try await gateway.server.context.merchants.application(OrderGatewayHarness.certifiedAppID))
            let serials = try #require(application.certificates)
            let signer = AlipayRSASigner.rsa2(gateway.keys.certified)
            func call(_ method: String, _ content: String, _ added: [(String, String)]) async throws -> OrderGatewayHarness.Answer {
                let text = try await gateway.modernText(
                    method, content, app: OrderGatewayHarness.certifiedAppID, signer: signer, added: added)
                return try await gateway.send(.get, "/gateway.do?\(text)")
            }
            let bare = try await call("alipay.trade.query", #"{"out_trade_no":"Q"}"#, [])
            #expect(bare.json?["alipay_trade_query_response"]?["sub_code"]?.string == "isv.missing-app-cert-sn")
            let named = [("app_cert_sn", serials.application), ("alipay_root_cert_sn", serials.root)]
            let asked = try await call("alipay.trade.query", #"{"out_trade_no":"Q"}"#, named)
            #expect(asked.json?["alipay_cert_sn"]?.string == serials.gateway)
            let download = try await call(
                "alipay.open.app.alipaycert.download", #"{"alipay_cert_sn":"\#(serials.gateway)"}"#, named)
            let node = try #require(download.json?["alipay_open_app_alipaycert_download_response"])
            let pem = String(decoding: try StrictBase64.decode(try #require(node["alipay_cert_content"]?.string)), as: UTF8.self)
            #expect(try AlipayCertificateSerial(pem: pem).description == serials.gateway)
            let certificate = try ParsedCertificate(pem: pem)
            #expect(certificate.isSigned(by: try PublicKey(subjectPublicKeyInfo: Array(gateway.keys.authority.root.subjectPublicKeyInfo))))
            gateway.clock.advance(by: .seconds(5 * 365 * 86_400 + 1))
            let late = try await call("alipay.trade.query", #"{"out_trade_no":"Q"}"#, named)
            #expect(late.json?["alipay_trade_query_response"]?["sub_code"]?.string == "isv.app-cert-expired")
        }
    }

    @Test func aBillIsThereTheNextMorningForHalfAMinute() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.modernOrder("B_1"))
            func ask(_ date: String, type: String = "trade") async throws -> JSONValue {
                try await gateway.modern(
                    "alipay.data.dataservice.bill.downloadurl.query", #"{"bill_type":"\#(type)","bill_date":"\#(date)"}"#)
            }
            #expect(try await ask("2026-11-21")["sub_code"]?.string == "BILL_NOT_EXIST")
            #expect(try await ask("tomorrow")["sub_code"]?.string == "INVAILID_ARGUMENTS")
            #expect(try await ask("2026-11-21", type: "other")["sub_code"]?.string == "INVAILID_ARGUMENTS")
            gateway.clock.advance(by: .seconds(86_400 + 6 * 3_600))
            #expect(try await ask("2026-11-20")["sub_code"]?.string == "NO_BILL_DATA")
            let url = try #require(try await ask("2026-11-21")["bill_download_url"]?.string)
            let path = url.replacing("http://gateway.test", with: "")
            let file = try await gateway.send(.get, path)
            #expect(file.status == 200)
            let archive = try ZipArchive(file.bytes)
            #expect(archive.entries.map(\.name) == ["2088000000000101_20261121_details.csv", "2088000000000101_20261121_summary.csv"])
            let text = try AlipayCharset.gbk.decode(archive.entries[0].bytes)
            #expect(text.contains("\(tradeNo),B_1,交易,测试 tea"))
            #expect(try await gateway.send(.get, path.dropLast(1) + "x").status == 404)
            gateway.clock.advance(by: .seconds(31))
            #expect(try await gateway.send(.get, path).status == 404)
        }
    }

    // MARK: The legacy services

    @Test func aPartnerAsksForItsTrade() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.legacyOrder("S_1"))
            let body = try await gateway.legacy("single_trade_query", [("out_trade_no", "S_1")])
            let answer = try LegacyAnswer(Array(body.utf8)).verified(by: AlipayVerificationKeys(md5: Secret(OrderGatewayHarness.md5)))
            #expect(answer["trade_no"] == tradeNo)
            #expect(answer["trade_status"] == "TRADE_SUCCESS")
            #expect(answer["total_fee"] == "10.00")
            #expect(body.contains(#"<param name="out_trade_no">S_1</param>"#))
        }
    }

    @Test(
        arguments: [
            ("single_trade_query", [("out_trade_no", "none")], "TRADE_NOT_EXIST"), ("single_trade_query", [], "ILLEGAL_ARGUMENT"),
            ("nothing", [("a", "b")], "ILLEGAL_SERVICE"), ("close_trade", [("out_order_no", "none")], "TRADE_NOT_EXIST"),
            (
                "forex_refund",
                [
                    ("out_return_no", "r"), ("out_trade_no", "none"), ("currency", "HKD"), ("return_amount", "1.00"),
                    ("gmt_return", "20261121040000"), ("reason", "test"), ("is_sync", "Y"),
                ], "PURCHASE_TRADE_NOT_EXIST"
            ),
        ] as [(String, [(String, String)], String)])
    func aWrongServiceCallIsRefusedByItsError(_ service: String, _ parameters: [(String, String)], _ error: String) async throws {
        try await OrderGatewayHarness.open { gateway in
            let body = try await gateway.legacy(service, partner: OrderGatewayHarness.crossBorder, parameters)
            #expect(try LegacyAnswer(Array(body.utf8)).error == error, "\(body)")
        }
    }

    @Test func whoIsAskedBeforeHowItIsSigned() async throws {
        try await OrderGatewayHarness.open { gateway in
            func error(_ query: String) async throws -> String? {
                try LegacyAnswer(try await gateway.send(.get, "/gateway.do?service=single_trade_query&_input_charset=utf-8&\(query)").bytes)
                    .error
            }
            #expect(try await error("partner=2088999999999999&out_trade_no=a&sign=x&sign_type=MD5") == "ILLEGAL_PARTNER")
            #expect(try await error("partner=2088000000000101&out_trade_no=a&sign=x&sign_type=MD5") == "ILLEGAL_SIGN")
            #expect(try await error("partner=2088000000000101&out_trade_no=a&sign=x&sign_type=DSA") == "ILLEGAL_SIGN_TYPE")
            let neither = try await gateway.send(.get, "/gateway.do?a=b")
            #expect(neither.json?["error_response"]?["sub_code"]?.string == "isv.missing-method")
        }
    }

    @Test(arguments: StoreEngine.available) func crossBorderRefundsAreBookedAtOnceOrLater(_ engine: StoreEngine) async throws {
        try await OrderGatewayHarness.open(engine) { gateway in
            let order = try await gateway.legacyOrder("F_1", partner: OrderGatewayHarness.crossBorder)
            try await gateway.paid(order)
            func refund(_ number: String, _ amount: String, sync: String) async throws -> LegacyAnswer {
                let body = try await gateway.legacy(
                    "forex_refund", partner: OrderGatewayHarness.crossBorder,
                    [
                        ("out_return_no", number), ("out_trade_no", "F_1"), ("currency", "HKD"), ("return_amount", amount),
                        ("gmt_return", "2026-11-21 04:00:00"), ("reason", "cold tea"), ("is_sync", sync),
                        ("notify_url", OrderGatewayHarness.notify),
                    ])
                return try LegacyAnswer(Array(body.utf8))
            }
            #expect(try await refund("a", "3.33", sync: "Y").isSuccess)
            #expect(try await refund("a", "3.33", sync: "Y").isSuccess)
            #expect(try await refund("b", "6.67", sync: "N").isSuccess)
            try await gateway.work()
            #expect(try await refund("c", "0.01", sync: "N").isSuccess)
            try await gateway.work()
            #expect(gateway.outside.credits.values.sorted() == ["3.04", "6.08"])
            #expect(try await gateway.balance(OrderGatewayHarness.crossBorder) == [:])
            let outcomes = gateway.outside.notifications.map { String(decoding: $0.form, as: UTF8.self) }
            #expect(outcomes.filter { $0.contains("refund_status=REFUND_SUCCESS") && $0.contains("out_return_no=b") }.count == 1)
            #expect(outcomes.filter { $0.contains("refund_status=REFUND_FAIL") && $0.contains("out_return_no=c") }.count == 1)
            #expect(try await refund("d", "1.00", sync: "Y").error == "RETURN_AMOUNT_EXCEED")
        }
    }

    @Test func theFilesOfACrossBorderPartner() async throws {
        try await OrderGatewayHarness.open { gateway in
            try await gateway.paid(try await gateway.legacyOrder("Y_1", partner: OrderGatewayHarness.crossBorder))
            func file(_ service: String, _ days: [(String, String)] = []) async throws -> String {
                try await gateway.legacy(service, partner: OrderGatewayHarness.crossBorder, days)
            }
            #expect(try await file("forex_rate_file") == "20261121|010000|HKD|0.9123\n20261121|010000|JPY|0.0479\n")
            let today = [("start_date", "20261121"), ("end_date", "20261121")]
            #expect(try await file("forex_compare_file", today) == "Finish date not ahead of today")
            gateway.clock.advance(by: .seconds(86_400))
            #expect(try await file("forex_compare_file", today) == "Y_1|10.00|HKD|20261121040000|20261123000000|P|0.00|P|\n")
            #expect(
                try await file("forex_compare_file", [("start_date", "20261122"), ("end_date", "20261121")])
                    == "Finish date ahead of begin date")
            #expect(
                try await file("forex_compare_file", [("start_date", "20261101"), ("end_date", "20261121")])
                    == "Over 10 days to Date period")
            #expect(
                try await file("forex_compare_file", [("start_date", "2026-11-1"), ("end_date", "x")]) == "Date format incorrect YYYYMMDD")
            gateway.clock.advance(by: .seconds(3 * 86_400))
            #expect(
                try await file("forex_liquidation_file", [("start_date", "20261123"), ("end_date", "20261123")])
                    == "Y_1|10.00|HKD|20261121040000|20261123000000|P|0.00|L|\n")
            #expect(
                try await file("forex_liquidation_file", [("start_date", "20261122"), ("end_date", "20261122")])
                    == "No balance account data in the period")
        }
    }

    /// A merchant's library reads one form: its gateway's. Whatever happens it is answered so.
    @Test func aGatewayThatCannotAnswerSaysSoInItsOwnForm() async throws {
        try await OrderGatewayHarness.open { gateway in
            let query = try await gateway.modernText("alipay.trade.query", #"{"out_trade_no":"O"}"#)
            try await gateway.store.database.write { tx in
                for table in ["alipay_merchants", "alipay_applications", "alipay_trades"] {
                    try tx.execute("ALTER TABLE \(table) RENAME TO gone_\(table)")
                }
            }
            let modern = try await gateway.send(.get, "/gateway.do?\(query)")
            #expect(modern.status == 200 && modern.json?["error_response"]?["code"]?.string == "20000", "\(modern.body)")
            let legacy = try await gateway.legacy("single_trade_query", [("out_trade_no", "O")])
            #expect(try LegacyAnswer(Array(legacy.utf8)).error == "SYSTEM_ERROR", "\(legacy)")
        }
    }

    @Test func aCallThatIsTooLargeIsAnsweredInItsOwnForm() async throws {
        try await OrderGatewayHarness.open { gateway in
            let body = "biz_content=" + String(repeating: "a", count: 300_000)
            let modern = try await gateway.send(
                .post, "/gateway.do?method=alipay.trade.query", body, type: "application/x-www-form-urlencoded")
            #expect(modern.status == 200 && modern.json?["error_response"]?["sub_code"]?.string == "isv.invalid-parameter")
            let whole = String(repeating: "a", count: 10_000_000)
            // Where nothing stands in the query, the beginning of the body tells the generation.
            for (query, body) in [
                ("?service=forex_refund", body), ("?service=forex_refund", whole), ("", "service=forex_refund&a=\(whole)"),
            ] {
                let legacy = try await gateway.send(.post, "/gateway.do\(query)", body, type: "application/x-www-form-urlencoded")
                #expect(legacy.status == 200)
                #expect(try LegacyAnswer(legacy.bytes).error == "ILLEGAL_ARGUMENT")
            }
        }
    }

    @Test func aBatchRefundsTradeByTrade() async throws {
        try await OrderGatewayHarness.open { gateway in
            let tradeNo = try await gateway.paid(try await gateway.legacyOrder("K_1"))
            let batch = [
                ("batch_no", "20261121001"), ("batch_num", "2"), ("refund_date", "2026-11-21 04:00:00"),
                ("detail_data", "\(tradeNo)^4.00^cold#2026112122000000000000000009^1.00^lost"), ("notify_url", OrderGatewayHarness.notify),
            ]
            for _ in 0..<2 {
                let body = try await gateway.legacy("refund_fastpay_by_platform_nopwd", batch)
                #expect(try LegacyAnswer(Array(body.utf8)).isSuccess, "\(body)")
            }
            try await gateway.work()
            #expect(Array(gateway.outside.credits.values) == ["4.00"])
            let told = gateway.outside.notifications.map { String(decoding: $0.form, as: UTF8.self) }.filter { $0.contains("batch_no") }
            #expect(told.count == 1)
            #expect(told.first?.contains("success_num=1") == true)
        }
    }
}
