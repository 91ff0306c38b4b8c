import Alipay
import BillfoldMoney
import BillfoldPayments
import BillfoldStorage
import Testing

@testable import AlipayServer

/// The whole table of states and events.
struct TradeStandingTests {
    private static let events: [TradeEvent] = [
        .paid, .closed, .expired, .refunded(price: 400, route: .modern), .refunded(price: 1_000, route: .modern),
        .refunded(price: 1_000, route: .forex), .refunded(price: 1_001, route: .modern), .refunded(price: 0, route: .modern),
        .refundWindowEnded,
    ]

    /// By product and state, what each event leads to: a state, `=` for no change, `!` and the refusal.
    private static let table: [(TradeProduct, TradeStatus, [String])] = [
        (
            .domestic, .waitBuyerPay,
            [
                "TRADE_SUCCESS", "TRADE_CLOSED", "TRADE_CLOSED", "!status-invalid", "!status-invalid", "!status-invalid", "!status-invalid",
                "!status-invalid", "=",
            ]
        ),
        (
            .crossBorder, .waitBuyerPay,
            [
                "TRADE_FINISHED", "TRADE_CLOSED", "TRADE_CLOSED", "!status-invalid", "!status-invalid", "!status-invalid",
                "!status-invalid", "!status-invalid", "=",
            ]
        ),
        (
            .domestic, .success,
            [
                "=", "!status-invalid", "=", "TRADE_SUCCESS", "TRADE_CLOSED", "TRADE_CLOSED", "!refund-exceeds-payment",
                "!refund-exceeds-payment", "TRADE_FINISHED",
            ]
        ),
        (
            .domestic, .finished,
            [
                "=", "!status-invalid", "=", "!trade-finished", "!trade-finished", "!trade-finished", "!trade-finished", "!trade-finished",
                "=",
            ]
        ),
        (
            .crossBorder, .finished,
            [
                "=", "!status-invalid", "=", "!trade-finished", "!trade-finished", "TRADE_FINISHED", "!trade-finished", "!trade-finished",
                "=",
            ]
        ),
        (
            .domestic, .closed,
            [
                "!trade-closed", "!status-invalid", "=", "!status-invalid", "!status-invalid", "!status-invalid", "!status-invalid",
                "!status-invalid", "=",
            ]
        ),
        (
            .domestic, .pending,
            [
                "=", "!status-invalid", "=", "!status-invalid", "!status-invalid", "!status-invalid", "!status-invalid", "!status-invalid",
                "=",
            ]
        ),
    ]

    @Test func everyStateTakesItsEventsAndNoOthers() {
        for (product, status, row) in Self.table {
            let standing = TradeStanding(product: product, status: status, price: 1_000)
            for (event, expected) in zip(Self.events, row) {
                let transition = standing.apply(event)
                let found =
                    switch transition.disposition {
                    case .advanced: transition.standing.status.rawValue
                    case .unchanged: "="
                    case .refused(let code): "!\(code.rawValue)"
                    }
                #expect(found == expected, "\(product) \(status) \(event)")
                if transition.disposition != .advanced {
                    #expect(transition.standing == standing)
                    #expect(!transition.notifies)
                    #expect(transition.money == nil)
                }
            }
        }
    }

    @Test func partsAddUpToAFullRefund() {
        var standing = TradeStanding(product: .domestic, status: .success, price: 1_000)
        for part: Int64 in [300, 300, 400] { standing = standing.apply(.refunded(price: part, route: .modern)).standing }
        #expect(standing.status == .closed)
        #expect(standing.refunded == 1_000)
        #expect(standing.apply(.refunded(price: 1, route: .modern)).disposition == .refused(.refundExceedsPayment))
    }

    @Test func aFinishedTradeIsRefundedAndStaysFinished() {
        let standing = TradeStanding(product: .crossBorder, status: .finished, price: 1_000, refunded: 600)
        let whole = standing.apply(.refunded(price: 400, route: .forex))
        #expect(whole.standing.status == .finished)
        #expect(whole.standing.refunded == 1_000)
        #expect(whole.standing.apply(.refunded(price: 1, route: .forex)).disposition == .refused(.refundExceedsPayment))
    }

    @Test func everyTemplateSumsToZero() throws {
        let templates = TradeBooks.templates(wallet: "ALIPAY_CN", merchant: try MerchantID("2088000000000101"))
        #expect(templates.count == 12)
        for template in templates { #expect(template.isBalanced, "\(template.name)") }
    }

    @Test(arguments: [[1, 1, 1], [333, 333, 334], [999, 1], [500, 500], [7, 13, 980]] as [[Int64]])
    func theLastRefundIsTheExactRest(_ parts: [Int64]) throws {
        let total = parts.reduce(0, +)
        let rate = try ExchangeRate(base: .hkd, quote: .cny, rate: ExactDecimal("0.9123"), source: "test")
        let money = try TradeMoney(price: Amount(minorUnits: total, currency: .hkd), rate: rate)
        var gone = TradeMoney.Part.none
        for part in parts {
            let next = try money.refund(part, after: gone)
            #expect(next.price == part)
            #expect(next.payable >= 0)
            gone.price += next.price
            gone.payable += next.payable
            gone.settlement += next.settlement
        }
        #expect(gone.payable == money.payable.minorUnits)
        #expect(gone.settlement == money.settlement.minorUnits)
    }

    @Test func thePayerPaysPriceTimesRateRoundedHalfUp() throws {
        let rate = try ExchangeRate(base: .hkd, quote: .cny, rate: ExactDecimal("0.9125"), source: "test")
        let money = try TradeMoney(price: Amount("10.20", currency: .hkd), rate: rate)
        #expect(money.payable.text == "9.31")
        #expect(money.settlement.text == "10.20")
        let exact = try TradeMoney(price: Amount("9.31", currency: .cny), rate: rate)
        #expect(exact.payable.text == "9.31")
        #expect(exact.settlement.text == "10.20")
        let domestic = try TradeMoney(domestic: Amount("10.00", currency: .cny), feePercent: "0.6")
        #expect(domestic.fee.text == "0.06")
    }

    @Test func aRateFileIsReadAsItIsWritten() throws {
        let text = "20261121|093000|GBP|9.9571\n20261121|093000|JPY|0.047900\n"
        #expect(try RateFile(text).text == text)
    }

    @Test(arguments: [
        "", "20261121|093000|GBP", "20261131|093000|GBP|9.1", "20261121|253000|GBP|9.1", "20261121|093000|CNY|1", "20261121|093000|GBP|0",
        "20261121|093000|GBP|-1", "20261121|093000|GBP|1e2", "20261121|093000|XXZ|1", "20261121|093000|GBP|1\n20261121|093000|GBP|2",
    ])
    func aWrongRateFileIsRefused(_ text: String) {
        #expect(throws: AlipayServerError.self) { try RateFile(text) }
    }

    @Test(arguments: [
        ("2026-11-19 23:59:59", "20261120000000"),  // Thursday
        ("2026-11-20 00:00:00", "20261123000000"),  // Friday
        ("2026-11-21 12:00:00", "20261123000000"), ("2026-11-22 12:00:00", "20261123000000"), ("2026-11-23 00:00:01", "20261124000000"),
    ])
    func aWeekendIsSettledOnMonday(_ paid: String, _ settled: String) throws {
        let at = Timestamp(try AlipayTime(paid))
        #expect(ChinaTime.compact(ForexFiles.settlement(of: at)) == settled)
    }
}
