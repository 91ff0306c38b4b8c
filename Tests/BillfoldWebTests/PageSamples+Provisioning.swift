import BillfoldWeb
import ProvisioningServer

extension PageSamples {
    static func overview(all value: String) -> ProvisioningOverview {
        ProvisioningOverview(
            programmes: [
                .init(id: value, displayName: value, offer: .init(isOn: true, remark: value, changedBy: value, changedAt: 0))
            ],
            cards: [
                .init(
                    id: value, displayName: value, network: value, suffix: value, cardholderName: value, status: value,
                    isSwitchedOn: true, tokenCount: 1)
            ],
            reviews: ["waiting", value].map { review(all: value, state: $0) }, allowList: [allowed(all: value)],
            decisions: [decision(all: value)], stops: [stop(all: value)], lostDevices: [.init(secureElement: value, reportedAt: 0)])
    }

    static func cardView(all value: String) -> ProvisioningCardView {
        ProvisioningCardView(
            card: overview(all: value).cards[0], cardSwitch: .init(isOn: false, remark: value, changedBy: value, changedAt: 0),
            tokens: [
                .init(
                    reference: value, device: value, secureElement: value, deviceSuffix: value, state: value, suspendedBy: [value],
                    awaitsVerification: true, changedAt: 0, pendingAction: value,
                    eventsPath: "/webhooks/banks/harbour?object=\(PathSegment.encoded(value))")
            ],
            reviews: [review(all: value, state: "waiting")], allowList: [allowed(all: value)], decisions: [decision(all: value)],
            messages: [.init(channel: value, contact: value, subject: value, state: value, at: 0)],
            events: [.init(id: value, kind: value, effect: value, occurredAt: 0, takenAt: 0)], stops: [stop(all: value)],
            networkCalls: [
                .init(
                    id: value, action: value, network: value, state: value, outcome: value, askedAt: 0,
                    attempts: [.init(number: value, status: value, reply: value, note: value, reason: value, milliseconds: 12, at: 0)],
                    next: 0)
            ])
    }

    static func stop(all value: String) -> ProvisioningOverview.Stop {
        .init(
            id: value, card: value, cardName: value, tokenReference: value, device: value, action: value, outcome: value, isRefused: true,
            askedBy: value, at: 0, tokenState: value)
    }

    private static func review(all value: String, state: String) -> ProvisioningOverview.Review {
        .init(
            id: value, card: value, cardName: value, tokenReference: value, device: value, reasons: [value], openedAt: 0, state: state,
            concludedBy: value, remark: value)
    }

    private static func allowed(all value: String) -> ProvisioningOverview.AllowedDevice {
        .init(card: value, secureElement: value, remark: value, addedBy: value, addedAt: 0)
    }

    private static func decision(all value: String) -> ProvisioningOverview.Decision {
        .init(
            card: value, cardName: value, device: value, colour: value, answer: value,
            reasons: [value], recommendation: value, at: 0, attempt: value)
    }

    static let secureElement = String(repeating: "0a1b2c3d", count: 6)

    static let overview = ProvisioningOverview(
        programmes: [
            .init(
                id: "visa-debit", displayName: "Harbour Visa Debit",
                offer: .init(isOn: true, remark: "Pilot with staff", changedBy: "Chen", changedAt: start)),
            .init(id: "mastercard-credit", displayName: "Harbour Mastercard Credit", offer: .init(isOn: false)),
        ],
        cards: [
            .init(
                id: "card-1", displayName: "Harbour Visa Debit", network: "Visa", suffix: "4242", cardholderName: "Mei Lin",
                status: "active", isSwitchedOn: true, tokenCount: 2),
            .init(
                id: "card-2", displayName: "Harbour Mastercard Credit", network: "Mastercard", suffix: "7782", cardholderName: "Mei Lin",
                status: "active", isSwitchedOn: false, tokenCount: 0),
            .init(
                id: "card-4", displayName: "Harbour Visa Debit", network: "Visa", suffix: "9001", cardholderName: "Tomas Silva",
                status: "blocked", isSwitchedOn: true, tokenCount: 0),
        ],
        reviews: [
            .init(
                id: "review-1", card: "card-1", cardName: "Harbour Visa Debit •• 4242", tokenReference: "DNITHE302231",
                device: "Mei’s phone (phone)", reasons: ["high-risk"], openedAt: start, state: "waiting"),
            .init(
                id: "review-0", card: "card-2", cardName: "Harbour Mastercard Credit •• 7782", tokenReference: "DNITHE302230",
                device: "Mei’s tablet (tablet)", reasons: ["high-risk"], openedAt: start, state: "refused",
                concludedBy: "Chen, agreed by Lin", remark: "Does not know of it"),
        ],
        allowList: [.init(card: "card-1", secureElement: secureElement, remark: "Pilot phone 7", addedBy: "Chen", addedAt: start)],
        decisions: ["orange", "yellow", "green", "red"].enumerated().map { index, colour in
            .init(
                card: "card-1", cardName: "Harbour Visa Debit •• 4242", device: "Mei’s phone (phone)", colour: colour,
                answer: ["REQUIRE_ADDITIONAL_AUTHENTICATION", "REQUIRE_ADDITIONAL_AUTHENTICATION", "APPROVED", "DECLINED"][index],
                reasons: [["high-risk"], ["outside-home-territory"], [], ["account-score-too-low"]][index],
                recommendation: "device 4, account 3, phone number 5; 0E", at: start + Int64(index) * 1_000_000, attempt: "attempt-\(index)"
            )
        })

    static let cardView = ProvisioningCardView(
        card: overview.cards[0], cardSwitch: .init(isOn: true),
        tokens: [
            .init(
                reference: "DNITHE302231", device: "Mei’s phone (phone)", secureElement: secureElement, deviceSuffix: "0193",
                state: "active", changedAt: start),
            .init(
                reference: "DNITHE302232", device: "Mei’s watch (watch)", secureElement: secureElement, deviceSuffix: "5521",
                state: "suspended", suspendedBy: ["ISSUER", "CARDHOLDER"], changedAt: start, pendingAction: "resume"),
            .init(reference: "DNITHE302233", device: "Old phone (phone)", state: "deleted", changedAt: start),
        ],
        decisions: overview.decisions,
        messages: [
            .init(channel: "SMS", contact: "+86 •••• 0100", subject: "one-time code", state: "delivered", at: start),
            .init(channel: "App", contact: "Mei Lin", subject: "token suspended", state: "queued", at: start),
        ],
        events: [
            .init(id: "e-20261130-17", kind: "unblocked", effect: "applied", occurredAt: start, takenAt: start),
            .init(id: "e-20261130-16", kind: "expiry-changed", effect: "noted", occurredAt: start, takenAt: start),
        ],
        networkCalls: [
            .init(
                id: "0193a2", action: "resume", network: "visa", state: "waiting", outcome: nil, askedAt: start,
                attempts: [
                    .init(
                        number: "1", status: "503", reply: "busy", note: "the network answered 503", reason: "wrong-status",
                        milliseconds: 41,
                        at: start)
                ], next: start + 2_000_000)
        ])
}
