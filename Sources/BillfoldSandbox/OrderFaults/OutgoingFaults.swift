import Foundation

/// A message of a server of ours to another party, as it is about to leave.
package struct OutgoingMessage: Sendable {
    package var method: String
    /// Whole.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: [UInt8]

    package init(method: String, url: String, headers: [(name: String, value: String)], body: [UInt8]) {
        (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
    }

    /// With its query.
    fileprivate var path: String {
        let rest = url.range(of: "://").map { url[$0.upperBound...] } ?? Substring(url)
        return rest.firstIndex(of: "/").map { String(rest[$0...]) } ?? "/"
    }

    private func header(_ name: String) -> String? { headers.first { $0.name.lowercased() == name }?.value }

    /// What a message is to the journey that it belongs to.
    fileprivate enum Part: Sendable {
        /// What a program of somebody's own is told.
        case notification(FaultJourney)
        /// The wallet's payment to the order gateway.
        case payment
        /// Between wallet and order gateway: it teaches names.
        case link
    }

    /// Told by what the message carries; addresses are their receivers' own.
    fileprivate func part(_ names: MessageNames) -> Part? {
        if header("webhook-id") != nil {
            let isIssuers = names["type"].contains { type in ["token.", "review.", "card."].contains { type.hasPrefix($0) } }
            return .notification(isIssuers ? .provisionCard : .acceptApplePay)
        }
        if path.hasPrefix("/link/v1/") { return method == "POST" && path == "/link/v1/payments" ? .payment : .link }
        if path.hasPrefix("/processor/v1/messages") { return .notification(.provisionCard) }
        if !names["notify_id"].isEmpty, !names["notify_type"].isEmpty { return .notification(.expressOrder) }
        if header("client-id") != nil, !names["acquirerId"].isEmpty, !names["paymentResult"].isEmpty { return .notification(.paymentSheet) }
        return nil
    }
}

/// What becomes of a message on its way.
package enum OutgoingFate: Sendable {
    case arrives
    /// It does not arrive, and its sender hears nothing.
    case lost
    /// It is sent after a wait in real time.
    case late(Duration)
    /// It is sent twice.
    case doubled
    /// This is sent instead.
    case changed(OutgoingMessage)
    /// It does not arrive, and its sender is answered so.
    case answered(status: Int, body: [UInt8])
}

extension OrderFaults {
    /// What the plans want to become of a message, which counts as befallen from now on.
    package func fate(of message: OutgoingMessage) async -> OutgoingFate {
        guard !book.isEmpty, message.body.count <= Self.mostBytes else { return .arrives }
        let names = MessageNames(path: message.path, body: message.body)
        switch message.part(names) {
        case .notification(let journey): return await fate(of: message, naming: names, journey)
        case .payment:
            guard await book.claim(.payment, of: .expressOrder, names) != nil else { return .arrives }
            return .answered(status: 409, body: Array(Self.refusal.utf8))
        case .link, nil: return .arrives
        }
    }

    private static let refusal = #"{"error":{"code":"payment-refused","reason":"the payment was refused on purpose (fault plan)"}}"#

    private func fate(of message: OutgoingMessage, naming names: MessageNames, _ journey: FaultJourney) async -> OutgoingFate {
        guard let befallen = await book.claim(.notification, of: journey, names) else { return .arrives }
        switch befallen.fault {
        case .notificationLost: return .lost
        case .notificationLate: return .late(befallen.delay)
        case .notificationDoubled: return .doubled
        case .notificationCorrupt: return changed(message, .corrupt)
        case .notificationUnsigned: return changed(message, .missing)
        default: return .arrives
        }
    }

    private func changed(_ message: OutgoingMessage, _ damage: SignatureDamage) -> OutgoingFate {
        guard let done = damage.done(to: message.headers, message.body) else { return .arrives }
        var changed = message
        (changed.headers, changed.body) = (done.headers, done.body)
        return .changed(changed)
    }

    /// Takes note of what was answered between servers of ours: the names by which an order is called later.
    package func heard(_ body: [UInt8], to message: OutgoingMessage) async {
        guard !book.isEmpty, body.count <= Self.mostBytes else { return }
        let names = MessageNames(path: message.path, body: message.body)
        switch message.part(names) {
        case .payment, .link: await book.learn(.expressOrder, names, answered: MessageNames(body: body))
        case .notification, nil: break
        }
    }
}
