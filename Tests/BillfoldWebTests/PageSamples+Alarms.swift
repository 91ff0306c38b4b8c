import AlipayPlusServer
import BillfoldMoney
import BillfoldServer
import BillfoldWeb
import CardPaymentsServer
import ProvisioningServer
import WalletServer

/// The page of alarms, with the sections of every desk that raises any.
extension PageSamples {
    private static func alarms(
        _ frame: PageFrame, notice: UnmatchedNoticeView, payments: PaymentAlarms, wallet: [WalletPaymentAlarm],
        stop: ProvisioningOverview.Stop, acquiring: AcquiringOverview.Alarm
    ) async throws -> String {
        let reader = ConsoleReader(mode: .test, identity: .local, csrfToken: nil, offersSignIn: false, offersRequests: true, links: [])
        let desks: [any ConsoleDesk] = [
            ProvisioningConsole(OneStop(stop: stop)), WalletConsole(WaitingPayments(payments: wallet)),
            AcquiringConsole(OneAlarm(alarm: acquiring)),
        ]
        var sections = [AlarmSection.unmatchedNotices([notice], inAll: 2, mayAsk: reader.mayRequest)]
        for desk in desks { sections += try await desk.alarms(for: reader) }
        sections.append(payments.section(mayAsk: reader.mayRequest, mayClear: reader.isOperator))
        return try AlarmsPage(frame: frame, sections: sections, pages: PageSet(desks.compactMap(\.pages) + [.cardPayments])).html()
    }

    static func alarms(_ frame: PageFrame, all value: String) async throws -> String {
        let amount = Amount(minorUnits: 3300, currency: .cny)
        let payment = PaymentAlarms.Payment(id: value, order: value, state: value, amount: amount, alarm: value, note: value, startedAt: 0)
        return try await alarms(
            frame,
            notice: .init(
                id: value, action: value, summary: value, about: value, evidence: value, note: value, receivedAt: 0,
                ways: [.init(name: value, title: value)]),
            payments: PaymentAlarms(
                deadLetters: [
                    .init(id: value, kind: value, payment: value, order: value, attempts: 1, note: value, createdAt: 0, isSendable: true),
                    .init(id: value, kind: value, payment: nil, order: nil, attempts: 1, note: value, createdAt: 0, isSendable: false),
                ], alarms: [payment], overdue: [payment],
                mismatches: [.init(day: value, kind: value, subject: value, booked: amount, filed: nil)]),
            wallet: [WalletPaymentAlarm.Kind.unsettled, .contradiction].map {
                .init(kind: $0, id: value, trade: value, state: value, amount: amount, note: value, startedAt: 0)
            },
            stop: stop(all: value),
            acquiring: .init(
                paymentID: value, acquirer: value, subject: value, kind: value, note: value, raisedAt: 0, step: .retry))
    }

    static func ordinaryAlarms() async throws -> String {
        let (id, order) = ("0198c2a4f0d27c3eb1a2c3d4e5f60719", "0198c2a4f0d17c3eb1a2c3d4e5f60718")
        let total = Amount(minorUnits: 7546, currency: .cny)
        func payment(_ state: String, alarm: String? = nil) -> PaymentAlarms.Payment {
            .init(
                id: id, order: order, state: state, amount: total, alarm: alarm, note: alarm == nil ? "" : "late",
                startedAt: start)
        }
        return try await alarms(
            frame,
            notice: .init(
                id: "0198c2a4f0d57c3eb1a2c3d4e5f6071c", action: "card-settle-notice",
                summary: "payment of 33.00 CNY by unionpay, reference 777290058167151/0198c2a4/20261121040000", about: order,
                evidence: "orderId=0198c2a4\nqueryId=202611210400001234567", receivedAt: start,
                ways: [.init(name: "payment", title: "Book it as a payment of its order")]),
            payments: PaymentAlarms(
                deadLetters: [
                    .init(
                        id: "0198c2a4f0d37c3eb1a2c3d4e5f6071a", kind: "refund", payment: id, order: order, attempts: 20,
                        note: "not sent: not-connected", createdAt: start, isSendable: true)
                ], alarms: [payment("succeeded", alarm: "contradiction")], overdue: [payment("unknown")],
                mismatches: [
                    .init(day: "0105", kind: "theirs-only", subject: "201601051600123456789", booked: nil, filed: total)
                ]),
            wallet: [
                .init(
                    kind: .unsettled, id: "0198c2a4f0d47c3eb1a2c3d4e5f6071b", trade: "2026112122000000000000000001", state: "held",
                    amount: total, note: "the gateway answered 403 forbidden", startedAt: start)
            ],
            stop: .init(
                id: "0198c2a4f0d67c3eb1a2c3d4e5f6071d", card: "card-1", cardName: "Harbour Visa Debit •• 4242",
                tokenReference: "DNITHE302231", device: "Mei’s phone (phone)", action: "suspend", outcome: "token-busy", isRefused: true,
                askedBy: "Chen", at: start, tokenState: "active"),
            acquiring: .init(
                paymentID: "20260105194010800100188000000001", acquirer: "harbour", subject: "0198c2a4f0d77c3eb1a2c3d4e5f6071e",
                kind: "leg-stuck", note: "the wallet answered CANCEL_WINDOW_EXCEED", raisedAt: start, step: .retry))
    }
}

private struct WaitingPayments: WalletAlarms {
    var payments: [WalletPaymentAlarm]

    func alarms() -> [WalletPaymentAlarm] { payments }
    func clearContradiction(of payment: String, remark: String, by person: String) -> Bool { false }
}

private struct OneAlarm: AcquiringDesk {
    var alarm: AcquiringOverview.Alarm

    func overview(_ number: String?) -> AcquiringOverview { AcquiringOverview(payments: [], alarms: [alarm], parked: []) }
    func payments(of acquirer: String, _ wish: ListQuery<CollectionStanding.State>) -> AcquiringPaymentList? { nil }
    func payment(_ id: String) -> AcquiringPaymentView? { nil }
    func replay(_ id: String, of acquirer: String, because reason: String, by person: String) -> Bool { false }
    func retry(_ alarm: AcquiringAlarm, because reason: String, by person: String) -> Bool { false }
    func clear(_ alarm: AcquiringAlarm, because reason: String, by person: String) -> Bool { false }
}

private struct OneStop: ProvisioningDesk {
    var stop: ProvisioningOverview.Stop

    func overview() -> ProvisioningOverview { ProvisioningOverview(programmes: [], stops: [stop]) }
    func card(_ id: String) -> ProvisioningCardView? { nil }
    func switchProgramme(_ id: String, on: Bool, remark: String, by person: String) -> Bool { false }
    func switchCard(_ id: String, on: Bool, remark: String, by person: String) -> Bool { false }
    func allow(_ isAllowed: Bool, card: String, secureElement: String, remark: String, by person: String) -> Bool { false }
    func act(_ action: ProvisioningAction, on token: String, reason: ProvisioningActionReason, by person: String) -> Bool { false }
    func replaceCard(_ id: String, remark: String, by person: String) -> Bool { false }
    func failedStops() -> [ProvisioningOverview.Stop] { [stop] }
    func resolveStop(_ id: String, retry: Bool, remark: String, by person: String) -> Bool { false }
    func reportLost(secureElement: String, by person: String) -> Int { 0 }
    func reportFound(secureElement: String, remark: String, by person: String) -> Bool { false }
}
