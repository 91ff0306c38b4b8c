import ApplePay
import BillfoldDiagnosis
import BillfoldJSON
import Testing

@Suite struct SheetSessionLinterTests {
    private static let items: [PaymentRequest.SummaryItem] = [
        .init(label: "Tea", amount: "30.00"), .init(label: "Shipping", amount: "3.00"), .init(label: "Example Shop", amount: "33.00"),
    ]

    /// A payment without a fault, in which an address is refused once.
    static let good = SheetSession(events: [
        .init(callback: .didSelectPaymentMethod, at: 400, answers: [.init(at: 410, items: items)]),
        .init(
            callback: .didSelectShippingContact, at: 900,
            answers: [
                .init(
                    at: 1_300, items: items,
                    shippingMethods: [.init(identifier: "standard", label: "Standard", detail: "3 days", amount: "3.00")],
                    errors: [.init(domain: "PKPaymentErrorDomain", code: "shippingAddressUnserviceable", field: "country")])
            ]),
        .init(callback: .didSelectShippingMethod, at: 2_000, answers: [.init(at: 2_001, items: items)]),
        .init(callback: .didChangeCouponCode, at: 2_500, answers: [.init(at: 2_700, items: items)]),
        .init(callback: .didRequestMerchantSessionUpdate, at: 2_800, answers: [.init(at: 2_900)]),
        .init(
            callback: .didAuthorizePayment, at: 5_000,
            answers: [.init(at: 7_200, errors: [], status: "success")], serverAnsweredAt: 7_100),
        .init(callback: .didFinish, at: 8_000, answers: []),
    ])

    private func codes(_ change: (inout SheetSession) -> Void) -> [String] {
        var session = Self.good
        change(&session)
        return SheetSessionLinter().findings(in: session).map(\.code)
    }

    @Test func goodSessionHasNoFinding() { #expect(codes { _ in } == []) }

    static let faults: [(String, @Sendable (inout SheetSession) -> Void)] = [
        ("apple-pay.session.unanswered", { $0.events[0].answers = [] }),
        ("apple-pay.session.unanswered", { $0.events[5].answers = [] }),
        ("apple-pay.session.answered-twice", { $0.events[0].answers.append($0.events[0].answers[0]) }),
        ("apple-pay.session.answered-late", { $0.events[1].answers[0].at = 31_000 }),
        ("apple-pay.session.items-empty", { $0.events[2].answers[0].items = [] }),
        ("apple-pay.session.items-empty", { $0.events[3].answers[0].items = nil }),
        ("apple-pay.session.total-sum", { $0.events[3].answers[0].items![0].amount = "31.00" }),
        ("apple-pay.session.error-domain", { $0.events[1].answers[0].errors[0].domain = "com.example.shop" }),
        ("apple-pay.session.error-code", { $0.events[1].answers[0].errors[0].code = "addressTooFar" }),
        ("apple-pay.session.error-field", { $0.events[1].answers[0].errors[0].field = "phoneNumber" }),
        ("apple-pay.session.error-field", { $0.events[1].answers[0].errors[0].field = "street" }),
        ("apple-pay.session.success-before-server", { $0.events[5].serverAnsweredAt = nil }),
        ("apple-pay.session.success-before-server", { $0.events[5].serverAnsweredAt = 7_201 }),
    ]

    @Test(arguments: faults.indices)
    func brokenRuleIsTheOnlyFinding(index: Int) {
        let (code, change) = Self.faults[index]
        #expect(codes(change) == [code])
    }

    @Test func everyCodeOfEveryRuleIsTested() {
        #expect(Set(SheetSessionLinter.rules.flatMap { type(of: $0).codes }) == Set(Self.faults.map(\.0)))
    }

    @Test func hiddenFieldMayBeBlamedAtAuthorisation() {
        #expect(
            codes { session in
                session.events[5].answers[0].status = "failure"
                session.events[5].answers[0].errors = [
                    .init(domain: "PKPaymentErrorDomain", code: "shippingContactInvalid", field: "phoneNumber")
                ]
            } == [])
    }

    @Test func sessionSurvivesItsJSONForm() throws {
        let bytes = JSONWriter.write(Self.good.json)
        let read = try SheetSession(bytes)
        #expect(JSONWriter.write(read.json) == bytes)
        #expect(read.events[1].answers[0].shippingMethods == Self.good.events[1].answers[0].shippingMethods)
        #expect(SheetSessionLinter().findings(in: read).isEmpty)
    }

    /// Times that a session built in memory may hold: the linter does not trust its input.
    @Test(arguments: [(Int64.min, Int64.max), (-1, .max), (.min, 0)]) func distantTimesAreLateAndNoMore(asked: Int64, answered: Int64) {
        let last = codes { session in
            session.events[0].at = asked
            session.events[0].answers[0].at = answered
        }
        #expect(last == ["apple-pay.session.answered-late"])
        #expect(
            codes { session in
                session.events[0].at = answered
                session.events[0].answers[0].at = asked
            } == [])
    }

    @Test(arguments: ["-1", "-9223372036854775808", "9223372036854775808", "1.5", "\"1\"", "null"])
    func timeThatIsNoMillisecondIsRefused(time: String) {
        let event = { (at: String, answer: String, server: String) in
            #"{"kind":"apple-pay.sheet-session","events":[{"callback":"didAuthorizePayment","at":\#(at),"#
                + #""answers":[{"at":\#(answer)}],"serverAnsweredAt":\#(server)}]}"#
        }
        for text in [event(time, "1", "1"), event("1", time, "1"), event("1", "1", time)] {
            #expect(throws: ApplePayError(code: .malformedSession, reason: ""), "\(text)") { try SheetSession(Array(text.utf8)) }
        }
    }

    @Test(arguments: [
        "{}", #"{"kind":"apple-pay.sheet-session"}"#, #"{"kind":"apple-pay.sheet-session","events":[{"callback":"didSneeze","at":1}]}"#,
    ])
    func malformedSessionIsRefused(text: String) {
        #expect(throws: ApplePayError(code: .malformedSession, reason: "")) { try SheetSession(Array(text.utf8)) }
    }
}
