import BillfoldJSON
import BillfoldPayments
import BillfoldStorage

/// What a network tells of one token, in an event or in an answer.
struct ToldToken: Sendable, Hashable, Codable {
    var reference: String
    /// `nil` in answers, which do not repeat it.
    var primaryAccountIdentifier: String?
    var snapshot: TokenSnapshot
    var device: DecisionInputs.Device?
    var deviceAccountSuffix: String?
}

/// `POST /network/v1/events`: something happened to a token at the network.
struct TokenEvent: Sendable {
    enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case created, activated, suspended, resumed, deleted, accountUpdated
    }

    var id: String
    var kind: Kind
    /// The network's number for the event, such as Visa's 3700 (provisioning.md#token-events [O]).
    var code: String?
    var reason: String?
    var occurredAt: Timestamp
    var told: ToldToken

    /// Over everything that has a meaning.
    var fingerprint: RequestFingerprint {
        get throws { try Self.fingerprint(kind: kind.rawValue, code: code, reason: reason, at: occurredAt, told: told) }
    }

    static func fingerprint(
        kind: String, code: String?, reason: String?, at occurredAt: Timestamp, told: ToldToken
    ) throws -> RequestFingerprint {
        RequestFingerprint(
            parts: [
                Array(kind.utf8), Array((code ?? "").utf8), Array((reason ?? "").utf8), Array(String(occurredAt.microseconds).utf8),
                try JSONDocument.encode(told.sorted),
            ])
    }
}

extension ToldToken {
    /// A form whose bytes are equal where the contents are: sets have no order of their own.
    fileprivate var sorted: [String?] {
        [
            reference, primaryAccountIdentifier, String(snapshot.sequence), snapshot.state.rawValue,
            snapshot.suspendedBy.sorted().map(\.rawValue).joined(separator: " "), device?.secureElement, device?.kind.rawValue,
            device?.name,
            deviceAccountSuffix,
        ]
    }
}
